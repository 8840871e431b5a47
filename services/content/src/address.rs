//! Maps addresses to articles and back.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::kind::Kind;

/// Longest id or slug in a query.
const LONGEST_NAME: usize = 64;

#[derive(Deserialize)]
struct Table {
    page: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    path: String,
    /// `kind/slug`.
    article: String,
    /// Title of the page; none: the article's.
    title: Option<String>,
}

/// The pages of one article each.
static PAGES: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table: Result<Table, _> = toml::from_str(include_str!("pages.toml"));
    // A test checks that it parses.
    table.map(|table| table.page).unwrap_or_default()
});

/// Pages of lists, and of the article that the query names.
const LISTS: [(&str, Kind); 10] = [
    ("/helpcenter", Kind::Help),
    ("/helpcenter/teach", Kind::Teach),
    ("/news", Kind::News),
    ("/news/detail", Kind::News),
    ("/case", Kind::Case),
    (PROGRAMME, Kind::Case),
    ("/case/details", Kind::Case),
    ("/latestevents", Kind::Campaign),
    ("/solution", Kind::Solution),
    ("/aleaflet", Kind::Brochure),
];
/// The cases again, by industry.
const PROGRAMME: &str = "/case/programme";

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// By id or slug.
    Article(Kind, String),
    /// The article of a page of its own; the page exists without it too.
    Fixed(Kind, String),
    /// Of a category, by id or slug; empty: all.
    List(Kind, String),
    /// The page of one article, without an id.
    Nothing(Kind),
    /// Not a page of content.
    Other,
}

/// Path of the list of a kind.
pub(crate) const fn list_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Help => "/helpCenter",
        Kind::Teach => "/helpCenter/teach",
        Kind::News => "/news",
        Kind::Case => "/case",
        Kind::Solution => "/solution",
        Kind::Campaign => "/latestevents",
        Kind::Brochure => "/aLeaflet",
        Kind::Product => "/siteMap",
    }
}

/// Path of an article.
pub(crate) fn of(kind: Kind, slug: &str, id: &str) -> String {
    let own = |row: &&Row| row.article.split_once('/') == Some((kind.name(), slug));
    if let Some(row) = PAGES.iter().find(own) {
        return row.path.clone();
    }
    let page = match kind {
        Kind::News => "/news/detail",
        Kind::Case => "/case/details",
        // A product without a page of its own.
        Kind::Product => "/latestevents",
        _ => list_of(kind),
    };
    format!("{page}?id={id}")
}

/// Title of a list's page.
pub(crate) fn list_title(path: &str, kind: Kind) -> &'static str {
    match normal(path).as_str() {
        PROGRAMME => "行业方案案例",
        _ => kind.title(),
    }
}

/// Title of a page of one article, if it has its own.
pub(crate) fn page_title(path: &str) -> Option<&'static str> {
    PAGES.iter().find(|row| row.path == path)?.title.as_deref()
}

/// Path of the list of a category.
pub(crate) fn of_category(kind: Kind, id: &str) -> String {
    format!("{}?cid={id}", list_of(kind))
}

/// Like the router, ignores case and a trailing slash.
pub(crate) fn normal(path: &str) -> String {
    let path = path.trim_end_matches('/').to_lowercase();
    if path.is_empty() {
        "/".to_owned()
    } else {
        path
    }
}

/// The key of redirects: the path and the ids in the query.
pub(crate) fn key(path: &str, query: &str) -> String {
    let path = normal(path);
    let named = ["id", "cid"].into_iter().filter_map(|name| {
        let value = value(query, name)?;
        Some(format!("{name}={}", value.to_lowercase()))
    });
    let named: Vec<String> = named.collect();
    match named.is_empty() {
        true => path,
        false => format!("{path}?{}", named.join("&")),
    }
}

