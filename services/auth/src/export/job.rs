//! Makes archives. A round leases a request, asks every service for its pages, and stores the ZIP; after a crash the archive is
//! made again from the beginning, under another key.

use std::time::Duration;

use chassis::db::begin_write;
use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::rights::export::page;
use chassis::{Pace, ServiceError, db, garbage};
use objectstore::{ByteRange, StoreError};
use proto::auth::v1::{AccountClosed, ExportFinished};
use proto::commands::Requester;
use proto::common::v1::{ExportObject, ExportPage, ExportPageRequest};
use proto::events::Published;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, Set};
use tempfile::NamedTempFile;

use super::archive::Archive;
use super::rows::{ActiveModel, Column, Entity, Model, State};
use super::{TYPE, prefix};
use crate::rights::Part;
use crate::service::Auth;

const PERIOD: Duration = Duration::from_secs(1);
/// Time limit of a round; a replica makes one archive at a time.
const LIMIT: Duration = Duration::from_secs(1800);
const BATCH: u64 = 20;
/// Renewed with every page; after a crash the request is free again when it expires.
const LEASE_MS: i64 = 60_000;
/// The first and the longest pause after a failed try.
const AGAIN_MS: i64 = 2_000;
const LONGEST_MS: i64 = 600_000;
/// Failures after which it is given up; an unavailable part does not count, for up to a day.
const MOST_TRIES: i32 = 8;
const MOST_MS: i64 = 24 * 3_600_000;

/// Starts the rounds.
pub(crate) fn spawn(auth: &Auth, part: Part) {
    let worker = Worker {
        auth: auth.clone(),
        part,
    };
    let shutdown = auth.context.shutdown.clone();
    let pace = Pace::each(PERIOD).within(LIMIT).woken(auth.exports.clone());
    shutdown.rounds(pace, "exports of people's data", move || {
        let worker = worker.clone();
        async move { worker.round().await }
    });
}

#[derive(Clone)]
struct Worker {
    auth: Auth,
    part: Part,
}

/// A leased request, and the end of its lease.
struct Held {
    row: Model,
    until: i64,
}

impl Worker {
    /// One step of a round, which may wait long for other services and the store but not for the database.
    async fn in_time<T>(&self, step: impl Future<Output = T>) -> Result<T, ServiceError> {
        self.auth.context.ask_database("export of data", step).await
    }

    async fn round(&self) -> Result<bool, ServiceError> {
        let expired = self.in_time(self.expire()).await??;
        let due = Entity::find()
            .filter(Column::State.eq(State::Making))
            .filter(Column::DueAt.lte(self.auth.now_ms()))
            .order_by_asc(Column::DueAt)
            .limit(BATCH)
            .all(&self.auth.context.db);
        let due = self.in_time(due).await??;
        let found = expired || !due.is_empty();
        for row in due {
            let id = row.id.clone();
            if let Err(error) = self.take(row).await {
                tracing::warn!(
                    export = id,
                    error = format!("{error:#}"),
                    "export goes on later"
                );
            }
        }
        Ok(found)
    }

    /// Removes expired archives; whether there were any.
    async fn expire(&self) -> Result<bool, ServiceError> {
        let now_ms = self.auth.now_ms();
        let over = Entity::find()
            .filter(Column::State.eq(State::Ready))
            .filter(Column::ExpiresAt.lte(now_ms))
            .limit(BATCH)
            .all(&self.auth.context.db)
            .await?;
        let found = !over.is_empty();
        for row in over {
            let transaction = begin_write(&self.auth.context.db).await?;
            let expired = Transition::to(State::Expired)
                .set(ActiveModel {
                    object_key: Set(String::new()),
                    ..Default::default()
                })
                .only(Column::LoginId.eq(&row.login_id))
                .only(Column::Id.eq(&row.id));
            if expired.apply(&transaction).await? {
                garbage::discard(&transaction, now_ms, [&row.object_key]).await?;
            }
            transaction.commit().await?;
        }
        Ok(found)
    }

