//! The index of one replica, in memory: says which listings are found, in which order, and what is counted. Nothing that is shown comes
//! from it.

use std::collections::HashMap;

use anyhow::Context as _;
use serde_json::{Value as Json, json};
use tantivy::aggregation::AggregationCollector;
use tantivy::aggregation::agg_req::Aggregations;
use tantivy::collector::{Collector, Count, TopDocs};
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EnableScoring, Occur, Query, RangeQuery,
    TermQuery,
};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing,
    TextOptions, Value,
};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{
    DocAddress, Index, IndexReader, IndexWriter, Order, ReloadPolicy, SegmentReader, TERMINATED,
    TantivyDocument, Term,
};

use super::facets::{self, buckets};
use super::words;

/// Results that can be reached.
pub const DEEPEST: usize = 10_000;
/// Memory of the writer, in bytes: the least that tantivy takes.
const WRITER: usize = 15_000_000;
/// Words of a keyword that are looked at.
const WORDS: usize = 16;
/// A listing that few have reviewed counts as one with so many reviews more of this mean.
const PRIOR: (f64, f64) = (5.0, 4.0);
/// On the first pages by rank at most so many are of one maker; this many results are arranged so.
const OF_ONE_MAKER: usize = 3;
const ARRANGED: usize = 240;
/// Days after which a listing is half as new.
const NEW: f64 = 45.0;

/// What the index knows of a listing.
pub struct Row {
    pub id: String,
    pub name: String,
    /// Names of labels and categories.
    pub labels: String,
    pub body: String,
    pub categories: Vec<String>,
    pub label_ids: Vec<String>,
    pub format: String,
    pub license: &'static str,
    pub origin: &'static str,
    pub seller: String,
    pub animation: bool,
    pub price: i64,
    pub triangles: i64,
    pub score: i64,
    pub sold: i64,
    pub rating_sum: i64,
    pub rating_count: i64,
    pub listed_at: i64,
    pub revision: i64,
}

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

#[derive(Clone, Copy)]
struct Fields {
    id: Field,
    name: Field,
    labels: Field,
    body: Field,
    sounds: Field,
    rating: Field,
    quality: Field,
}

pub struct Listings {
    index: Index,
    reader: IndexReader,
    writer: std::sync::Mutex<IndexWriter>,
    fields: Fields,
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let words = TextFieldIndexing::default()
        .set_tokenizer("words")
        .set_index_option(IndexRecordOption::WithFreqs);
    let words = TextOptions::default().set_indexing_options(words);
    let id = schema.add_text_field("id", STRING | STORED);
    let name = schema.add_text_field("name", words.clone());
    let labels = schema.add_text_field("labels", words.clone());
    let body = schema.add_text_field("body", words.clone());
    let sounds = schema.add_text_field("sounds", words);
    for field in [
        "category",
        "label",
        "format",
        "license",
        "origin",
        "seller",
        "animation",
    ] {
        schema.add_text_field(field, STRING.clone().set_stored().set_fast("raw"));
    }
    for field in [
        "price",
        "triangles",
        "score",
        "sold",
        "listed_at",
        "revision",
    ] {
        schema.add_i64_field(field, INDEXED | FAST);
    }
    let rating = schema.add_f64_field("rating", FAST);
    let quality = schema.add_f64_field("quality", FAST);
    let fields = Fields {
        id,
        name,
        labels,
        body,
        sounds,
        rating,
        quality,
    };
    (schema.build(), fields)
}

