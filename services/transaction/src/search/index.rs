//! The index of one replica, in files that live as long as the process, mapped into memory: says which listings are found, in which order, and what is counted. Nothing that is shown comes
//! from it.

use std::collections::HashMap;

use serde_json::{Value as Json, json};
use tantivy::aggregation::AggregationCollector;
use tantivy::aggregation::agg_req::Aggregations;
use tantivy::collector::Count;
use tantivy::directory::MmapDirectory;
use tantivy::query::{AllQuery, Query, RangeQuery, TermQuery};
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{
    Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term,
};

use super::facets::buckets;
use super::words;

/// Kind of folder that the index is in.
const FOLDER: &str = "xuanlan-index-";
/// Memory of the writer, in bytes: the least that tantivy takes.
const WRITER: usize = 15_000_000;
/// A listing that few have reviewed counts as one with so many reviews more of this mean.
const PRIOR: (f64, f64) = (5.0, 4.0);
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

#[derive(Clone, Copy)]
pub(super) struct Fields {
    pub(super) id: Field,
    pub(super) name: Field,
    pub(super) labels: Field,
    pub(super) body: Field,
    pub(super) sounds: Field,
    rating: Field,
    quality: Field,
}

pub struct Listings {
    index: Index,
    reader: IndexReader,
    writer: std::sync::Mutex<IndexWriter>,
    pub(super) fields: Fields,
    _folder: scratch::Folder,
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
        "animation",
    ] {
        schema.add_text_field(field, STRING.clone().set_fast("raw"));
    }
    schema.add_text_field("seller", STRING.clone().set_stored().set_fast("raw"));
    for field in [
        "price",
        "triangles",
        "score",
        "sold",
        "listed_at",
        "revision",
    ] {
        schema.add_i64_field(field, FAST);
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
    /// An empty index with its files in a folder in `parent` (empty: the system's temporary folder). What a crash left there is
    /// removed.
    pub fn new(parent: &str) -> anyhow::Result<Self> {
        scratch::sweep(parent, FOLDER);
        let folder = scratch::Folder::new(parent, FOLDER)?;
        let (schema, fields) = schema();
        let files = MmapDirectory::open(folder.path())?;
        let index = Index::create(files, schema, IndexSettings::default())?;
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
            _folder: folder,
        })
    }

    pub(super) fn field(&self, name: &str) -> Field {
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
        sounds.extend(words::syllables(&row.name));
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

    pub(super) fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    /// How many listings there are, and the sum of their revisions: what the database is compared with.
    pub fn sums(&self) -> anyhow::Result<(i64, i64)> {
        let sum = json!({"sum": {"sum": {"field": "revision"}}});
        let collector = (Count, aggregated(sum)?);
        let (count, sums) = self.searcher().search(&AllQuery, &collector)?;
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

    pub(super) fn exact(&self, field: &str, value: &str) -> Box<dyn Query> {
        let term = Term::from_field_text(self.field(field), value);
        Box::new(TermQuery::new(term, IndexRecordOption::Basic))
    }

    pub(super) fn range(&self, field: &str, from: Option<i64>, to: Option<i64>) -> Box<dyn Query> {
        use std::ops::Bound::{Included, Unbounded};
        let field = self.field(field);
        let end = |end: Option<i64>| {
            end.map_or(Unbounded, |at| Included(Term::from_field_i64(field, at)))
        };
        Box::new(RangeQuery::new(end(from), end(to)))
    }
}

pub(super) fn aggregated(request: Json) -> anyhow::Result<AggregationCollector> {
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