    /// Of several replicas one makes the archive.
    async fn take(&self, row: Model) -> Result<(), ServiceError> {
        let seen = row.due_at;
        let mut held = Held { row, until: seen };
        if !self.renew(&mut held, LEASE_MS).await? {
            return Ok(());
        }
        let made = self.make(&mut held).await;
        let outcome = match &made {
            Ok(()) => "made",
            Err(_) => "failed",
        };
        metrics::counter!("auth_exports_total", "outcome" => outcome).increment(1);
        match made {
            Ok(()) => Ok(()),
            Err(error) => {
                let off = self.put_off(&mut held, error.is_away());
                self.in_time(off).await??;
                Err(error)
            }
        }
    }

    /// `false`: another worker has it, or the account is gone.
    async fn renew(&self, held: &mut Held, for_ms: i64) -> Result<bool, ServiceError> {
        let until = self.auth.now_ms() + for_ms;
        let renewed = db::lease::<Entity>(Column::DueAt, held.until, until)
            .filter(Column::LoginId.eq(&held.row.login_id))
            .filter(Column::Id.eq(&held.row.id))
            .filter(Column::State.eq(State::Making))
            .exec(&self.auth.context.db);
        let renewed = self.in_time(renewed).await??;
        held.until = until;
        Ok(renewed.rows_affected > 0)
    }

    async fn keep(&self, held: &mut Held) -> Result<(), ServiceError> {
        match self.renew(held, LEASE_MS).await? {
            true => Ok(()),
            false => {
                Err(anyhow::anyhow!("somebody else makes this archive, or nobody needs it").into())
            }
        }
    }

    /// Retries later, or gives up and publishes the failure.
    async fn put_off(&self, held: &mut Held, away: bool) -> Result<(), ServiceError> {
        let now_ms = self.auth.now_ms();
        let row = &held.row;
        let tries = row.tries + i32::from(!away);
        let transaction = begin_write(&self.auth.context.db).await?;
        if tries < MOST_TRIES && now_ms < row.requested_at + MOST_MS {
            let wait = (AGAIN_MS << tries.clamp(0, 10)).min(LONGEST_MS);
            db::lease::<Entity>(Column::DueAt, held.until, now_ms + wait)
                .set(ActiveModel {
                    tries: Set(tries),
                    ..Default::default()
                })
                .filter(Column::LoginId.eq(&row.login_id))
                .filter(Column::Id.eq(&row.id))
                .exec(&transaction)
                .await?;
        } else {
            let failed = Transition::to(State::Failed)
                .only(Column::LoginId.eq(&row.login_id))
                .only(Column::Id.eq(&row.id))
                .only(Column::DueAt.eq(held.until));
            if failed.apply(&transaction).await? {
                self.publish_outcome(&transaction, row, false, 0).await?;
                metrics::counter!("auth_exports_total", "outcome" => "given_up").increment(1);
            }
        }
        transaction.commit().await?;
        self.auth.outbox.wake();
        Ok(())
    }

    async fn make(&self, held: &mut Held) -> Result<(), ServiceError> {
        let login_id = held.row.login_id.clone();
        let objects = &self.auth.context.objects;
        // Leftovers of an earlier try.
        objects
            .delete_prefix(&prefix(&login_id))
            .await
            .map_err(store_away)?;
        let (file, bytes) = self.archive(held, &login_id).await?;
        self.auth.context.fail.at("auth.export.pages")?;
        let key = format!("{}{}.zip", prefix(&login_id), new_id());
        objects
            .put_file(&key, file.path(), TYPE)
            .await
            .map_err(store_away)?;
        self.auth.context.fail.at("auth.export.stored")?;
        if !self.in_time(self.finish(held, &key, bytes)).await?? {
            // Another worker was first, or the account is closed.
            objects.delete(&key).await.map_err(store_away)?;
        }
        Ok(())
    }

