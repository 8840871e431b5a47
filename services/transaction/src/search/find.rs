//! Questions to the index, and their answers: what is found, in which order, and what is counted.

use std::collections::HashMap;

use anyhow::Context as _;
use serde_json::{Value as Json, json};
use tantivy::collector::{Collector, Count, TopDocs};
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EnableScoring, Occur, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption, Value};
use tantivy::{DocAddress, Order, SegmentReader, TERMINATED, TantivyDocument, Term};

use super::facets;
use super::index::{Listings, aggregated};
use super::words;

/// Results that can be reached.
pub const DEEPEST: usize = 10_000;
/// Words of a keyword that are looked at.
const WORDS: usize = 16;
/// What it counts that a listing is of a maker whom the keyword names: as much as a word of its name.
const OF_NAMED: f32 = 8.0;
/// On the first pages by rank at most so many are of one maker; this many results are arranged so.
const OF_ONE_MAKER: usize = 3;
const ARRANGED: usize = 240;
/// Days after which a listing is half as new.
const NEW: f64 = 45.0;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    #[default]
    Comprehensive,
    Newest,
    Sales,
    PriceAsc,
    PriceDesc,
    Rating,
}

impl Sort {
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "" | "comprehensive" => Self::Comprehensive,
            "newest" => Self::Newest,
            "sales" => Self::Sales,
            "priceAsc" => Self::PriceAsc,
            "priceDesc" => Self::PriceDesc,
            "rating" => Self::Rating,
            _ => return None,
        })
    }
}

/// A question, checked.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub keyword: String,
    /// Whom the keyword names: what they made is found too.
    pub named: Option<Named>,
    /// Field, and any of these.
    pub any: Vec<(&'static str, Vec<String>)>,
    /// All of them.
    pub labels: Vec<String>,
    /// Field, and both ends, included.
    pub ranges: Vec<(&'static str, Option<i64>, Option<i64>)>,
    pub sort: Sort,
    pub offset: usize,
    pub limit: usize,
    pub now: i64,
}

/// Makers whom a keyword names, and the rest of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    pub sellers: Vec<String>,
    pub rest: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub id: String,
    pub seller: String,
}

#[derive(Debug, Default)]
pub struct Found {
    pub total: usize,
    pub hits: Vec<Hit>,
    /// Of each facet: keys and counts, the most frequent first, bands in their order.
    pub facets: HashMap<String, Vec<(String, i64)>>,
}

impl Found {
    pub fn ids(&self) -> Vec<String> {
        self.hits.iter().map(|hit| hit.id.clone()).collect()
    }
}

impl Listings {
    /// What is found: all words of the keyword, else all of its characters.
    pub fn find(&self, asked: &Asked) -> anyhow::Result<Found> {
        let plain = words::plain(&asked.keyword);
        let words = cut(&plain);
        if words.is_empty() && !asked.keyword.trim().is_empty() {
            // Nothing but punctuation.
            return Ok(Found::default());
        }
        let found = self.faceted(asked, &words, true)?;
        let spread = characters(&plain);
        if found.total > 0 || spread.len() < 2 {
            return Ok(found);
        }
        let mut asked = asked.clone();
        if let Some(named) = &mut asked.named {
            named.rest = characters(&words::plain(&named.rest)).join(" ");
        }
        self.faceted(&asked, &spread, false)
    }

    /// What is found. A facet of which values are chosen counts as if none were: it says what another choice would find.
    fn faceted(&self, asked: &Asked, words: &[String], widened: bool) -> anyhow::Result<Found> {
        let mut found = self.run(asked, self.query(asked, words, widened))?;
        let chosen = asked.any.iter().map(|(field, _)| *field);
        let mut chosen: Vec<&str> = chosen
            .chain(asked.ranges.iter().map(|(field, ..)| *field))
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        let mut all = facets::all();
        for facet in chosen {
            let Some(counted) = all.get_mut(facet).map(Json::take) else {
                continue;
            };
            let others = Asked {
                any: without(&asked.any, |(field, _)| *field != facet),
                ranges: without(&asked.ranges, |(field, ..)| *field != facet),
                ..asked.clone()
            };
            let query = self.query(&others, words, widened);
            let counted = aggregated(json!({ facet: counted }))?;
            let counted = self.searcher().search(&*query, &counted)?;
            let counted = serde_json::to_value(counted)?;
            let counts = facets::counted(facet, &counted[facet]);
            found.facets.insert(facet.to_owned(), counts);
        }
        Ok(found)
    }

    /// Whether anything is found by this text.
    pub fn finds(&self, text: &str) -> anyhow::Result<bool> {
        let words = cut(&words::plain(text));
        match words.is_empty() {
            true => Ok(false),
            false => self.any(&*self.query(&Asked::default(), &words, true)),
        }
    }

