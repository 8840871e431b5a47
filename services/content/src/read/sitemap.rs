//! All published pages: for /siteMap, for the sitemap and for the feed.

use std::collections::HashMap;

use chassis::ServiceError;
use proto::content::v1::{
    ContentPageGroup, ContentPageLink, ContentPagesReply, PublishedPage, PublishedReply,
    PublishedRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect};

use super::{Row, all_categories, kind, rows, shown};
use crate::Library;
use crate::address;
use crate::entity::article::{Column, Entity};
use crate::kind::Kind;

/// Most addresses of the sitemap.
const MOST: u64 = 50_000;
/// Most links of the page.
const MOST_LINKS: u64 = 2_000;

impl Library {
    pub(super) async fn pages(&self) -> Result<ContentPagesReply, ServiceError> {
        let db = &self.context.db;
        let query = Entity::find()
            .filter(shown(self.now()))
            .order_by_asc(Column::Position)
            .order_by_asc(Column::Id)
            .limit(MOST_LINKS);
        let found = rows(query).all(db).await?;
        let categories = all_categories(db, None).await?;
        let mut by_place: HashMap<(Kind, &str), Vec<&Row>> = HashMap::new();
        for row in &found {
            let known = categories.iter().any(|one| one.id == row.category_id);
            let place = (row.kind, if known { row.category_id.as_str() } else { "" });
            by_place.entry(place).or_default().push(row);
        }
        let mut groups = Vec::new();
        for kind in Kind::ALL {
            let own = categories.iter().filter(|one| one.kind == *kind);
            let places = own.map(|one| (one.id.as_str(), one.title.as_str()));
            for (id, title) in places.chain([("", "")]) {
                let Some(rows) = by_place.remove(&(*kind, id)) else {
                    continue;
                };
                groups.push(ContentPageGroup {
                    kind: kind.name().to_owned(),
                    title: kind.title().to_owned(),
                    category_id: id.to_owned(),
                    category_title: title.to_owned(),
                    pages: rows.into_iter().map(link).collect(),
                });
            }
        }
        Ok(ContentPagesReply { groups })
    }

    pub(crate) async fn published(
        &self,
        form: &PublishedRequest,
    ) -> Result<PublishedReply, ServiceError> {
        let mut query = Entity::find().filter(shown(self.now()));
        if !form.kind.is_empty() {
            query = query.filter(Column::Kind.eq(kind(&form.kind)?));
        }
        let limit = match form.limit {
            ..=0 => MOST,
            limit => MOST.min(limit as u64),
        };
        let query = query
            .order_by_desc(Column::PublishedAt)
            .order_by_desc(Column::Id)
            .limit(limit);
        let found = rows(query).all(&self.context.db).await?;
        let page = |row: Row| PublishedPage {
            kind: row.kind.name().to_owned(),
            path: address::of(row.kind, &row.slug, &row.id),
            title: row.title,
            summary: row.summary,
            published_at: row.published_at,
            updated_at: row.shown_changed_at,
        };
        Ok(PublishedReply {
            pages: found.into_iter().map(page).collect(),
        })
    }
}

fn link(row: &Row) -> ContentPageLink {
    ContentPageLink {
        title: row.title.clone(),
        path: address::of(row.kind, &row.slug, &row.id),
    }
}