    /// Asks every service that holds user data: those that erase it.
    async fn archive(
        &self,
        held: &mut Held,
        login_id: &str,
    ) -> Result<(NamedTempFile, u64), ServiceError> {
        let services = proto::events::of_key(AccountClosed::KEY).map_or(&[][..], |of| of.consumers);
        let mut archive = blocking(Archive::begin).await?;
        for service in services {
            let mut cursor = String::new();
            loop {
                let page = self.ask(service, login_id, cursor).await?;
                self.keep(held).await?;
                cursor = page.next.clone();
                let objects = page.objects.clone();
                let of = *service;
                archive = blocking(move || {
                    archive.add(of, &page)?;
                    Ok(archive)
                })
                .await?;
                for object in &objects {
                    archive = self.add_object(archive, service, object).await?;
                    self.keep(held).await?;
                }
                if cursor.is_empty() {
                    break;
                }
            }
        }
        let made_at = self.auth.now_ms();
        blocking(move || archive.finish(made_at)).await
    }

    async fn ask(
        &self,
        service: &str,
        login_id: &str,
        cursor: String,
    ) -> Result<ExportPage, ServiceError> {
        let request = ExportPageRequest {
            login_id: login_id.to_owned(),
            cursor,
        };
        let context = &self.auth.context;
        match service {
            "auth" => {
                let page = page(&self.part, &context.db, &request);
                self.in_time(page).await?
            }
            other => context.bus.request(other, "ExportPage", &request).await,
        }
    }

    async fn add_object(
        &self,
        mut archive: Archive,
        service: &str,
        object: &ExportObject,
    ) -> Result<Archive, ServiceError> {
        let objects = &self.auth.context.objects;
        let Some(meta) = objects.head(&object.key).await.map_err(store_away)? else {
            return Ok(archive);
        };
        let path = format!("{service}/{}", object.path);
        if !archive.has_room(&path, meta.size) {
            return Ok(archive);
        }
        let content = match service {
            "auth" => self.part.open(&object.key).await?,
            _ => self.read(&object.key, meta.size).await?,
        };
        let Some(content) = content else {
            return Ok(archive);
        };
        blocking(move || {
            archive.add_object(&path, &content)?;
            Ok(archive)
        })
        .await
    }

    async fn read(&self, key: &str, size: u64) -> Result<Option<Vec<u8>>, ServiceError> {
        let range = ByteRange {
            start: 0,
            end: Some(size),
        };
        match self.auth.context.objects.get_range(key, range).await {
            Ok(content) => Ok(Some(content.to_vec())),
            Err(StoreError::NoSuchKey(_)) => Ok(None),
            Err(error) => Err(store_away(error)),
        }
    }

    /// `false`: the request is no longer leased to this worker.
    async fn finish(&self, held: &Held, key: &str, bytes: u64) -> Result<bool, ServiceError> {
        let now_ms = self.auth.now_ms();
        let expires_at = now_ms + self.auth.config.export.keep_ms();
        let transaction = begin_write(&self.auth.context.db).await?;
        let ready = Transition::to(State::Ready)
            .set(ActiveModel {
                object_key: Set(key.to_owned()),
                bytes: Set(bytes as i64),
                ready_at: Set(now_ms),
                expires_at: Set(expires_at),
                ..Default::default()
            })
            .only(Column::LoginId.eq(&held.row.login_id))
            .only(Column::Id.eq(&held.row.id))
            .only(Column::DueAt.eq(held.until));
        if !ready.apply(&transaction).await? {
            transaction.rollback().await?;
            return Ok(false);
        }
        self.publish_outcome(&transaction, &held.row, true, expires_at)
            .await?;
        self.auth.context.fail.at("auth.export.finished")?;
        transaction.commit().await?;
        self.auth.outbox.wake();
        Ok(true)
    }

    async fn publish_outcome(
        &self,
        transaction: &DatabaseTransaction,
        row: &Model,
        ready: bool,
        expires_at_ms: i64,
    ) -> Result<(), DbErr> {
        let now_ms = self.auth.now_ms();
        let event = ExportFinished {
            login_id: row.login_id.clone(),
            export_id: row.id.clone(),
            ready,
            expires_at_ms,
            at_ms: now_ms,
        };
        self.auth
            .outbox
            .add(transaction, &row.login_id, &event)
            .await
    }
}

fn store_away(error: StoreError) -> ServiceError {
    tracing::warn!(%error, "object store away");
    ServiceError::Unavailable("object store")
}

/// Runs file and compression work on a thread of its own.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> Result<T, ServiceError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(anyhow::Error::from)??)
}
