//! Facets: the values and bands that results are counted by.

use serde_json::{Value as Json, json};

/// Buckets of a facet.
const BUCKETS: u32 = 50;

/// Ends of the bands, the upper one not included.
const PRICES: &[i64] = &[0, 1, 1_000, 5_000, 10_000, 50_000];
const TRIANGLES: &[i64] = &[0, 10_000, 50_000, 100_000, 500_000, 1_000_000];
/// A score is asked for from one of these up.
const SCORES: &[i64] = &[60, 70, 80, 90];

/// A band of a facet: its key, and both ends, the upper one not included.
pub struct Band {
    pub key: String,
    pub from: i64,
    pub to: Option<i64>,
}

fn ends(facet: &str) -> Option<&'static [i64]> {
    match facet {
        "price" => Some(PRICES),
        "triangles" => Some(TRIANGLES),
        "score" => Some(SCORES),
        _ => None,
    }
}

/// The bands of a facet; none of one that has values. Those of scores have no upper end.
pub fn bands(facet: &str) -> Option<Vec<Band>> {
    let ends = ends(facet)?;
    let band = |(at, from): (usize, &i64)| {
        let to = ends.get(at + 1).copied().filter(|_| facet != "score");
        Band {
            key: to.map_or_else(|| format!("{from}-"), |to| format!("{from}-{to}")),
            from: *from,
            to,
        }
    };
    Some(ends.iter().enumerate().map(band).collect())
}

/// What is counted of everything that is found.
pub fn all() -> Json {
    let terms = |field| json!({"terms": {"field": field, "size": BUCKETS, "segment_size": 5000}});
    // Tantivy takes no ranges that overlap: each ends where the next begins.
    let ranges = |field: &str| {
        let ends = ends(field).unwrap_or_default();
        let range = |(at, band): (usize, Band)| match ends.get(at + 1) {
            Some(to) => json!({"key": band.key, "from": band.from, "to": to}),
            None => json!({"key": band.key, "from": band.from}),
        };
        let bands = bands(field).into_iter().flatten().enumerate();
        let ranges: Vec<Json> = bands.map(range).collect();
        json!({"range": {"field": field, "ranges": ranges}})
    };
    json!({
        "category": terms("category"),
        "label": terms("label"),
        "format": terms("format"),
        "price": ranges("price"),
        "license": terms("license"),
        "triangles": ranges("triangles"),
        "animation": terms("animation"),
        "score": ranges("score"),
        "origin": terms("origin"),
        "seller": terms("seller"),
    })
}

/// Keys and counts of a facet. What has a higher score counts to all below.
pub fn counted(facet: &str, found: &Json) -> Vec<(String, i64)> {
    let counted = buckets(found);
    if facet != "score" {
        return counted;
    }
    let least = |key: &str| key.trim_end_matches('-').parse::<i64>().unwrap_or(0);
    let with_above = |band: Band| {
        let above = counted.iter().filter(|(key, _)| least(key) >= band.from);
        let count = above.map(|(_, count)| count).sum();
        (count > 0).then_some((band.key, count))
    };
    let bands = bands(facet).into_iter().flatten();
    bands.filter_map(with_above).collect()
}

/// Keys and counts of an aggregation; those of nothing are left out.
pub fn buckets(found: &Json) -> Vec<(String, i64)> {
    let of = found["buckets"].as_array().map_or(&[][..], Vec::as_slice);
    let one = |bucket: &Json| {
        let count = bucket["doc_count"]
            .as_i64()
            .or(bucket["doc_count"].as_f64().map(|n| n as i64))?;
        let key = bucket["key"].as_str()?.to_owned();
        // Tantivy adds the band below the first.
        (count > 0 && !key.starts_with('*')).then_some((key, count))
    };
    of.iter().filter_map(one).collect()
}
