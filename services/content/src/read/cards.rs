//! Articles as lists show them. Lists read no texts: the search column alone may have a hundred kilobytes.

use std::collections::HashMap;

use chassis::ServiceError;
use proto::content::v1::{ContentCard, ContentCover};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, FromQueryResult, QuerySelect, Select, SelectModel, Selector};

use crate::address;
use crate::draft::Cover;
use crate::entity::article::{Column, Entity};
use crate::entity::category;
use crate::kind::Kind;

/// The columns of a card.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct Row {
    pub id: String,
    pub kind: Kind,
    pub slug: String,
    pub category_id: String,
    pub position: i32,
    pub title: String,
    pub summary: String,
    pub date: String,
    pub cover: String,
    pub steps: i32,
    pub published_at: i64,
    pub shown_changed_at: i64,
}

/// A query that reads only the columns of [`Row`].
pub(crate) fn rows(query: Select<Entity>) -> Selector<SelectModel<Row>> {
    query
        .select_only()
        .columns([
            Column::Id,
            Column::Kind,
            Column::Slug,
            Column::CategoryId,
            Column::Position,
            Column::Title,
            Column::Summary,
            Column::Date,
            Column::Cover,
            Column::Steps,
            Column::PublishedAt,
            Column::ShownChangedAt,
        ])
        .into_model::<Row>()
}

/// Cards with the names of their categories.
pub(crate) async fn cards(
    db: &impl ConnectionTrait,
    rows: Vec<Row>,
) -> Result<Vec<ContentCard>, ServiceError> {
    let mut ids: Vec<&str> = rows.iter().map(|row| row.category_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let found = category::Entity::find()
        .filter(category::Column::Id.is_in(ids))
        .all(db)
        .await?;
    let known: HashMap<&str, &category::Model> =
        found.iter().map(|one| (one.id.as_str(), one)).collect();
    let card = |row: Row| {
        let category = known.get(row.category_id.as_str());
        ContentCard {
            path: address::of(row.kind, &row.slug, &row.id),
            category_slug: category.map(|one| one.slug.clone()).unwrap_or_default(),
            category_title: category.map(|one| one.title.clone()).unwrap_or_default(),
            cover: cover(&row.cover),
            id: row.id,
            kind: row.kind.name().to_owned(),
            slug: row.slug,
            category_id: row.category_id,
            title: row.title,
            summary: row.summary,
            date: row.date,
            published_at: row.published_at,
            updated_at: row.shown_changed_at,
            order: row.position,
            steps: row.steps,
        }
    };
    Ok(rows.into_iter().map(card).collect())
}

fn cover(json: &str) -> Option<ContentCover> {
    let cover: Cover = serde_json::from_str(json).ok()?;
    Some(view(cover))
}

pub(crate) fn view(cover: Cover) -> ContentCover {
    ContentCover {
        sample: cover.sample,
        view: cover.view,
        alt: cover.alt,
    }
}
