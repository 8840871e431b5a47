//! Lists of what is published of a kind.

use chassis::ServiceError;
use chassis::db::list::{counted, place_of};
use proto::content::v1::{ContentListReply, ContentListRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect, Select};

use super::{cards, categories, kind, rows, shown};
use crate::Library;
use crate::entity::article::{Column, Entity};
use crate::kind::Kind;
use crate::state::invalid;

const USUAL: i32 = 20;
const MOST: i32 = 100;

/// In the order in which the pages of a kind show them.
pub(crate) fn in_order(query: Select<Entity>, newest: bool) -> Select<Entity> {
    match newest {
        true => query
            .order_by_desc(Column::PublishedAt)
            .order_by_desc(Column::Id),
        false => query
            .order_by_asc(Column::Position)
            .order_by_asc(Column::Id),
    }
}

impl Library {
    /// What is published of a kind, of a category (by id or slug) where one is given.
    /// Errors: there is no such category.
    pub(crate) async fn of_kind(
        &self,
        kind: Kind,
        category: &str,
    ) -> Result<Select<Entity>, ServiceError> {
        let query = Entity::find()
            .filter(Column::Kind.eq(kind))
            .filter(shown(self.now()));
        if category.is_empty() {
            return Ok(query);
        }
        let found = categories::with_children(&self.context.db, kind, category).await?;
        let ids = found.ok_or_else(|| chassis::BusinessError::not_found("没有这个分类"))?;
        Ok(query.filter(Column::CategoryId.is_in(ids)))
    }

    pub(super) async fn list(
        &self,
        form: &ContentListRequest,
    ) -> Result<ContentListReply, ServiceError> {
        let kind = kind(&form.kind)?;
        let newest = match form.sort.as_str() {
            "" => kind.is_dated(),
            "newest" => true,
            "order" => false,
            _ => return Err(invalid("没有这种排序")),
        };
        let (offset, limit) = place_of(form, USUAL, MOST)?;
        let db = &self.context.db;
        let query = self.of_kind(kind, &form.category_id).await?;
        let total_count = counted(query.clone(), db).await?;
        let page = in_order(query, newest).offset(offset).limit(limit);
        let found = rows(page).all(db).await?;
        Ok(ContentListReply {
            total_count,
            results: cards(db, found).await?,
        })
    }
}