    /// Whether anything of this maker is listed.
    pub fn sells(&self, seller: &str) -> anyhow::Result<bool> {
        self.any(&*self.exact("seller", seller))
    }

    fn any(&self, query: &dyn Query) -> anyhow::Result<bool> {
        let searcher = self.searcher();
        let weight = query.weight(EnableScoring::disabled_from_searcher(&searcher))?;
        for segment in searcher.segment_readers() {
            let mut documents = weight.scorer(segment, 1.0)?;
            while documents.doc() != TERMINATED {
                if !segment.is_deleted(documents.doc()) {
                    return Ok(true);
                }
                documents.advance();
            }
        }
        Ok(false)
    }

    fn query(&self, asked: &Asked, words: &[String], widened: bool) -> Box<dyn Query> {
        let mut all = self.words(words, widened);
        if let Some(named) = &asked.named {
            let sellers = named.sellers.iter();
            let sellers = sellers.map(|seller| (Occur::Should, self.exact("seller", seller)));
            let sellers = BooleanQuery::new(sellers.collect());
            let mut made = self.words(&cut(&words::plain(&named.rest)), widened);
            made.push((
                Occur::Must,
                Box::new(ConstScoreQuery::new(Box::new(sellers), OF_NAMED)),
            ));
            let either: [Box<dyn Query>; 2] = [
                Box::new(BooleanQuery::new(all)),
                Box::new(BooleanQuery::new(made)),
            ];
            let either = either.map(|one| (Occur::Should, one));
            all = vec![(Occur::Must, Box::new(BooleanQuery::new(either.into())))];
        }
        if all.is_empty() {
            all.push((Occur::Must, Box::new(AllQuery)));
        }
        let unscored = |query: Box<dyn Query>| -> Box<dyn Query> {
            Box::new(ConstScoreQuery::new(query, 0.0))
        };
        for (field, values) in &asked.any {
            let any = values
                .iter()
                .map(|value| (Occur::Should, self.exact(field, value)));
            all.push((
                Occur::Must,
                unscored(Box::new(BooleanQuery::new(any.collect()))),
            ));
        }
        for label in &asked.labels {
            all.push((Occur::Must, unscored(self.exact("label", label))));
        }
        for (field, from, to) in &asked.ranges {
            all.push((Occur::Must, unscored(self.range(field, *from, *to))));
        }
        Box::new(BooleanQuery::new(all))
    }

    fn words(&self, words: &[String], widened: bool) -> Vec<(Occur, Box<dyn Query>)> {
        let words = words.iter();
        words
            .map(|word| (Occur::Must, self.word(word, widened)))
            .collect()
    }

    /// A word anywhere, or one that means the same, or its pinyin. Not widened: the word itself in name, labels or category.
    fn word(&self, word: &str, widened: bool) -> Box<dyn Query> {
        let fields = self.fields;
        let mut any: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        let mut add = |field: Field, text: &str, boost: f32| {
            let term = TermQuery::new(
                Term::from_field_text(field, text),
                IndexRecordOption::WithFreqs,
            );
            any.push((
                Occur::Should,
                Box::new(BoostQuery::new(Box::new(term), boost)),
            ));
        };
        add(fields.name, word, 8.0);
        add(fields.labels, word, 4.0);
        if !widened {
            return Box::new(BooleanQuery::new(any));
        }
        add(fields.body, word, 1.0);
        // Another language's word may be that of a category; a synonym of a category's name means other things as well.
        let latin = word.is_ascii();
        for other in words::synonyms(word) {
            add(fields.name, other, 4.0);
            if latin {
                add(fields.labels, other, 2.0);
            }
        }
        if latin {
            add(fields.sounds, word, 4.0);
            for spoken in words::spoken(word) {
                for other in words::synonyms(spoken) {
                    add(fields.name, other, 2.0);
                }
            }
        }
        Box::new(BooleanQuery::new(any))
    }

