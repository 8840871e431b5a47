//! Answers of the search: the question is checked, the index says which, the database what they are like.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use chassis::{BusinessError, ServiceError};
use proto::transaction::v1::*;
use sea_orm::entity::prelude::*;

use super::Search;
use super::facets::{Band, bands};
use super::find::{Asked, DEEPEST, Found, Named, Sort};
use super::follow::Tree;
use super::words;
use crate::entity::listing::{self, Column, Entity, State};
use crate::listing::split;

/// Values of a filter.
const VALUES: usize = 20;
const PAGE_SIZE: i32 = 24;
/// Suggestions of one answer, and texts that are looked at for them.
const SUGGESTED: usize = 10;
const LOOKED_AT: usize = 40;
/// Makers among the suggestions.
const MAKERS: usize = 3;
/// Corrections that are tried.
const TRIED: usize = 24;
/// Names of facets, in the order in which they are shown.
const FACETS: &[&str] = &[
    "category",
    "label",
    "format",
    "price",
    "license",
    "triangles",
    "animation",
    "score",
    "origin",
    "seller",
];

/// What is kept of an answer: which listings, never what they are like. A price or a state that changed is shown at once.
pub(super) struct Known {
    total: i64,
    ids: Vec<String>,
    facets: Vec<Facet>,
    corrected: String,
}

fn invalid(text: &str) -> ServiceError {
    BusinessError::invalid(text).into()
}

fn one_of(text: &str, known: &[&str], message: &str) -> Result<Vec<String>, ServiceError> {
    let found = split(text);
    match found.len() <= VALUES && found.iter().all(|one| known.contains(&one.as_str())) {
        true => Ok(found),
        false => Err(invalid(message)),
    }
}

fn listed_in(text: &str) -> Result<Vec<String>, ServiceError> {
    let found = split(text);
    match found.len() <= VALUES && found.iter().all(|one| one.len() <= 64) {
        true => Ok(found),
        false => Err(invalid("筛选条件过多")),
    }
}

/// The question of a page, checked.
fn read(form: &ModelListRequest, now: i64) -> Result<Asked, ServiceError> {
    let sort = Sort::of(&form.sort).ok_or_else(|| invalid("排序方式不正确"))?;
    let limit = match form.page_size {
        ..=0 => PAGE_SIZE,
        size => size,
    } as usize;
    let offset = (form.page_no.max(1) as usize - 1).saturating_mul(limit);
    if offset.saturating_add(limit) > DEEPEST {
        return Err(invalid(
            "最多查看前10000条结果，请用更具体的搜索词或筛选条件",
        ));
    }
    let mut asked = Asked {
        keyword: form.keyword.clone(),
        sort,
        offset,
        limit,
        now,
        ..Asked::default()
    };
    asked.labels = listed_in(&form.label_ids)?;
    let booleans = &["true", "false"];
    for (field, values) in [
        ("category", listed_in(&form.category_id)?),
        (
            "format",
            listed_in(&form.formats)?
                .iter()
                .map(|one| one.to_lowercase())
                .collect(),
        ),
        (
            "license",
            one_of(&form.license, &["personal", "commercial"], "授权方式不正确")?,
        ),
        (
            "origin",
            one_of(&form.origin, &["own", "adapted", "ai"], "模型来源不正确")?,
        ),
        (
            "animation",
            one_of(&form.animated, booleans, "动画条件不正确")?,
        ),
        ("seller", listed_in(&form.seller_id)?),
    ] {
        if !values.is_empty() {
            asked.any.push((field, values));
        }
    }
    for (field, from, to) in [
        ("price", form.price_min, form.price_max),
        ("triangles", form.triangle_min, form.triangle_max),
        (
            "score",
            (form.score_min > 0).then_some(i64::from(form.score_min)),
            None,
        ),
    ] {
        if from.is_some() || to.is_some() {
            asked.ranges.push((field, from, to));
        }
    }
    match form.free.trim() {
        "" => {}
        "true" => asked.ranges.push(("price", Some(0), Some(0))),
        "false" => asked.ranges.push(("price", Some(1), None)),
        _ => return Err(invalid("免费条件不正确")),
    }
    Ok(asked)
}

impl Search {
    pub(super) async fn list(
        &self,
        form: ModelListRequest,
    ) -> Result<ModelListReply, ServiceError> {
        let mut asked = read(&form, self.mall.now())?;
        let key = format!("{form:?}");
        let known = match self.answers.get(&key) {
            Some(known) => known,
            None => {
                let chosen = chosen(&asked);
                asked.named = self.makers_known().named(&asked.keyword);
                let (corrected, mut found) = self.find(asked).await?;
                with_chosen(&mut found, chosen);
                let known = Arc::new(Known {
                    total: found.total as i64,
                    ids: found.ids(),
                    facets: self.facets(&found).await?,
                    corrected,
                });
                self.answers.insert(key, known.clone());
                known
            }
        };
        Ok(ModelListReply {
            total_count: known.total,
            results: self.cards(&known.ids).await?,
            facets: known.facets.clone(),
            corrected: known.corrected.clone(),
        })
    }

