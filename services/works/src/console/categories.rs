//! Categories and industries, edited by operators.

use chassis::{BusinessError, Operator, ServiceError, db};
use proto::works::v1::{
    ManagedCategory, WorkCategoryListReply, WorkCategoryListRequest, WorkCategorySaveRequest,
};
use sea_orm::PaginatorTrait;
use sea_orm::entity::prelude::*;
use serde_json::{Value, json};

use crate::Works;
use crate::category::{self, MOST};
use crate::entity::category::{Column, Entity, Kind, Model};

fn audited(row: &Model) -> Value {
    json!({"kind": row.kind, "name": row.name, "position": row.position, "offered": row.offered})
}

fn view(row: Model) -> ManagedCategory {
    ManagedCategory {
        id: row.id,
        kind: row.kind.name().to_owned(),
        name: row.name,
        position: row.position,
        offered: row.offered,
    }
}

fn kind_of(name: &str) -> Result<Kind, ServiceError> {
    let kind = Kind::of(name);
    kind.ok_or_else(|| BusinessError::invalid("请选择分类或行业").into())
}

impl Works {
    pub(super) async fn list_categories(
        &self,
        form: &WorkCategoryListRequest,
    ) -> Result<WorkCategoryListReply, ServiceError> {
        let kind = match form.kind.as_str() {
            "" => None,
            name => Some(kind_of(name)?),
        };
        let rows = category::all(&self.context.db, kind).await?;
        Ok(WorkCategoryListReply {
            categories: rows.into_iter().map(view).collect(),
        })
    }

    pub(super) async fn save_category(
        &self,
        operator: &Operator,
        form: WorkCategorySaveRequest,
    ) -> Result<ManagedCategory, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let before = match form.id.as_str() {
            "" => None,
            id => {
                let found = Entity::find_by_id(id).one(&transaction).await?;
                Some(found.ok_or_else(|| BusinessError::not_found("没有这个分类或行业"))?)
            }
        };
        let (id, kind) = match &before {
            Some(known) => (known.id.clone(), known.kind),
            None => {
                let kind = kind_of(&form.kind)?;
                let known = Entity::find().filter(Column::Kind.eq(kind));
                if known.count(&transaction).await? >= MOST {
                    return Err(BusinessError::invalid("分类太多，请先合并").into());
                }
                (chassis::ids::new_id(), kind)
            }
        };
        let saved = Model {
            id,
            kind,
            name: form.name,
            position: form.position,
            offered: form.offered,
            updated_at: self.now(),
        };
        let changed = [
            Column::Name,
            Column::Position,
            Column::Offered,
            Column::UpdatedAt,
        ];
        db::upsert(saved.clone(), changed, &transaction).await?;
        let change = (
            before.as_ref().map_or(Value::Null, audited),
            audited(&saved),
        );
        self.audit(&transaction, operator, &saved.id, change, &form.reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(view(saved))
    }
}