    /// By rank, and so that one maker does not fill a page.
    fn ranked(&self, asked: &Asked, query: Box<dyn Query>) -> anyhow::Result<Found> {
        let now = asked.now as f64;
        let arranged =
            asked.offset < ARRANGED && asked.any.iter().all(|(field, _)| *field != "seller");
        let (offset, limit) = match arranged {
            true => (0, ARRANGED.max(asked.offset + asked.limit)),
            false => (asked.offset, asked.limit.max(1)),
        };
        let ranked = TopDocs::with_limit(limit).and_offset(offset).tweak_score(
            move |segment: &SegmentReader| {
                let fast = segment.fast_fields();
                let quality = fast
                    .f64("quality")
                    .ok()
                    .map(|c| c.first_or_default_col(1.0));
                let listed = fast
                    .i64("listed_at")
                    .ok()
                    .map(|c| c.first_or_default_col(0));
                move |doc: tantivy::DocId, words: tantivy::Score| {
                    let quality = quality.as_ref().map_or(1.0, |column| column.get_val(doc));
                    let listed = listed.as_ref().map_or(0, |column| column.get_val(doc));
                    let days = (now - listed as f64).max(0.0) / 86_400_000.0;
                    (f64::from(words) + 1.0) * quality * (1.0 + 0.5 * (-days / NEW).exp2())
                }
            },
        );
        let mut found = self.collect(query, ranked)?;
        if arranged {
            let rest = found.hits.split_off(found.hits.len().min(ARRANGED));
            let mut hits = several_makers(std::mem::take(&mut found.hits), asked.limit.max(1));
            hits.extend(rest);
            found.hits = hits
                .into_iter()
                .skip(asked.offset)
                .take(asked.limit)
                .collect();
        }
        Ok(found)
    }

    fn run(&self, asked: &Asked, query: Box<dyn Query>) -> anyhow::Result<Found> {
        let limit = asked.limit.max(1);
        let top = TopDocs::with_limit(limit).and_offset(asked.offset);
        match asked.sort {
            Sort::Comprehensive => self.ranked(asked, query),
            Sort::Newest => self.collect(
                query,
                top.order_by_fast_field::<i64>("listed_at", Order::Desc),
            ),
            Sort::Sales => self.collect(query, top.order_by_fast_field::<i64>("sold", Order::Desc)),
            Sort::PriceAsc => {
                self.collect(query, top.order_by_fast_field::<i64>("price", Order::Asc))
            }
            Sort::PriceDesc => {
                self.collect(query, top.order_by_fast_field::<i64>("price", Order::Desc))
            }
            Sort::Rating => {
                self.collect(query, top.order_by_fast_field::<f64>("rating", Order::Desc))
            }
        }
    }

    fn collect<K>(
        &self,
        query: Box<dyn Query>,
        top: impl Collector<Fruit = Vec<(K, DocAddress)>>,
    ) -> anyhow::Result<Found>
    where
        K: Send + 'static,
    {
        let searcher = self.searcher();
        let (top, total, facets) =
            searcher.search(&*query, &(top, Count, aggregated(facets::all())?))?;
        let facets = serde_json::to_value(facets)?;
        let (id, seller) = (self.fields.id, self.field("seller"));
        let mut hits = Vec::with_capacity(top.len());
        for (_, address) in top {
            let document: TantivyDocument = searcher.doc(address)?;
            let text = |field| {
                document
                    .get_first(field)
                    .and_then(|text| text.as_str().map(str::to_owned))
            };
            let id = text(id).context("every document has an id")?;
            let seller = text(seller).unwrap_or_default();
            hits.push(Hit { id, seller });
        }
        let named = |(name, found): (&String, &Json)| (name.clone(), facets::counted(name, found));
        let facets = facets
            .as_object()
            .map(|all| all.iter().map(named).collect());
        Ok(Found {
            total,
            hits,
            facets: facets.unwrap_or_default(),
        })
    }
}

/// Arranges hits so that at most [`OF_ONE_MAKER`] of a page are of one maker, as long as there are others; else as they were.
pub fn several_makers(mut hits: Vec<Hit>, page: usize) -> Vec<Hit> {
    let mut arranged = Vec::with_capacity(hits.len());
    while !hits.is_empty() {
        let mut of: HashMap<String, usize> = HashMap::new();
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for hit in hits {
            let count = of.entry(hit.seller.clone()).or_default();
            if taken.len() < page && *count < OF_ONE_MAKER {
                *count += 1;
                taken.push(hit);
            } else {
                left.push(hit);
            }
        }
        let missing = (page - taken.len()).min(left.len());
        hits = left.split_off(missing);
        arranged.append(&mut taken);
        arranged.append(&mut left);
    }
    arranged
}

/// Words of a plain text that are looked at.
fn cut(plain: &str) -> Vec<String> {
    words::cut(plain).into_iter().take(WORDS).collect()
}

/// Chinese characters of a plain text that are looked at.
fn characters(plain: &str) -> Vec<String> {
    let characters = plain.chars().filter(|c| words::is_han(*c));
    characters.take(WORDS).map(String::from).collect()
}

fn without<T: Clone>(all: &[T], kept: impl Fn(&&T) -> bool) -> Vec<T> {
    all.iter().filter(kept).cloned().collect()
}