impl Listings {
    pub fn new() -> anyhow::Result<Self> {
        let (schema, fields) = schema();
        let index = Index::create_in_ram(schema);
        let words = TextAnalyzer::from(WhitespaceTokenizer::default());
        index.tokenizers().register("words", words);
        let writer = index.writer_with_num_threads(1, WRITER)?;
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            index,
            reader,
            writer: std::sync::Mutex::new(writer),
            fields,
        })
    }

    fn field(&self, name: &str) -> Field {
        let schema = self.index.schema();
        schema
            .get_field(name)
            .unwrap_or_else(|_| unreachable!("the schema has {name}"))
    }

    fn writer(&self) -> std::sync::MutexGuard<'_, IndexWriter> {
        self.writer
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Forgets everything, once it is committed.
    pub fn clear(&self) -> anyhow::Result<()> {
        self.writer().delete_all_documents()?;
        Ok(())
    }

    /// In place of what was known of it.
    pub fn put(&self, row: &Row) -> anyhow::Result<()> {
        let document = self.document(row);
        let writer = self.writer();
        writer.delete_term(Term::from_field_text(self.fields.id, &row.id));
        writer.add_document(document)?;
        Ok(())
    }

    pub fn remove(&self, id: &str) {
        self.writer()
            .delete_term(Term::from_field_text(self.fields.id, id));
    }

    /// Shows what was put and removed.
    pub fn commit(&self) -> anyhow::Result<()> {
        self.writer().commit()?;
        self.reader.reload()?;
        Ok(())
    }

    fn document(&self, row: &Row) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_text(self.fields.id, &row.id);
        document.add_text(self.fields.name, words::indexed(&row.name).join(" "));
        document.add_text(self.fields.labels, words::indexed(&row.labels).join(" "));
        document.add_text(self.fields.body, words::indexed(&row.body).join(" "));
        let mut sounds = words::sounds(&row.name);
        sounds.extend(words::sounds(&row.labels));
        document.add_text(self.fields.sounds, sounds.join(" "));
        let animation = if row.animation { "true" } else { "false" };
        let texts = [
            ("format", row.format.as_str()),
            ("license", row.license),
            ("origin", row.origin),
            ("seller", row.seller.as_str()),
            ("animation", animation),
        ];
        let several = |name, values: &[String]| {
            values
                .iter()
                .map(move |one| (name, one.clone()))
                .collect::<Vec<_>>()
        };
        let texts = texts.map(|(name, text)| (name, text.to_owned()));
        let texts = texts
            .into_iter()
            .chain(several("category", &row.categories));
        for (name, text) in texts.chain(several("label", &row.label_ids)) {
            document.add_text(self.field(name), text);
        }
        for (name, number) in [
            ("price", row.price),
            ("triangles", row.triangles),
            ("score", row.score),
            ("sold", row.sold),
            ("listed_at", row.listed_at),
            ("revision", row.revision),
        ] {
            document.add_i64(self.field(name), number);
        }
        document.add_f64(self.fields.rating, rating(row));
        document.add_f64(self.fields.quality, quality(row));
        document
    }

    /// How many listings there are, and the sum of their revisions: what the database is compared with.
    pub fn sums(&self) -> anyhow::Result<(i64, i64)> {
        let sum = json!({"sum": {"sum": {"field": "revision"}}});
        let collector = (Count, aggregated(sum)?);
        let (count, sums) = self.reader.searcher().search(&AllQuery, &collector)?;
        let sums = serde_json::to_value(sums)?;
        Ok((
            count as i64,
            sums["sum"]["value"].as_f64().unwrap_or(0.0) as i64,
        ))
    }

    /// Counts of each key of a field over all listings, 500 at most.
    pub fn counts(&self, field: &str) -> anyhow::Result<HashMap<String, i64>> {
        let terms = json!({"all": {"terms": {"field": field, "size": 500, "segment_size": 5000}}});
        let found = self
            .reader
            .searcher()
            .search(&AllQuery, &aggregated(terms)?)?;
        let found = serde_json::to_value(found)?;
        Ok(buckets(&found["all"]).into_iter().collect())
    }

    /// Counts of categories among what was listed since.
    pub fn new_since(&self, since: i64) -> anyhow::Result<(i64, HashMap<String, i64>)> {
        let terms =
            json!({"all": {"terms": {"field": "category", "size": 500, "segment_size": 5000}}});
        let query = self.range("listed_at", Some(since), None);
        let (count, found) = self
            .reader
            .searcher()
            .search(&*query, &(Count, aggregated(terms)?))?;
        let found = serde_json::to_value(found)?;
        Ok((count as i64, buckets(&found["all"]).into_iter().collect()))
    }

    /// What is found: all words of the keyword, else all of its characters.
    pub fn find(&self, asked: &Asked) -> anyhow::Result<Found> {
        let plain = words::plain(&asked.keyword);
        let words: Vec<String> = words::cut(&plain).into_iter().take(WORDS).collect();
        if words.is_empty() && !asked.keyword.trim().is_empty() {
            // Nothing but punctuation.
            return Ok(Found::default());
        }
        let found = self.faceted(asked, &words, true)?;
        let characters: Vec<String> = plain
            .chars()
            .filter(|c| words::is_han(*c))
            .take(WORDS)
            .map(String::from)
            .collect();
        match found.total == 0 && characters.len() > 1 {
            true => self.faceted(asked, &characters, false),
            false => Ok(found),
        }
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
            let counted = self.reader.searcher().search(&*query, &counted)?;
            let counted = serde_json::to_value(counted)?;
            let counts = facets::counted(facet, &counted[facet]);
            found.facets.insert(facet.to_owned(), counts);
        }
        Ok(found)
    }

    /// Whether anything is found by this text.
    pub fn finds(&self, text: &str) -> anyhow::Result<bool> {
        let words: Vec<String> = words::cut(&words::plain(text))
            .into_iter()
            .take(WORDS)
            .collect();
        if words.is_empty() {
            return Ok(false);
        }
        let searcher = self.reader.searcher();
        let query = self.query(&Asked::default(), &words, true);
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
        let mut all: Vec<(Occur, Box<dyn Query>)> = words
            .iter()
            .map(|word| (Occur::Must, self.word(word, widened)))
            .collect();
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

    /// A word anywhere, or one that means the same, or its pinyin.
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
        for (field, boost) in [(fields.name, 8.0), (fields.labels, 4.0), (fields.body, 1.0)] {
            add(field, word, boost);
            if widened {
                for other in words::synonyms(word) {
                    add(field, other, boost * 0.5);
                }
            }
        }
        if widened && word.is_ascii() {
            add(fields.sounds, word, 4.0);
        }
        Box::new(BooleanQuery::new(any))
    }

    fn exact(&self, field: &str, value: &str) -> Box<dyn Query> {
        let term = Term::from_field_text(self.field(field), value);
        Box::new(TermQuery::new(term, IndexRecordOption::Basic))
    }

    fn range(&self, field: &str, from: Option<i64>, to: Option<i64>) -> Box<dyn Query> {
        use std::ops::Bound::{Included, Unbounded};
        let field = self.field(field);
        let end = |end: Option<i64>| {
            end.map_or(Unbounded, |at| Included(Term::from_field_i64(field, at)))
        };
        Box::new(RangeQuery::new(end(from), end(to)))
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
        let searcher = self.reader.searcher();
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

fn without<T: Clone>(all: &[T], kept: impl Fn(&&T) -> bool) -> Vec<T> {
    all.iter().filter(kept).cloned().collect()
}

fn aggregated(request: Json) -> anyhow::Result<AggregationCollector> {
    let request: Aggregations = serde_json::from_value(request)?;
    Ok(AggregationCollector::from_aggs(request, Default::default()))
}

/// Mean of the stars, drawn towards what is usual while they are few.
fn rating(row: &Row) -> f64 {
    let (weight, usual) = PRIOR;
    (row.rating_sum as f64 + weight * usual) / (row.rating_count as f64 + weight)
}

/// What a listing weighs: the check's score, paid sales, stars. Takes for nothing do not count.
fn quality(row: &Row) -> f64 {
    let score = 0.6 + 0.4 * row.score.clamp(0, 100) as f64 / 100.0;
    let sales = 1.0 + 0.25 * (row.sold.max(0) as f64).ln_1p();
    let stars = 0.5 + rating(row) / 8.0;
    score * sales * stars
}
