//! The tree of categories.

use std::collections::HashMap;

use chassis::ServiceError;
use proto::content::v1::{ContentCategoriesReply, ContentCategory};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};

use super::shown;
use crate::Library;
use crate::entity::article;
use crate::entity::category::{Column, Entity, Model};
use crate::kind::Kind;

/// Most categories read at once.
const MOST: u64 = 500;

impl Library {
    /// Of a kind, or of all: parents first, each level in its order.
    pub(crate) async fn categories(
        &self,
        kind: Option<Kind>,
    ) -> Result<ContentCategoriesReply, ServiceError> {
        let db = &self.context.db;
        let counted: Vec<(String, i64)> = article::Entity::find()
            .select_only()
            .column(article::Column::CategoryId)
            .column_as(article::Column::Id.count(), "count")
            .filter(shown(self.now()))
            .group_by(article::Column::CategoryId)
            .into_tuple()
            .all(db)
            .await?;
        let counted: HashMap<String, i64> = counted.into_iter().collect();
        let rows = all(db, kind).await?;
        let view = |row: Model| {
            let articles = counted.get(&row.id).copied().unwrap_or_default();
            view(row, articles)
        };
        Ok(ContentCategoriesReply {
            categories: rows.into_iter().map(view).collect(),
        })
    }
}

pub(crate) fn view(row: Model, articles: i64) -> ContentCategory {
    ContentCategory {
        id: row.id,
        kind: row.kind.name().to_owned(),
        slug: row.slug,
        parent_id: row.parent_id,
        title: row.title,
        summary: row.summary,
        order: row.position,
        articles,
    }
}

pub(crate) async fn all(
    db: &impl ConnectionTrait,
    kind: Option<Kind>,
) -> Result<Vec<Model>, DbErr> {
    let mut rows = Entity::find();
    if let Some(kind) = kind {
        rows = rows.filter(Column::Kind.eq(kind));
    }
    rows.order_by_asc(Column::ParentId)
        .order_by_asc(Column::Kind)
        .order_by_asc(Column::Position)
        .order_by_asc(Column::Id)
        .limit(MOST)
        .all(db)
        .await
}

/// From the first level down to a category.
pub(crate) async fn trail(db: &impl ConnectionTrait, id: &str) -> Result<Vec<Model>, DbErr> {
    let mut trail = Vec::new();
    let mut next = id.to_owned();
    // The tree has two levels; the limit also ends a cycle.
    while !next.is_empty() && trail.len() < 4 {
        let Some(found) = Entity::find_by_id(&next).one(db).await? else {
            break;
        };
        next = found.parent_id.clone();
        trail.insert(0, found);
    }
    Ok(trail)
}

/// Ids of a category of this id or slug and of those below it; none: there is no such category.
pub(crate) async fn with_children(
    db: &impl ConnectionTrait,
    kind: Kind,
    name: &str,
) -> Result<Option<Vec<String>>, DbErr> {
    let rows = all(db, Some(kind)).await?;
    let Some(own) = rows.iter().find(|row| row.id == name || row.slug == name) else {
        return Ok(None);
    };
    let below = rows.iter().filter(|row| row.parent_id == own.id);
    let ids = std::iter::once(own).chain(below).map(|row| row.id.clone());
    Ok(Some(ids.collect()))
}
