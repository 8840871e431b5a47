//! Editing of categories.

use chassis::audit::Deed;
use chassis::{BusinessError, Operator, ServiceError, db};
use proto::content::v1::{ContentCategory, ContentCategorySaveRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, IntoActiveModel, Set};
use serde_json::{Value, json};

use crate::Library;
use crate::draft::{is_slug, seen};
use crate::entity::category::{ActiveModel, Column, Entity, Model};
use crate::kind::{Kind, number_for};
use crate::read::{category_view, kind};
use crate::state::{conflict, invalid};

/// Most categories.
const MOST: u64 = 500;

fn audited(row: &Model) -> Value {
    json!({"slug": row.slug, "title": row.title, "summary": row.summary, "parentId": row.parent_id, "order": row.position})
}

impl Library {
    pub(super) async fn save_category(
        &self,
        operator: &Operator,
        form: ContentCategorySaveRequest,
    ) -> Result<ContentCategory, ServiceError> {
        seen("分类名称", &form.title).map_err(|wrong| invalid(wrong.0))?;
        seen("分类说明", &form.summary).map_err(|wrong| invalid(wrong.0))?;
        if !is_slug(&form.slug) {
            return Err(invalid(
                "名称只含小写字母、数字和连字符，最多 64 个，至少有一个字母",
            ));
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let before = match form.id.as_str() {
            "" => None,
            id => {
                let found = Entity::find_by_id(id).one(&transaction).await?;
                Some(found.ok_or_else(|| BusinessError::not_found("没有这个分类"))?)
            }
        };
        let kind = match &before {
            Some(row) => row.kind,
            None => kind(&form.kind)?,
        };
        check_parent(&transaction, kind, before.as_ref(), &form.parent_id).await?;
        let mut row = match &before {
            Some(row) => row.clone().into_active_model(),
            None => ActiveModel {
                id: Set(free_id(&transaction, kind, &form.slug).await?),
                kind: Set(kind),
                ..Default::default()
            },
        };
        row.slug = Set(form.slug.clone());
        row.parent_id = Set(form.parent_id.clone());
        row.title = Set(form.title.clone());
        row.summary = Set(form.summary.clone());
        row.position = Set(form.order);
        row.edited = Set(true);
        row.updated_at = Set(self.now());
        let saved = match before.is_some() {
            true => row.update(&transaction).await,
            false => row.insert(&transaction).await,
        };
        let saved = saved.map_err(|error| match error.sql_err() {
            Some(sea_orm::SqlErr::UniqueConstraintViolation(_)) => {
                conflict("这个名称已被使用，请换一个")
            }
            _ => ServiceError::from(error),
        })?;
        let deed = Deed {
            target: &saved.id,
            before: before.as_ref().map_or(Value::Null, audited),
            after: audited(&saved),
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.tell_gateways();
        Ok(category_view(saved, 0))
    }
}

async fn free_id(
    transaction: &DatabaseTransaction,
    kind: Kind,
    slug: &str,
) -> Result<String, ServiceError> {
    if Entity::find().count(transaction).await? >= MOST {
        return Err(invalid("分类太多，请先合并"));
    }
    for salt in 0..8 {
        let id = number_for("category", kind, slug, salt);
        if Entity::find_by_id(&id).count(transaction).await? == 0 {
            return Ok(id);
        }
    }
    Err(anyhow::anyhow!("no id is free for {slug}").into())
}

/// The tree has two levels. Errors: the parent is not a first-level one of this kind, or a category with children would get one.
async fn check_parent(
    transaction: &DatabaseTransaction,
    kind: Kind,
    before: Option<&Model>,
    parent: &str,
) -> Result<(), ServiceError> {
    if parent.is_empty() {
        return Ok(());
    }
    let found = Entity::find_by_id(parent).one(transaction).await?;
    let fits = found.is_some_and(|one| one.kind == kind && one.parent_id.is_empty());
    let own = before.map(|one| one.id.as_str());
    if !fits || own == Some(parent) {
        return Err(invalid("上级分类不正确"));
    }
    if let Some(id) = own {
        let below = Entity::find().filter(Column::ParentId.eq(id));
        if below.count(transaction).await? > 0 {
            return Err(invalid("有下级的分类不能移到别的分类之下"));
        }
    }
    Ok(())
}
