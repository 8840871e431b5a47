//! Embedded articles: text files with front matter, parsed into blocks.

mod inline;
mod markdown;
mod taking;

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;

use crate::draft::{Cover, Draft, is_slug};
use crate::kind::{Kind, number_for};

pub(crate) use taking::take_in;

/// Files of `seed/`, by their path there.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seed.rs"));

const CATEGORIES: &str = "categories.toml";

/// An embedded article.
#[derive(Debug, Clone, PartialEq)]
pub struct Seed {
    pub kind: Kind,
    pub slug: String,
    /// Slug; empty: none.
    pub category: String,
    pub revision: i32,
    pub draft: Draft,
}

/// An embedded category.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    pub kind: String,
    pub slug: String,
    /// Slug; empty: a category of the first level.
    #[serde(default)]
    pub parent: String,
    pub order: i32,
    pub title: String,
    #[serde(default)]
    pub summary: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Categories {
    #[serde(default)]
    category: Vec<Category>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    slug: String,
    #[serde(default)]
    category: String,
    #[serde(default)]
    order: i32,
    title: String,
    summary: String,
    date: String,
    revision: i32,
    #[serde(default)]
    related: Vec<String>,
    cover: Option<Cover>,
}

/// Everything embedded in the program. Errors: a file that breaks a rule; a test reads them all.
pub fn all() -> anyhow::Result<(Vec<Category>, Vec<Seed>)> {
    let (mut categories, mut seeds) = (Vec::new(), Vec::new());
    for (path, text) in FILES {
        if *path == CATEGORIES {
            categories = categories_of(text).context(CATEGORIES)?;
        } else if path.ends_with(".md") {
            seeds.push(read(path, text).with_context(|| format!("seed/{path}"))?);
        }
    }
    Ok((categories, seeds))
}

/// The categories of a file.
pub fn categories_of(text: &str) -> anyhow::Result<Vec<Category>> {
    let all: Categories = toml::from_str(text)?;
    for one in &all.category {
        ensure!(
            Kind::of(&one.kind).is_some(),
            "there is no kind {:?}",
            one.kind
        );
        ensure!(is_slug(&one.slug), "{:?} is no slug", one.slug);
    }
    Ok(all.category)
}

/// An article from its file, `path` is `<kind>/<slug>.md`. Errors: it breaks a rule of the format; names the line if known.
pub fn read(path: &str, text: &str) -> anyhow::Result<Seed> {
    let Some((kind, slug)) = path
        .strip_suffix(".md")
        .and_then(|path| path.split_once('/'))
    else {
        bail!("an article is a file <kind>/<slug>.md");
    };
    let kind = Kind::of(kind).with_context(|| format!("there is no kind {kind:?}"))?;
    let rest = text
        .strip_prefix("+++\n")
        .context("the file begins with +++")?;
    let (front, body) = rest
        .split_once("\n+++\n")
        .context("the front matter ends with +++")?;
    let line = front.lines().count() + 3;
    let front: Front = toml::from_str(front)?;
    ensure!(
        front.slug == slug,
        "the slug {:?} is not the file's name",
        front.slug
    );
    ensure!(is_slug(slug), "{slug:?} is no slug");
    ensure!(front.revision > 0, "revisions begin at 1");
    let category_id = match front.category.as_str() {
        "" => String::new(),
        category => number_for("category", kind, category, 0),
    };
    let draft = Draft {
        title: front.title,
        summary: front.summary,
        category_id,
        order: front.order,
        date: front.date,
        cover: front.cover,
        related: front.related,
        content: markdown::read(body, line)?,
    };
    draft.check()?;
    Ok(Seed {
        kind,
        slug: slug.to_owned(),
        category: front.category,
        revision: front.revision,
        draft,
    })
}
