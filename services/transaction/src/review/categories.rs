//! Categories as operators keep them.

use std::collections::HashMap;

use chassis::{BusinessError, Operator, ServiceError, db};
use proto::transaction::v1::{Category, CategoryListReply, CategorySaveRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, IntoActiveModel, QuerySelect, Set};
use serde_json::{Value, json};

use crate::Mall;
use crate::category;
use crate::entity::category::{ActiveModel, Column, Entity, Model};
use crate::entity::listing::{self, State};

fn audited(row: &Model) -> Value {
    json!({"name": row.name, "parentId": row.parent_id, "position": row.position, "offered": row.offered})
}

impl Mall {
    pub(super) async fn list_categories(&self) -> Result<CategoryListReply, ServiceError> {
        let counted: Vec<(String, i64)> = listing::Entity::find_any()
            .select_only()
            .column(listing::Column::CategoryId)
            .column_as(listing::Column::Id.count(), "count")
            .filter(listing::Column::State.eq(State::Listed))
            .group_by(listing::Column::CategoryId)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let counted: HashMap<String, i64> = counted.into_iter().collect();
        let rows = category::all(&self.context.db).await?;
        let view = |row: Model| Category {
            listings: counted.get(&row.id).copied().unwrap_or(0),
            id: row.id,
            name: row.name,
            parent_id: row.parent_id,
            position: row.position,
            offered: row.offered,
        };
        Ok(CategoryListReply {
            categories: rows.into_iter().map(view).collect(),
        })
    }

    pub(super) async fn save_category(
        &self,
        operator: &Operator,
        form: CategorySaveRequest,
    ) -> Result<Category, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let before = match form.id.as_str() {
            "" => None,
            id => {
                let found = Entity::find_by_id(id).one(&transaction).await?;
                Some(found.ok_or_else(|| BusinessError::not_found("没有这个分类"))?)
            }
        };
        self.check_parent(&transaction, before.as_ref(), &form.parent_id)
            .await?;
        let mut row = match &before {
            Some(row) => row.clone().into_active_model(),
            None => ActiveModel {
                id: Set(chassis::ids::new_id()),
                ..Default::default()
            },
        };
        row.name = Set(form.name);
        row.parent_id = Set(form.parent_id);
        row.position = Set(form.position);
        row.offered = Set(form.offered);
        row.updated_at = Set(self.now());
        let saved = match before.is_some() {
            true => row.update(&transaction).await?,
            false => row.insert(&transaction).await?,
        };
        let change = (
            before.as_ref().map_or(Value::Null, audited),
            audited(&saved),
        );
        self.audit(&transaction, operator, &saved.id, change, &form.reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(Category {
            id: saved.id,
            name: saved.name,
            parent_id: saved.parent_id,
            position: saved.position,
            offered: saved.offered,
            listings: 0,
        })
    }

    /// The tree has two levels. Errors: the parent is none of the first, or what has children would get one.
    async fn check_parent(
        &self,
        transaction: &DatabaseTransaction,
        before: Option<&Model>,
        parent: &str,
    ) -> Result<(), ServiceError> {
        if before.is_none() && !self.has_room(transaction).await? {
            return Err(BusinessError::invalid("分类太多，请先合并").into());
        }
        if parent.is_empty() {
            return Ok(());
        }
        let found = Entity::find_by_id(parent).one(transaction).await?;
        let first_level = found.is_some_and(|one| one.parent_id.is_empty());
        let own = before.map(|one| one.id.as_str());
        if !first_level || own == Some(parent) {
            return Err(BusinessError::invalid("上级分类不正确").into());
        }
        if let Some(id) = own {
            let below = Entity::find()
                .filter(Column::ParentId.eq(id))
                .count(transaction)
                .await?;
            if below > 0 {
                return Err(BusinessError::invalid("有下级的分类不能移到别的分类之下").into());
            }
        }
        Ok(())
    }
}
