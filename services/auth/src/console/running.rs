//! The state of the installation, as far as every service can see it: the dead letters of all consumers, and auth's own queues.

use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::dead_letters::{DeadLetter, DeadLetters, Verdict};
use chassis::{BusinessError, Operator, ServiceError};
use proto::auth::v1::*;
use proto::common::v1::Empty;
use sea_orm::EntityTrait;
use sea_orm::PaginatorTrait;
use serde_json::json;

use super::{chain, settings};
use crate::operator::Operators;

/// Most letters shown or redelivered at once.
const MOST: u32 = 1000;

impl Operators {
    fn dead_letters(&self) -> Result<DeadLetters, ServiceError> {
        Ok(DeadLetters::open(&self.context)?)
    }

    fn consumer(letters: &DeadLetters, queue: &str) -> Result<&'static str, ServiceError> {
        let known = letters.consumer(queue);
        known.ok_or_else(|| BusinessError::not_found("没有这个队列").into())
    }
}

impl RunningConsoleCalls<ServiceError> for Operators {
    async fn running_overview(
        &self,
        _: &Operator,
        _: Empty,
    ) -> Result<RunningOverviewReply, ServiceError> {
        let counts = self.dead_letters()?.counts().await?;
        let audited = chain::link::Entity::find().count(&self.context.db).await?;
        let unsent = self.outbox.waiting().await?;
        let parts = &self.context.parts;
        let services = [
            ("auth", self.context.relay.carries()),
            ("database", chassis::db::ping(&self.context.db).await),
            ("cache", parts.cache.ping().await),
            ("bus", parts.bus.is_connected()),
            ("disk", !parts.disk.is_full()),
        ];
        Ok(RunningOverviewReply {
            services: services
                .map(|(name, ready)| RunningService {
                    name: name.to_owned(),
                    ready,
                })
                .into(),
            queues: counts
                .into_iter()
                .map(|(name, dead)| RunningQueue {
                    name: name.to_owned(),
                    dead: dead.into(),
                })
                .collect(),
            unsent: unsent as i64,
            audited: audited as i64,
        })
    }

    async fn running_dead_letters(
        &self,
        _: &Operator,
        request: RunningDeadLettersRequest,
    ) -> Result<RunningDeadLettersReply, ServiceError> {
        let kept = self.dead_letters()?;
        let consumer = Self::consumer(&kept, &request.queue)?;
        let mut letters = Vec::new();
        let look = |letter: &DeadLetter| {
            letters.push(RunningDeadLetter {
                id: letter.id.clone(),
                key: letter.key.clone(),
                error: letter.reason.clone(),
                at: letter.died_at_ms,
            });
            Verdict::Keep
        };
        kept.go_through(consumer, MOST, look).await?;
        Ok(RunningDeadLettersReply { letters })
    }

    async fn running_redeliver(
        &self,
        operator: &Operator,
        request: RunningRedeliverRequest,
    ) -> Result<RunningRedeliverReply, ServiceError> {
        let kept = self.dead_letters()?;
        let consumer = Self::consumer(&kept, &request.queue)?;
        // The broker is not part of our transaction: the intent is recorded first.
        let transaction = begin_write(&self.context.db).await?;
        let deed = Deed {
            target: consumer,
            after: json!({"message": request.id}),
            reason: &request.reason,
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        let mut redelivered = 0;
        let judge = |letter: &DeadLetter| {
            if !request.id.is_empty() && letter.id != request.id {
                return Verdict::Keep;
            }
            redelivered += 1;
            Verdict::Replay
        };
        kept.go_through(consumer, MOST, judge).await?;
        Ok(RunningRedeliverReply { redelivered })
    }

    async fn running_settings(
        &self,
        _: &Operator,
        _: Empty,
    ) -> Result<RunningSettingsReply, ServiceError> {
        let settings = settings::shown(&self.context.settings);
        Ok(RunningSettingsReply { settings })
    }
}