    /// What is found; where nothing is, of makers whose name holds the keyword, or by what may have been meant.
    async fn find(&self, asked: Asked) -> Result<(String, Found), ServiceError> {
        let question = asked.clone();
        let found = self.asked(move |listings| listings.find(&question)).await?;
        if found.total > 0 || asked.keyword.is_empty() {
            return Ok((String::new(), found));
        }
        let like = self.makers_known().like(&asked.keyword);
        let like = Asked {
            named: (!like.is_empty()).then(|| Named {
                sellers: like.into_iter().map(|(id, _)| id).collect(),
                rest: String::new(),
            }),
            ..asked.clone()
        };
        if like.named.is_some() {
            let found = self.asked(move |listings| listings.find(&like)).await?;
            if found.total > 0 {
                return Ok((String::new(), found));
            }
        }
        let tried = self.corrections(&asked.keyword);
        self.asked(move |listings| {
            for keyword in tried {
                let found = listings.find(&Asked {
                    keyword: keyword.clone(),
                    ..asked.clone()
                })?;
                if found.total > 0 {
                    return Ok((keyword, found));
                }
            }
            Ok((String::new(), found))
        })
        .await
    }

    /// The keyword with the whole, or a piece of it, in place of which another word may have been meant.
    fn corrections(&self, keyword: &str) -> Vec<String> {
        let vocabulary = self
            .vocabulary
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let plain = words::plain(keyword);
        let mut tried = vocabulary.meant(&plain);
        for word in plain.split_whitespace().take(4) {
            let characters: Vec<char> = word.chars().take(12).collect();
            if characters.iter().all(char::is_ascii) {
                let other = vocabulary.meant(word);
                tried.extend(other.iter().map(|other| plain.replacen(word, other, 1)));
                continue;
            }
            for length in [4, 3, 2] {
                for piece in characters.windows(length) {
                    let piece: String = piece.iter().collect();
                    let other = vocabulary.meant(&piece).into_iter().take(2);
                    tried.extend(other.map(|other| plain.replacen(&piece, &other, 1)));
                }
            }
        }
        tried.truncate(TRIED);
        tried
    }

    /// Cards of what the mall shows now, in this order.
    pub(super) async fn cards(&self, ids: &[String]) -> Result<Vec<Listing>, ServiceError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = Entity::find_any()
            .filter(Column::Id.is_in(ids))
            .filter(Column::State.eq(State::Listed))
            .filter(Column::Frozen.eq(false))
            .all(&self.mall.context.db)
            .await?;
        let makers = self
            .makers(rows.iter().map(|row| row.seller.as_str()))
            .await;
        let mut rows: HashMap<String, listing::Model> =
            rows.into_iter().map(|row| (row.id.clone(), row)).collect();
        let shown = ids.iter().filter_map(|id| rows.remove(id));
        let named = |row: listing::Model| Listing {
            seller_name: makers
                .get(&row.seller)
                .map_or_else(String::new, |maker| maker.nickname.clone()),
            ..self.mall.view(&row)
        };
        Ok(shown.map(named).collect())
    }

    async fn facets(&self, found: &Found) -> Result<Vec<Facet>, ServiceError> {
        let tree = self.tree().await?;
        let counted = |name: &str| found.facets.get(name).map_or(&[][..], Vec::as_slice);
        let makers = self
            .makers(counted("seller").iter().map(|(id, _)| id.as_str()))
            .await;
        let of = |name: &&str| {
            let mut buckets = named(name, counted(name), &tree);
            if *name == "seller" {
                for bucket in &mut buckets {
                    bucket.name = makers
                        .get(&bucket.key)
                        .map_or_else(String::new, |maker| maker.nickname.clone());
                }
            }
            Facet {
                name: (*name).to_owned(),
                buckets,
            }
        };
        Ok(FACETS.iter().map(of).collect())
    }

    pub(super) async fn categories(&self) -> Result<Vec<MallCategory>, ServiceError> {
        let tree = crate::category::all(&self.mall.context.db).await?;
        let first: Vec<String> = tree
            .iter()
            .filter(|one| one.parent_id.is_empty())
            .map(|one| one.id.clone())
            .collect();
        let (counts, labels) = self
            .asked(move |listings| {
                let counts = listings.counts("category")?;
                let mut labels = HashMap::new();
                for id in first.into_iter().filter(|id| counts.contains_key(id)) {
                    let inside = Asked {
                        any: vec![("category", vec![id.clone()])],
                        ..Asked::default()
                    };
                    labels.insert(
                        id,
                        listings
                            .find(&inside)?
                            .facets
                            .remove("label")
                            .unwrap_or_default(),
                    );
                }
                Ok((counts, labels))
            })
            .await?;
        let shown = |one: &crate::entity::category::Model| MallCategory {
            id: one.id.clone(),
            name: one.name.clone(),
            count: counts.get(&one.id).copied().unwrap_or(0),
            ..MallCategory::default()
        };
        let of = |parent: &crate::entity::category::Model| {
            let children = tree.iter().filter(|one| one.parent_id == parent.id);
            let counted = labels.get(&parent.id).map_or(&[][..], Vec::as_slice);
            let counted = &counted[..counted.len().min(20)];
            MallCategory {
                children: children
                    .filter(|one| one.offered || counts.contains_key(&one.id))
                    .map(shown)
                    .collect(),
                labels: named("label", counted, &Tree::new()),
                ..shown(parent)
            }
        };
        let first = tree.iter().filter(|one| one.parent_id.is_empty());
        Ok(first
            .filter(|one| one.offered || counts.contains_key(&one.id))
            .map(of)
            .collect())
    }

    pub(super) async fn formats(&self) -> Result<Vec<MallFormat>, ServiceError> {
        let counts = self.asked(|listings| listings.counts("format")).await?;
        let readable = facts::rows()
            .iter()
            .filter(|row| row.reads == facts::Reads::Model);
        let of = |row: &facts::Row| MallFormat {
            format: row.format.name().to_owned(),
            title: row.title.clone(),
            count: row
                .extensions
                .iter()
                .filter_map(|one| counts.get(one))
                .sum(),
        };
        Ok(readable.map(of).collect())
    }

    pub(super) async fn suggestions(&self, keyword: &str) -> Result<Vec<Suggestion>, ServiceError> {
        let known = self
            .vocabulary
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .suggest(keyword, LOOKED_AT);
        let makers = self.makers_known().like(keyword);
        // Names of what is no longer listed are known too.
        self.asked(move |listings| {
            let suggestion = |text, kind: &str| Suggestion {
                text,
                kind: kind.to_owned(),
            };
            let (mut found, mut named) = (Vec::new(), Vec::new());
            for (id, name) in makers {
                if named.len() < MAKERS && listings.sells(&id)? {
                    named.push(suggestion(name, "maker"));
                }
            }
            for (text, kind) in known {
                if found.len() + named.len() < SUGGESTED && listings.finds(&text)? {
                    found.push(suggestion(text, kind.name()));
                }
            }
            found.extend(named);
            Ok(found)
        })
        .await
    }
}

