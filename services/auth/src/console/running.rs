//! The state of the installation: health, dead letters, settings.

use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::dead_letters::{DeadLetter, DeadLetters, Verdict};
use chassis::{BusinessError, Operator, ServiceError};
use proto::auth::v1::*;
use proto::common::v1::Empty;
use sea_orm::EntityTrait;
use sea_orm::PaginatorTrait;
use serde_json::json;

use super::{chain, health, settings};
use crate::operator::{Operators, conflict};

/// End of the keys of the events that carry acts to the log: what is discarded here is never in it.
const AUDITED: &str = ".audit.recorded";
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

    /// Records what is about to be done to a broker, which is not part of our transaction.
    async fn intended(&self, operator: &Operator, deed: Deed<'_>) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        self.done(transaction, operator, deed).await
    }
}

/// The first dead letter that is meant.
async fn found(
    kept: &DeadLetters,
    consumer: &str,
    meant: impl Fn(&DeadLetter) -> bool,
) -> Result<Option<DeadLetter>, ServiceError> {
    let mut first = None;
    let look = |letter: &DeadLetter| {
        if first.is_none() && meant(letter) {
            first = Some(letter.clone());
        }
        Verdict::Keep
    };
    kept.go_through(consumer, MOST, look).await?;
    Ok(first)
}

impl RunningConsoleCalls<ServiceError> for Operators {
    async fn running_overview(
        &self,
        _: &Operator,
        _: Empty,
    ) -> Result<RunningOverviewReply, ServiceError> {
        let audited = chain::link::Entity::find().count(&self.context.db).await?;
        let letters = self.dead_letters()?;
        Ok(health::overview(&self.context, &letters, audited as i64).await)
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
        let meant = |letter: &DeadLetter| request.id.is_empty() || letter.id == request.id;
        if found(&kept, consumer, meant).await?.is_none() {
            return conflict("没有可以重新投递的死信");
        }
        let deed = Deed {
            target: consumer,
            after: json!({"message": request.id}),
            reason: &request.reason,
            ..Deed::default()
        };
        self.intended(operator, deed).await?;
        let mut redelivered = 0;
        let judge = |letter: &DeadLetter| {
            if !meant(letter) {
                return Verdict::Keep;
            }
            redelivered += 1;
            Verdict::Replay
        };
        kept.go_through(consumer, MOST, judge).await?;
        Ok(RunningRedeliverReply { redelivered })
    }

    async fn running_discard(
        &self,
        operator: &Operator,
        request: RunningDiscardRequest,
    ) -> Result<(), ServiceError> {
        let kept = self.dead_letters()?;
        let consumer = Self::consumer(&kept, &request.queue)?;
        let meant = |letter: &DeadLetter| letter.id == request.id;
        let Some(letter) = found(&kept, consumer, meant).await? else {
            return conflict("该死信已不在队列中");
        };
        if letter.key.ends_with(AUDITED) {
            return conflict("这是一条操作日志，不能丢弃：请在排除原因后重新投递");
        }
        let deed = Deed {
            target: consumer,
            before: json!({"message": letter.id, "key": letter.key, "aggregate": letter.aggregate}),
            reason: &request.reason,
            ..Deed::default()
        };
        self.intended(operator, deed).await?;
        let judge = |letter: &DeadLetter| match meant(letter) {
            true => Verdict::Drop,
            false => Verdict::Keep,
        };
        kept.go_through(consumer, MOST, judge).await?;
        Ok(())
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
