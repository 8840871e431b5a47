//! What the gateway puts into the first HTML of a page: head, text, and whether the page exists.

mod head;

use std::fmt::Write as _;

use chassis::{Origin, ServiceError};
use proto::content::v1::{
    ContentInternalCalls, PageReply, PageRequest, PublishedReply, PublishedRequest,
};

use crate::Library;
use crate::address::{self, Asked};
use crate::blocks::html::{self, escaped};
use crate::draft::Draft;
use crate::entity::article::Model;
use crate::kind::Kind;
use crate::read::{Found, all_categories, in_order, rows, trail};
use sea_orm::QuerySelect;

const LONGEST_PATH: usize = 256;
const LONGEST_QUERY: usize = 512;
/// How long gateways cache a reply, in seconds.
const KEEP_S: i32 = 60;
/// Most articles in a list.
const MOST_LISTED: u64 = 200;

impl ContentInternalCalls<ServiceError> for Library {
    async fn page(&self, _: &Origin, form: PageRequest) -> Result<PageReply, ServiceError> {
        if form.path.len() > LONGEST_PATH || form.query.len() > LONGEST_QUERY {
            return Ok(PageReply::default());
        }
        let asked = address::asked(&form.path, &form.query);
        let found = match &asked {
            // An id names an article of any kind.
            Asked::Article(_, id) if id.bytes().all(|b| b.is_ascii_digit()) => {
                self.find(None, id).await?
            }
            Asked::Article(kind, name) | Asked::Fixed(kind, name) => {
                self.find(Some(*kind), name).await?
            }
            Asked::List(..) | Asked::Nothing(_) | Asked::Other => Found::None,
        };
        if let Found::Shown(row) = found {
            let own = address::of(row.kind, &row.slug, &row.id);
            return match &asked {
                Asked::Article(kind, _) if *kind != row.kind && !is_at(&own, &form.path) => {
                    Ok(PageReply {
                        location: own,
                        ..status(301)
                    })
                }
                _ => self.article_page(*row, own).await,
            };
        }
        if let Some(location) = self.redirect(&form.path, &form.query).await? {
            return Ok(PageReply {
                location,
                ..status(301)
            });
        }
        Ok(match (asked, found) {
            (Asked::Article(..), Found::Archived) => status(410),
            (Asked::Article(..) | Asked::Nothing(_), _) => status(404),
            (Asked::List(kind, category), _) => {
                let title = address::list_title(&form.path, kind);
                self.list_page(kind, title, &category).await?
            }
            _ => status(0),
        })
    }

    async fn published(
        &self,
        _: &Origin,
        form: PublishedRequest,
    ) -> Result<PublishedReply, ServiceError> {
        Library::published(self, &form).await
    }
}

impl Library {
    async fn article_page(&self, row: Model, path: String) -> Result<PageReply, ServiceError> {
        let db = &self.context.db;
        let text = self.text(db, &row.id, row.published_revision).await?;
        let draft: Draft = serde_json::from_str(&text).map_err(anyhow::Error::from)?;
        let categories = trail(db, &row.category_id).await?;
        let related = self.related(row.kind, &draft.related).await?;
        let (title, summary) = (escaped(&draft.title), escaped(&draft.summary));
        let date = escaped(&draft.date);
        let mut body = format!(
            "<main><article><h1>{title}</h1><p>{summary}</p><p><time datetime=\"{date}\">{date}</time></p>{}</article>",
            html::of(&draft.content)
        );
        links(
            related.iter().map(|card| (&card.path, &card.title, "")),
            &mut body,
        );
        body.push_str("</main>");
        Ok(PageReply {
            title: head::title(address::page_title(&path).unwrap_or(&draft.title)),
            description: draft.summary.clone(),
            og_type: "article".to_owned(),
            json_ld: head::of_article(&row, &draft, &categories, &path),
            body_html: body,
            canonical: path,
            published_at: row.published_at,
            updated_at: row.shown_changed_at,
            ..status(200)
        })
    }

    /// A list with its links, for clients without scripts.
    async fn list_page(
        &self,
        kind: Kind,
        name: &str,
        category: &str,
    ) -> Result<PageReply, ServiceError> {
        let db = &self.context.db;
        let known = all_categories(db, Some(kind)).await?;
        let own = known
            .iter()
            .find(|one| one.id == category || one.slug == category);
        if own.is_none() && !category.is_empty() {
            return Ok(status(404));
        }
        let query = in_order(self.of_kind(kind, category).await?, kind.is_dated());
        let found = rows(query.limit(MOST_LISTED)).all(db).await?;
        if found.is_empty() && own.is_none() {
            // The page itself shows that it is empty.
            return Ok(status(0));
        }
        let title = own.map_or(name, |one| one.title.as_str());
        let described = own
            .map(|one| one.summary.as_str())
            .filter(|text| !text.is_empty());
        let described = described.map_or_else(|| head::list_description(kind), str::to_owned);
        let mut body = format!(
            "<main><h1>{}</h1><p>{}</p>",
            escaped(title),
            escaped(&described)
        );
        let paths: Vec<String> = found
            .iter()
            .map(|row| address::of(row.kind, &row.slug, &row.id))
            .collect();
        let each = paths.iter().zip(&found);
        links(
            each.map(|(path, row)| (path, &row.title, row.summary.as_str())),
            &mut body,
        );
        body.push_str("</main>");
        Ok(PageReply {
            title: match own {
                Some(one) => head::title(&format!("{} - {}", one.title, kind.title())),
                None => head::title(name),
            },
            description: described,
            og_type: "website".to_owned(),
            canonical: match own {
                Some(one) => address::of_category(kind, &one.id),
                None => address::list_of(kind).to_owned(),
            },
            body_html: body,
            ..status(200)
        })
    }
}

/// Whether the page of an address is the one at a path.
fn is_at(address: &str, path: &str) -> bool {
    let page = address.split('?').next().unwrap_or_default();
    address::normal(page) == address::normal(path)
}

fn status(status: i32) -> PageReply {
    PageReply {
        status,
        keep_s: KEEP_S,
        ..Default::default()
    }
}

fn links<'a>(all: impl Iterator<Item = (&'a String, &'a String, &'a str)>, out: &mut String) {
    let mut all = all.peekable();
    if all.peek().is_none() {
        return;
    }
    out.push_str("<ul>");
    for (path, title, summary) in all {
        let (path, title, summary) = (escaped(path), escaped(title), escaped(summary));
        let _ = write!(out, "<li><a href=\"{path}\">{title}</a> {summary}</li>");
    }
    out.push_str("</ul>");
}
