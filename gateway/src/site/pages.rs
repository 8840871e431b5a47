//! The addresses of the frontend's pages, as listed by its build in `routes.json`. Without the list every address is a page.

use std::collections::HashMap;

use serde::Deserialize;

use super::folder::Folder;

const LIST: &str = "/routes.json";
/// The shell without a page's title.
pub(super) const SHELL: &str = "/index.html";

#[derive(Deserialize)]
struct List {
    /// The shell for addresses without a page.
    unlisted: String,
    pages: Vec<Row>,
}

#[derive(Debug, Clone, Deserialize)]
struct Row {
    /// In the router's syntax: `:x` is a parameter, `:x?` an optional one.
    path: String,
    /// The shell with the page's own title.
    html: String,
    /// The path for search engines; none: they do not list it.
    canonical: Option<String>,
    /// Removed for good.
    #[serde(default)]
    gone: bool,
}

/// How an address is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// URL path of the HTML.
    pub html: String,
    /// Whether the product has this address.
    pub known: bool,
    /// Whether it was removed for good.
    pub gone: bool,
    /// Whether search engines may list it.
    pub listed: bool,
    /// The path for search engines.
    pub canonical: Option<String>,
}

#[derive(Debug, Clone)]
struct Known {
    unlisted: String,
    exact: HashMap<String, Row>,
    /// Paths with parameters, by segment.
    patterns: Vec<(Vec<String>, Row)>,
}

#[derive(Debug, Clone, Default)]
pub struct Pages(Option<Known>);

impl Pages {
    /// Errors: a list that cannot be read.
    pub fn open(folder: Option<&Folder>) -> anyhow::Result<Self> {
        let Some(text) = folder.and_then(|folder| folder.read(LIST)) else {
            return Ok(Self(None));
        };
        let list = serde_json::from_slice(&text)
            .map_err(|error| anyhow::anyhow!("{LIST} of the frontend: {error}"))?;
        Ok(Self(Some(Known::new(list))))
    }

    pub fn at(&self, path: &str) -> Page {
        let Some(known) = &self.0 else {
            return Page {
                html: SHELL.to_owned(),
                known: true,
                gone: false,
                listed: true,
                canonical: None,
            };
        };
        let path = normal(path);
        let row = known.exact.get(&path).or_else(|| {
            let mut patterns = known.patterns.iter();
            patterns
                .find(|(p, _)| matches(p, &path))
                .map(|(_, row)| row)
        });
        Page {
            html: row.map_or(&known.unlisted, |row| &row.html).clone(),
            known: row.is_some(),
            gone: row.is_some_and(|row| row.gone),
            listed: row.is_some_and(|row| row.canonical.is_some()),
            canonical: row.and_then(|row| row.canonical.clone()),
        }
    }
}

impl Pages {
    /// Paths that search engines may list.
    pub fn listed(&self) -> impl Iterator<Item = &str> {
        let known = self.0.iter().flat_map(|known| known.exact.values());
        known.filter_map(|row| row.canonical.as_deref())
    }
}

impl Known {
    fn new(list: List) -> Self {
        let (patterns, exact): (Vec<_>, Vec<_>) = list
            .pages
            .into_iter()
            .partition(|row| row.path.contains(':'));
        Self {
            unlisted: list.unlisted,
            exact: exact
                .into_iter()
                .map(|row| (normal(&row.path), row))
                .collect(),
            patterns: patterns
                .into_iter()
                .map(|row| (segments(&normal(&row.path)), row))
                .collect(),
        }
    }
}

/// The router ignores case and a trailing slash.
fn normal(path: &str) -> String {
    path.trim_end_matches('/').to_lowercase()
}

fn segments(path: &str) -> Vec<String> {
    path.split('/').map(str::to_owned).collect()
}

fn matches(pattern: &[String], path: &str) -> bool {
    let path: Vec<&str> = path.split('/').collect();
    let least = pattern.iter().filter(|part| !part.ends_with('?')).count();
    (least..=pattern.len()).contains(&path.len())
        && pattern
            .iter()
            .zip(path)
            .all(|(part, given)| part.starts_with(':') || part == given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Pages {
        let list = serde_json::json!({
            "unlisted": "/pages/unlisted.html",
            "pages": [
                { "path": "/", "html": "/pages/home.html" },
                { "path": "/pricePage", "html": "/pages/pricePage.html", "canonical": "/pricePage" },
                { "path": "/case", "html": "/pages/case.html" },
                { "path": "/old", "html": "/pages/old.html", "gone": true },
                { "path": "/transaction/search/:keyWord?", "html": "/pages/transaction/search.html" },
            ],
        });
        Pages(Some(Known::new(serde_json::from_value(list).unwrap())))
    }

    #[test]
    fn an_open_page_has_its_own_html() {
        for path in ["/pricePage", "/pricepage/", "/PRICEPAGE"] {
            let page = pages().at(path);
            assert_eq!(page.html, "/pages/pricePage.html", "{path}");
            assert!(page.known && page.listed);
            assert_eq!(page.canonical.as_deref(), Some("/pricePage"));
        }
        assert_eq!(pages().listed().collect::<Vec<_>>(), ["/pricePage"]);
        assert_eq!(pages().at("/").html, "/pages/home.html");
    }

    #[test]
    fn a_page_that_is_not_listed_is_known_by_its_title() {
        for (path, html) in [
            ("/case", "/pages/case.html"),
            ("/transaction/search", "/pages/transaction/search.html"),
            ("/transaction/search/a", "/pages/transaction/search.html"),
        ] {
            let page = pages().at(path);
            assert!(page.known && !page.listed && !page.gone, "{path}");
            assert_eq!(page.html, html);
        }
        assert!(pages().at("/Old/").gone);
    }

    #[test]
    fn other_addresses_are_not_known() {
        for path in [
            "/nothing",
            "/case/x",
            "/transaction/search/a/b",
            "/transaction",
        ] {
            let page = pages().at(path);
            assert!(!page.known && !page.gone, "{path}");
            assert_eq!(page.html, "/pages/unlisted.html");
        }
    }

    #[test]
    fn without_a_list_every_address_is_a_page() {
        let page = Pages::default().at("/anything");
        assert!(page.known && page.listed);
    }
}
