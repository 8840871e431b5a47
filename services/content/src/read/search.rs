//! The search: texts that contain all words; if there are none, those with most pairs of neighbouring characters.

use std::collections::BTreeMap;

use chassis::ServiceError;
use chassis::db::list::place_of;
use proto::content::v1::{ContentHit, ContentKindCount, ContentSearchReply, ContentSearchRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, FromQueryResult, QueryOrder, QuerySelect};

use super::{Row, cards, kind, rows, shown};
use crate::Library;
use crate::entity::article::{Column, Entity};
use crate::kind::Kind;
use crate::state::invalid;
use crate::words;

/// Most texts weighed by one search.
const MOST: u64 = 500;
const USUAL: i32 = 20;
const MOST_A_PAGE: i32 = 50;
/// Characters of an excerpt, and of those before the word in it.
const EXCERPT: usize = 120;
const BEFORE: usize = 24;

#[derive(FromQueryResult)]
struct Candidate {
    id: String,
    kind: Kind,
    title: String,
    summary: String,
    search: String,
    published_at: i64,
}

/// A matching text with its weight.
struct Hit {
    weight: usize,
    text: Candidate,
}

impl Library {
    pub(super) async fn search(
        &self,
        form: &ContentSearchRequest,
    ) -> Result<ContentSearchReply, ServiceError> {
        let wanted = match form.kind.as_str() {
            "" => None,
            name => Some(kind(name)?),
        };
        let (offset, limit) = place_of(form, USUAL, MOST_A_PAGE)?;
        let asked = words::asked(&form.keyword);
        if asked.is_empty() {
            return Err(invalid("请输入要找的词"));
        }
        let mut found = self.with_all(&asked).await?;
        let partial = found.is_empty();
        let looked_for = match partial {
            false => asked,
            true => words::pairs(&asked),
        };
        if partial {
            found = self.with_some(&looked_for).await?;
        }
        found.sort_by_key(|hit| std::cmp::Reverse((hit.weight, hit.text.published_at)));
        let counts = counts(&found);
        found.retain(|hit| wanted.is_none_or(|kind| hit.text.kind == kind));
        let total_count = found.len() as i64;
        let page: Vec<Hit> = found
            .into_iter()
            .skip(offset as usize)
            .take(limit as usize)
            .collect();
        Ok(ContentSearchReply {
            total_count,
            results: self.hits(page, &looked_for).await?,
            counts,
            partial: partial && total_count > 0,
        })
    }

    async fn candidates(&self, condition: Condition) -> Result<Vec<Candidate>, DbErr> {
        Entity::find()
            .select_only()
            .columns([
                Column::Id,
                Column::Kind,
                Column::Title,
                Column::Summary,
                Column::Search,
                Column::PublishedAt,
            ])
            .filter(shown(self.now()))
            .filter(condition)
            .order_by_desc(Column::PublishedAt)
            .order_by_desc(Column::Id)
            .limit(MOST)
            .into_model::<Candidate>()
            .all(&self.context.db)
            .await
    }

    /// Texts with all words.
    async fn with_all(&self, words: &[String]) -> Result<Vec<Hit>, DbErr> {
        let mut condition = Condition::all();
        for word in words {
            condition = condition.add(Column::Search.contains(word));
        }
        let found = self.candidates(condition).await?;
        let weighed = found.into_iter().map(|text| Hit {
            weight: words.iter().map(|word| weight(&text, word)).sum(),
            text,
        });
        Ok(weighed.collect())
    }

    /// Texts with at least half of the pairs.
    async fn with_some(&self, pairs: &[String]) -> Result<Vec<Hit>, DbErr> {
        let mut condition = Condition::any();
        for pair in pairs {
            condition = condition.add(Column::Search.contains(pair));
        }
        let found = self.candidates(condition).await?;
        let weighed = found.into_iter().map(|text| {
            let held = pairs
                .iter()
                .filter(|pair| text.search.contains(pair.as_str()));
            let count = held.clone().count();
            let weight = match count * 2 >= pairs.len() {
                true => count * 100 + held.map(|pair| weight(&text, pair)).sum::<usize>(),
                false => 0,
            };
            Hit { weight, text }
        });
        Ok(weighed.filter(|hit| hit.weight > 0).collect())
    }

    async fn hits(
        &self,
        page: Vec<Hit>,
        words: &[String],
    ) -> Result<Vec<ContentHit>, ServiceError> {
        let db = &self.context.db;
        let ids = page.iter().map(|hit| hit.text.id.as_str());
        let found: Vec<Row> = rows(Entity::find().filter(Column::Id.is_in(ids)))
            .all(db)
            .await?;
        let cards = cards(db, found).await?;
        let mut texts = BTreeMap::new();
        for hit in &page {
            texts.insert(hit.text.id.as_str(), excerpt(&hit.text, words));
        }
        let hit = |hit: &Hit| {
            let card = cards.iter().find(|card| card.id == hit.text.id)?;
            Some(ContentHit {
                card: Some(card.clone()),
                excerpt: texts.remove(hit.text.id.as_str()).unwrap_or_default(),
            })
        };
        Ok(page.iter().filter_map(hit).collect())
    }
}

fn counts(found: &[Hit]) -> Vec<ContentKindCount> {
    let count = |kind: &Kind| {
        let count = found.iter().filter(|hit| hit.text.kind == *kind).count();
        ContentKindCount {
            kind: kind.name().to_owned(),
            count: count as i64,
        }
    };
    Kind::ALL.iter().map(count).collect()
}

/// An equal title counts most, then a title with the word, then the summary, then the number of occurrences in the text.
fn weight(text: &Candidate, word: &str) -> usize {
    let title = words::normal(&text.title);
    let in_title = match title == word {
        true => 60,
        false if title.contains(word) => 30,
        false => 0,
    };
    let in_summary = if words::normal(&text.summary).contains(word) {
        8
    } else {
        0
    };
    in_title + in_summary + text.search.matches(word).count().min(6)
}

/// The summary if it contains a word, else the normalized text around the first word found.
fn excerpt(text: &Candidate, words: &[String]) -> String {
    let in_summary = words::normal(&text.summary);
    if words.iter().any(|word| in_summary.contains(word.as_str())) {
        return text.summary.clone();
    }
    let place = words
        .iter()
        .find_map(|word| text.search.find(word.as_str()));
    let Some(place) = place else {
        return text.summary.clone();
    };
    let before: Vec<char> = text.search[..place].chars().rev().take(BEFORE).collect();
    let from: String = before.into_iter().rev().collect();
    let rest = text.search[place..].chars().take(EXCERPT - BEFORE);
    from.chars().chain(rest).collect()
}