/// What the page of a path and a query shows.
pub(crate) fn asked(path: &str, query: &str) -> Asked {
    let path = normal(path);
    let id = value(query, "id");
    let list = LISTS.iter().find(|(known, _)| *known == path);
    let fixed = PAGES.iter().find(|row| row.path.to_lowercase() == path);
    let fixed = fixed.and_then(|row| {
        let (kind, slug) = row.article.split_once('/')?;
        Some((Kind::of(kind)?, slug.to_owned()))
    });
    // `/solution?id=` is a solution without a page of its own.
    if let (Some((_, kind)), Some(id)) = (list, &id) {
        return Asked::Article(*kind, id.clone());
    }
    if let Some((kind, slug)) = fixed {
        return Asked::Fixed(kind, slug);
    }
    match list {
        Some((path, kind)) if path.contains("/detail") => Asked::Nothing(*kind),
        Some((_, kind)) => Asked::List(*kind, value(query, "cid").unwrap_or_default()),
        None => Asked::Other,
    }
}

/// A value of the query in the form of an id or slug; none if it is missing or empty.
fn value(query: &str, name: &str) -> Option<String> {
    let values = query.split('&').filter_map(|pair| pair.split_once('='));
    let value = values
        .filter(|(key, _)| *key == name)
        .map(|(_, value)| value)
        .next()?;
    if value.is_empty() {
        return None;
    }
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let sound = value.len() <= LONGEST_NAME && value.bytes().all(plain);
    // A malformed value matches no id or slug.
    Some(if sound {
        value.to_owned()
    } else {
        "-".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use chassis::testing::{SitePage, site_pages};

    use super::*;

    #[test]
    fn every_page_of_the_table_is_one_of_the_site() {
        let table: Table = toml::from_str(include_str!("pages.toml")).expect("the table");
        let pages = site_pages();
        for row in &table.page {
            assert!(
                pages.iter().any(|page| page.path == row.path),
                "{}",
                row.path
            );
            let (kind, slug) = row.article.split_once('/').expect("kind/slug");
            let kind = Kind::of(kind).expect("a kind");
            assert_eq!(asked(&row.path, ""), Asked::Fixed(kind, slug.to_owned()));
            assert_eq!(of(kind, slug, "1"), row.path);
        }
        for (path, _) in LISTS {
            assert!(pages.iter().any(|page| page.address() == path), "{path}");
        }
    }

    #[test]
    fn pages_are_called_by_the_server_as_by_the_script() {
        for SitePage { path, title, .. } in &site_pages() {
            match asked(path, "") {
                Asked::List(kind, _) => assert_eq!(list_title(path, kind), title, "{path}"),
                Asked::Fixed(..) => {
                    // Without a title of its own the page has the article's, in the script too.
                    let own = page_title(path);
                    assert!(own.is_none_or(|own| own == title), "{path}: {own:?}");
                }
                _ => {}
            }
        }
        // The article is only a part of these pages: the script keeps the title of the page.
        for path in ["/singleIightweight", "/formatConversion", "/latestevents"] {
            assert!(page_title(path).is_some(), "{path}");
        }
    }

    #[test]
    fn an_address_names_what_it_shows() {
        let article = |kind, id: &str| Asked::Article(kind, id.to_owned());
        for (path, query, is) in [
            ("/news/detail", "id=12", article(Kind::News, "12")),
            ("/News/Detail/", "a=b&id=x-y", article(Kind::News, "x-y")),
            ("/news", "id=12&cid=3", article(Kind::News, "12")),
            (
                "/news",
                "cid=3&parentId=2",
                Asked::List(Kind::News, "3".to_owned()),
            ),
            ("/news", "", Asked::List(Kind::News, String::new())),
            ("/news/detail", "", Asked::Nothing(Kind::News)),
            ("/news/detail", "id=%3Cb%3E", article(Kind::News, "-")),
            ("/helpCenter/teach", "id=1", article(Kind::Teach, "1")),
            ("/solution", "id=9", article(Kind::Solution, "9")),
            (
                "/solution",
                "",
                Asked::Fixed(Kind::Solution, "overview".to_owned()),
            ),
            ("/workbench", "id=1", Asked::Other),
            ("/", "", Asked::Other),
        ] {
            assert_eq!(asked(path, query), is, "{path}?{query}");
        }
        assert_eq!(of(Kind::Help, "start", "7"), "/helpCenter?id=7");
        assert_eq!(of(Kind::Case, "pump", "7"), "/case/details?id=7");
    }
}
