//! Models of works: process copies them from the owner's files, and is polled until it has.

use std::time::Duration;

use chassis::db::states::Transition;
use chassis::garbage::discard;
use chassis::{ServiceError, db};
use futures::{StreamExt, stream};
use proto::process::v1::{BundleReply, BundleRequest, ProcessCommands};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, Set};

use super::folder_of;
use crate::Works;
use crate::entity::bundle::{ActiveModel, Column, Entity, Model, State};
use crate::entity::work;

const PERIOD: Duration = Duration::from_secs(2);
/// Bundles per round.
const BATCH: u64 = 50;
/// Concurrent requests.
const AT_ONCE: usize = 4;
/// Polling intervals in milliseconds of a new bundle and of one that takes longer.
const SOON_MS: i64 = 2_000;
const LATER_MS: i64 = 30_000;
const NEW_MS: i64 = 60_000;
/// A missing poster is not waited for longer than this.
const WITHOUT_POSTER_MS: i64 = 10 * 60_000;

const GONE: &str = "源文件已被删除，请选择其他文件";
const UNCHECKED: &str = "模型还没有通过体检，请先完成体检";

/// The reply of process.
pub(super) enum Answer {
    Made,
    Waiting,
    Gone,
    Unchecked,
}

/// Starts the polling of process.
pub(crate) fn spawn(works: &Works) {
    let woken = works.ask.clone();
    let works = works.clone();
    let shutdown = works.context.shutdown.clone();
    shutdown.every_or_woken(PERIOD, woken, "models of works", move || {
        let works = works.clone();
        async move { works.ask_for_bundles().await }
    });
}

impl Works {
    async fn ask_for_bundles(&self) -> Result<bool, ServiceError> {
        let due = Entity::find()
            .filter(Column::AskAt.gt(0))
            .filter(Column::AskAt.lte(self.now()))
            .order_by_asc(Column::AskAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        stream::iter(due)
            .for_each_concurrent(AT_ONCE, |bundle| async move {
                if let Err(error) = self.ask_again(&bundle).await {
                    let (work, number) = (&bundle.work_id, bundle.number);
                    tracing::warn!(%error, work, number, "no model of a work yet");
                }
            })
            .await;
        Ok(found)
    }

    async fn ask_again(&self, bundle: &Model) -> Result<(), ServiceError> {
        let now = self.now();
        let pause = match now - bundle.created_at < NEW_MS {
            true => SOON_MS,
            false => LATER_MS,
        };
        let taken = db::lease::<Entity>(Column::AskAt, bundle.ask_at, now + pause)
            .filter(Column::WorkId.eq(&bundle.work_id))
            .filter(Column::Number.eq(bundle.number))
            .exec(&self.context.db)
            .await?;
        if taken.rows_affected == 0 {
            return Ok(());
        }
        let reason = match self.ask_for(bundle).await? {
            Answer::Made | Answer::Waiting => return Ok(()),
            Answer::Gone => GONE,
            Answer::Unchecked => UNCHECKED,
        };
        Transition::to(State::Failed)
            .set(ActiveModel {
                reason: Set(reason.to_owned()),
                ask_at: Set(0),
                ..Default::default()
            })
            .only(Column::WorkId.eq(&bundle.work_id))
            .only(Column::Number.eq(bundle.number))
            .apply(&self.context.db)
            .await?;
        Ok(())
    }

    /// Asks process once, and stores what it made.
    pub(super) async fn ask_for(&self, bundle: &Model) -> Result<Answer, ServiceError> {
        let found = work::Entity::find_any_by_id(&bundle.work_id)
            .one(&self.context.db)
            .await?;
        let Some(work) = found else {
            return Ok(Answer::Waiting);
        };
        let request = BundleRequest {
            work_id: bundle.work_id.clone(),
            number: bundle.number,
            file_id: bundle.file_id.clone(),
            owner: work.owner,
        };
        let reply = ProcessCommands::bundle(&self.context.bus, &request).await?;
        match reply.state.as_str() {
            "none" => return Ok(Answer::Gone),
            "unchecked" => return Ok(Answer::Unchecked),
            "ready" => {}
            _ => {
                let patient = self.now() - bundle.created_at < WITHOUT_POSTER_MS;
                if reply.model_key.is_empty() || patient {
                    return Ok(Answer::Waiting);
                }
            }
        }
        let transaction = db::begin_write(&self.context.db).await?;
        self.take_bundle(&transaction, bundle, reply).await?;
        transaction.commit().await?;
        Ok(Answer::Made)
    }

    async fn take_bundle(
        &self,
        transaction: &DatabaseTransaction,
        bundle: &Model,
        reply: BundleReply,
    ) -> Result<(), ServiceError> {
        let id = &bundle.work_id;
        let Some(work) = self.hold(transaction, id).await? else {
            // The work was deleted while process copied.
            return Ok(discard(transaction, self.now(), [&folder_of(id)]).await?);
        };
        let poster_key = reply.poster_key.clone();
        let turntable_key = reply.turntable_key.clone();
        let taken = Transition::to(State::Ready)
            .set(ActiveModel {
                model_key: Set(reply.model_key),
                proxy_key: Set(reply.proxy_key),
                poster_key: Set(reply.poster_key),
                turntable_key: Set(reply.turntable_key),
                format: Set(reply.format),
                bytes: Set(reply.bytes),
                triangles: Set(reply.triangles),
                animation: Set(reply.animation),
                ask_at: Set(0),
                ..Default::default()
            })
            .only(Column::WorkId.eq(id))
            .only(Column::Number.eq(bundle.number))
            .apply(transaction)
            .await?;
        let mut content = work.content();
        if content.bundle != bundle.number {
            // It was replaced meanwhile.
            return Ok(self.drop_bundle(transaction, id, bundle.number).await?);
        }
        if !taken {
            return Ok(());
        }
        let mut row = <work::ActiveModel as Default>::default();
        if content.name.is_empty() {
            content.name = reply.name.chars().take(super::LONGEST_NAME).collect();
            super::put(&mut row, &content)?;
        }
        if work.bundle == 0 {
            row.poster_key = Set(poster_key);
            row.turntable_key = Set(turntable_key);
        }
        row.updated_at = Set(self.now());
        work::Entity::update_any()
            .set(row)
            .filter(work::Column::Id.eq(id))
            .exec(transaction)
            .await?;
        Ok(())
    }
}
