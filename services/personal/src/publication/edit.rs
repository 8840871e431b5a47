//! Saving, publishing, withdrawing and restoring. Each is one transaction with its audit entry.

use chassis::audit::Deed;
use chassis::db::{self, begin_write};
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Set};
use serde_json::{Value, json};

use super::{Kind, Publication, Revision, Saved, State, content};
use crate::Personal;
use crate::console::Actor;
use crate::entity::{publication, publication_revision};

fn conflict(message: &str) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

fn missing() -> BusinessError {
    BusinessError::not_found("没有这条内容")
}

fn check_dates(saved: &Saved) -> Result<(), BusinessError> {
    if saved.ends_at > 0 && saved.ends_at <= saved.starts_at {
        return Err(BusinessError::invalid("结束时间应晚于开始时间"));
    }
    Ok(())
}

/// A revision as stored in the audit log.
fn audited(revision: &Revision) -> Value {
    let content: Value = serde_json::from_str(&revision.content).unwrap_or_default();
    json!({
        "version": revision.version,
        "content": content,
        "startsAt": revision.starts_at,
        "endsAt": revision.ends_at,
        "position": revision.position,
    })
}

impl Personal {
    /// Saves a new draft, or a new revision of an existing publication; the published content stays until that one is published.
    /// `base`: the last revision the writer has seen; refused if another was saved since.
    pub async fn save_publication(
        &self,
        id: Option<&str>,
        base: Option<i64>,
        kind: Kind,
        saved: Saved,
        actor: &Actor<'_>,
    ) -> Result<Revision, ServiceError> {
        content::check(kind, &saved.content, |address| {
            self.own_public_key(address).is_some()
        })?;
        check_dates(&saved)?;
        let now = self.context.clock.now_ms();
        let transaction = begin_write(&self.context.db).await?;
        let of = match id {
            Some(id) => take(id, now, &transaction).await?,
            None => create(kind, now, &transaction).await?,
        };
        if of.kind != kind {
            return Err(BusinessError::invalid("类型不能更改").into());
        }
        if id.is_some() && base.is_some_and(|base| base != of.version) {
            return Err(conflict("内容已被他人更改，请刷新后重试"));
        }
        let before = revision_of(&of.id, of.version, &transaction).await?;
        let revision = Revision {
            version: of.version + 1,
            publication_id: of.id,
            content: saved.content,
            starts_at: saved.starts_at,
            ends_at: saved.ends_at,
            position: saved.position,
            saved_by: actor.name(),
            created_at: now,
            published_at: 0,
            restored_from: 0,
        };
        self.name_picture(&content::picture(kind, &revision.content), &transaction)
            .await?;
        let revision = append(revision, &transaction).await?;
        let deed = Deed {
            target: &revision.publication_id,
            before: before.as_ref().map_or(Value::Null, audited),
            after: audited(&revision),
            ..Deed::default()
        };
        self.record(&transaction, actor, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(revision)
    }

    /// Publishes the newest revision, shown from its start to its end.
    pub async fn publish(
        &self,
        id: &str,
        version: i64,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let now = self.context.clock.now_ms();
        let transaction = begin_write(&self.context.db).await?;
        let of = take(id, now, &transaction).await?;
        let revision = revision_of(id, version, &transaction).await?;
        let revision = revision.ok_or_else(|| BusinessError::not_found("没有这个版本"))?;
        if of.version != version {
            return Err(conflict("内容已被他人更改，请刷新后重试"));
        }
        if of.state == State::Published && of.published_version == version {
            return Err(conflict("这个版本已发布"));
        }
        let deed = Deed {
            target: id,
            before: json!({"state": of.state, "version": of.published_version}),
            after: audited(&revision),
            ..Deed::default()
        };
        show(&of, &revision, now, &transaction).await?;
        self.record(&transaction, actor, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        // [`Self::announce`] notifies open pages: a command has no connection to them.
        Ok(())
    }

    /// Publishes the content of an older revision as a new one, so that the list records what was shown when.
    pub async fn restore_publication(
        &self,
        id: &str,
        version: i64,
        reason: &str,
        actor: &Actor<'_>,
    ) -> Result<Revision, ServiceError> {
        let now = self.context.clock.now_ms();
        let transaction = begin_write(&self.context.db).await?;
        let of = take(id, now, &transaction).await?;
        let old = revision_of(id, version, &transaction).await?;
        let old = old.ok_or_else(|| BusinessError::not_found("没有这个版本"))?;
        if of.state == State::Published && of.published_version == version {
            return Err(conflict("这个版本已发布"));
        }
        let revision = Revision {
            version: of.version + 1,
            saved_by: actor.name(),
            created_at: now,
            published_at: 0,
            restored_from: version,
            ..old
        };
        let revision = append(revision, &transaction).await?;
        show(&of, &revision, now, &transaction).await?;
        let deed = Deed {
            target: id,
            before: json!({"state": of.state, "version": of.published_version}),
            after: json!({"version": revision.version, "restoredFrom": version}),
            reason,
        };
        self.record(&transaction, actor, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(revision)
    }

    /// Withdraws a published item.
    pub async fn withdraw(
        &self,
        id: &str,
        reason: &str,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let now = self.context.clock.now_ms();
        let transaction = begin_write(&self.context.db).await?;
        let of = take(id, now, &transaction).await?;
        if of.state != State::Published {
            return Err(conflict("这条内容没有发布，或已撤回"));
        }
        publication::Entity::update_many()
            .set(publication::ActiveModel {
                state: Set(State::Withdrawn),
                ..Default::default()
            })
            .filter(publication::Column::Id.eq(id))
            .exec(&transaction)
            .await?;
        let deed = Deed {
            target: id,
            before: json!({"state": of.state, "version": of.published_version}),
            after: json!({"state": State::Withdrawn}),
            reason,
        };
        self.record(&transaction, actor, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}

/// Locks a publication until the transaction ends.
async fn take(
    id: &str,
    now: i64,
    transaction: &DatabaseTransaction,
) -> Result<Publication, ServiceError> {
    let taken = publication::Entity::update_many()
        .set(publication::ActiveModel {
            updated_at: Set(now),
            ..Default::default()
        })
        .filter(publication::Column::Id.eq(id))
        .exec(transaction)
        .await?;
    if taken.rows_affected == 0 {
        return Err(missing().into());
    }
    let found = publication::Entity::find_by_id(id).one(transaction).await?;
    Ok(found.ok_or_else(missing)?)
}

async fn create(
    kind: Kind,
    now: i64,
    transaction: &DatabaseTransaction,
) -> Result<Publication, DbErr> {
    let row = publication::Model {
        id: new_id(),
        kind,
        state: State::Draft,
        content: String::new(),
        starts_at: 0,
        ends_at: 0,
        position: 0,
        version: 0,
        published_version: 0,
        announced_at: 0,
        announced_version: 0,
        created_at: now,
        updated_at: now,
    };
    db::insert(row.clone(), transaction).await?;
    Ok(row)
}

async fn revision_of(
    id: &str,
    version: i64,
    connection: &impl ConnectionTrait,
) -> Result<Option<Revision>, DbErr> {
    publication_revision::Entity::find_by_id((id.to_owned(), version))
        .one(connection)
        .await
}

/// Adds a revision to a locked publication.
async fn append(revision: Revision, transaction: &DatabaseTransaction) -> Result<Revision, DbErr> {
    publication::Entity::update_many()
        .set(publication::ActiveModel {
            version: Set(revision.version),
            ..Default::default()
        })
        .filter(publication::Column::Id.eq(&revision.publication_id))
        .exec(transaction)
        .await?;
    db::insert(revision.clone(), transaction).await?;
    Ok(revision)
}

/// Publishes a revision. Content already shown keeps its date: a correction does not make it unread again.
async fn show(
    of: &Publication,
    revision: &Revision,
    now: i64,
    transaction: &DatabaseTransaction,
) -> Result<(), ServiceError> {
    if revision.ends_at > 0 && revision.ends_at <= now {
        return Err(BusinessError::invalid("结束时间已过").into());
    }
    let ended = of.ends_at > 0 && of.ends_at <= now;
    let shown = of.state == State::Published && of.starts_at <= now && !ended;
    // A later start hides it until then.
    let stays = shown && revision.starts_at <= now;
    let starts_at = match stays {
        true => of.starts_at,
        false => Ord::max(revision.starts_at, now),
    };
    publication::Entity::update_many()
        .set(publication::ActiveModel {
            state: Set(State::Published),
            content: Set(revision.content.clone()),
            starts_at: Set(starts_at),
            ends_at: Set(revision.ends_at),
            position: Set(revision.position),
            published_version: Set(revision.version),
            announced_at: Set(if stays { of.announced_at } else { 0 }),
            ..Default::default()
        })
        .filter(publication::Column::Id.eq(&of.id))
        .exec(transaction)
        .await?;
    publication_revision::Entity::update_many()
        .set(publication_revision::ActiveModel {
            published_at: Set(now),
            ..Default::default()
        })
        .filter(publication_revision::Column::PublicationId.eq(&of.id))
        .filter(publication_revision::Column::Version.eq(revision.version))
        .filter(publication_revision::Column::PublishedAt.eq(0))
        .exec(transaction)
        .await?;
    Ok(())
}
