//! Saves a revision, and restores an older one.

use chassis::audit::Deed;
use chassis::{BusinessError, Operator, ServiceError, db};
use proto::content::v1::{ArticleRestoreRequest, ArticleSaveReply, ArticleSaveRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, IntoActiveModel, Set};
use serde_json::json;

use super::{hold, read};
use crate::Library;
use crate::draft::{Draft, is_slug};
use crate::entity::article::{ActiveModel, Column, Entity, Model, State};
use crate::entity::{category, revision};
use crate::kind::{Kind, number_for};
use crate::shown;
use crate::state::{conflict, invalid};

/// Most revisions of an article.
const MOST_REVISIONS: i64 = 1_000;
/// Most articles.
const MOST_ARTICLES: u64 = 50_000;

impl Library {
    pub(super) async fn save(
        &self,
        operator: &Operator,
        form: ArticleSaveRequest,
    ) -> Result<ArticleSaveReply, ServiceError> {
        let draft = read(form.draft.unwrap_or_default())?;
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let of = match form.id.as_str() {
            "" => create(&transaction, &form.kind, &form.slug, &draft, now).await?,
            id => {
                let held = hold(&transaction, id, now).await?;
                if held.latest_revision != form.base_revision {
                    return Err(conflict("内容已被他人更改，请刷新后重试"));
                }
                held
            }
        };
        check_category(&transaction, of.kind, &draft.category_id).await?;
        let number = self
            .append(&transaction, operator, &of, &draft, 0, now)
            .await?;
        let deed = Deed {
            target: &of.id,
            before: json!({"revision": of.latest_revision}),
            after: json!({"revision": number, "kind": of.kind, "slug": of.slug, "title": draft.title}),
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(ArticleSaveReply {
            id: of.id,
            revision: number,
        })
    }

    pub(super) async fn restore(
        &self,
        operator: &Operator,
        form: &ArticleRestoreRequest,
    ) -> Result<ArticleSaveReply, ServiceError> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let of = hold(&transaction, &form.id, now).await?;
        if of.latest_revision != form.base_revision {
            return Err(conflict("内容已被他人更改，请刷新后重试"));
        }
        if form.revision == of.latest_revision {
            return Err(conflict("这个版本就是最新的版本"));
        }
        let text = self.text(&transaction, &of.id, form.revision).await?;
        let mut draft: Draft = serde_json::from_str(&text).map_err(anyhow::Error::from)?;
        // Its category may have been deleted since.
        if check_category(&transaction, of.kind, &draft.category_id)
            .await
            .is_err()
        {
            draft.category_id = of.category_id.clone();
        }
        let number = self
            .append(&transaction, operator, &of, &draft, form.revision, now)
            .await?;
        let deed = Deed {
            target: &of.id,
            before: json!({"revision": of.latest_revision}),
            after: json!({"revision": number, "restoredFrom": form.revision}),
            reason: &form.reason,
        };
        self.audit(&transaction, operator, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(ArticleSaveReply {
            id: of.id,
            revision: number,
        })
    }

    /// Appends a revision to an article that the transaction has locked.
    async fn append(
        &self,
        transaction: &DatabaseTransaction,
        operator: &Operator,
        of: &Model,
        draft: &Draft,
        restored_from: i64,
        now: i64,
    ) -> Result<i64, ServiceError> {
        let number = of.latest_revision + 1;
        if number > MOST_REVISIONS {
            return Err(invalid("这篇内容的版本太多，请另建一篇"));
        }
        let row = revision::Model {
            article_id: of.id.clone(),
            number,
            title: draft.title.clone(),
            draft: serde_json::to_string(draft).map_err(anyhow::Error::from)?,
            saved_by: operator.name().to_owned(),
            saved_at: now,
            published_at: 0,
            restored_from,
        };
        db::insert(row, transaction).await?;
        // Until the first publication, the columns hold the latest draft.
        let texts = match of.published_revision {
            0 => shown::columns(draft),
            _ => Default::default(),
        };
        Entity::update_many()
            .set(ActiveModel {
                latest_revision: Set(number),
                edited: Set(true),
                updated_at: Set(now),
                ..texts
            })
            .filter(Column::Id.eq(&of.id))
            .exec(transaction)
            .await?;
        Ok(number)
    }
}

/// A new article, without a revision yet.
async fn create(
    transaction: &DatabaseTransaction,
    kind: &str,
    slug: &str,
    draft: &Draft,
    now: i64,
) -> Result<Model, ServiceError> {
    let kind = crate::read::kind(kind)?;
    if !is_slug(slug) {
        return Err(invalid(
            "名称只含小写字母、数字和连字符，最多 64 个，至少有一个字母",
        ));
    }
    let taken = Entity::find()
        .filter(Column::Kind.eq(kind))
        .filter(Column::Slug.eq(slug))
        .count(transaction)
        .await?;
    if taken > 0 {
        return Err(conflict("这个名称已被使用，请换一个"));
    }
    if Entity::find().count(transaction).await? >= MOST_ARTICLES {
        return Err(invalid("内容太多，请先清理"));
    }
    let row = ActiveModel {
        id: Set(free_id(transaction, kind, slug).await?),
        kind: Set(kind),
        slug: Set(slug.to_owned()),
        state: Set(State::Draft),
        version: Set(1),
        published_revision: Set(0),
        latest_revision: Set(0),
        published_at: Set(0),
        shown_changed_at: Set(now),
        seed_revision: Set(0),
        edited: Set(true),
        created_at: Set(now),
        updated_at: Set(now),
        ..shown::columns(draft)
    };
    let inserted = row.into_active_model().insert(transaction).await;
    inserted.map_err(|error| match error.sql_err() {
        // Another operator has made it concurrently.
        Some(sea_orm::SqlErr::UniqueConstraintViolation(_)) => {
            conflict("这个名称已被使用，请换一个")
        }
        _ => error.into(),
    })
}

async fn free_id(
    transaction: &DatabaseTransaction,
    kind: Kind,
    slug: &str,
) -> Result<String, ServiceError> {
    for salt in 0..8 {
        let id = number_for("article", kind, slug, salt);
        if Entity::find_by_id(&id).count(transaction).await? == 0 {
            return Ok(id);
        }
    }
    Err(anyhow::anyhow!("no id is free for {slug}").into())
}

/// Errors: there is no such category of this kind.
async fn check_category(
    transaction: &DatabaseTransaction,
    kind: Kind,
    id: &str,
) -> Result<(), ServiceError> {
    if id.is_empty() {
        return Ok(());
    }
    let found = category::Entity::find_by_id(id)
        .filter(category::Column::Kind.eq(kind))
        .one(transaction)
        .await?;
    match found {
        Some(_) => Ok(()),
        None => Err(BusinessError::invalid("没有这个分类").into()),
    }
}