/// The values that a question chooses, as keys of its facets.
fn chosen(asked: &Asked) -> Vec<(&'static str, String)> {
    let any = asked.any.iter();
    let any = any.flat_map(|(field, values)| values.iter().map(|value| (*field, value.clone())));
    let labels = asked.labels.iter().map(|label| ("label", label.clone()));
    let bands = asked.ranges.iter().filter_map(|(field, from, to)| {
        let ends = |band: &Band| band.to.map(|end| end - 1) == *to;
        let mut bands = bands(field)?.into_iter();
        let band = bands.find(|band| band.from == from.unwrap_or(0) && ends(band));
        Some((*field, band?.key))
    });
    any.chain(labels).chain(bands).collect()
}

/// Adds chosen values by which nothing is found: they have names, and can be taken back.
fn with_chosen(found: &mut Found, chosen: Vec<(&'static str, String)>) {
    for (facet, key) in chosen {
        let counted = found.facets.entry(facet.to_owned()).or_default();
        if counted.iter().all(|(known, _)| *known != key) {
            counted.push((key, 0));
        }
    }
}

/// Buckets with names that people read.
pub(super) fn named(facet: &str, counted: &[(String, i64)], tree: &Tree) -> Vec<FacetBucket> {
    let name = |key: &str| -> String {
        let known = match (facet, key) {
            ("category", key) => return tree.get(key).map_or(key, |(name, _)| name).to_owned(),
            ("label", key) => facts::labels::name_of(key).unwrap_or(key),
            ("license", "personal") => "个人授权",
            ("license", _) => "商用授权",
            ("animation", "true") => "有动画",
            ("animation", _) => "无动画",
            ("origin", "own") => "原创",
            ("origin", "adapted") => "改编",
            ("origin", _) => "AI 生成",
            ("price", "0-1") => "免费",
            ("format", key) => {
                facts::Format::of_extension(key).map_or(key, |format| format.title())
            }
            ("price", key) => return band(key, 100, "元"),
            ("triangles", key) => return band(key, 10_000, "万面"),
            ("score", key) => return band(key, 1, "分"),
            (_, key) => key,
        };
        known.to_owned()
    };
    let bucket = |(key, count): &(String, i64)| FacetBucket {
        name: name(key),
        key: key.clone(),
        count: *count,
    };
    counted.iter().map(bucket).collect()
}

/// A band in words; its ends are counted in `unit`.
fn band(key: &str, unit: i64, word: &str) -> String {
    let (from, to) = key.split_once('-').unwrap_or((key, ""));
    let end = |text: &str| text.parse().map_or(0, |end: i64| end / unit);
    match (end(from), to) {
        (from, "") => format!("{from}{word}以上"),
        (0, to) => format!("{}{word}以下", end(to)),
        (from, to) => format!("{from}–{}{word}", end(to)),
    }
}
