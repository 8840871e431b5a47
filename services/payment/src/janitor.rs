//! Sweeper: resolves abandoned attempts and pending refunds. Everything is found by its row, so
//! a process that was killed is no special case. Each channel has its own queues; one that does not answer holds up none
//! of the others, nor what needs no channel.

use std::time::Duration;

use chassis::{ServiceError, db, limit};
use proto::payment::v1::Verdict;
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect, Set, UpdateMany};

use crate::Payment;
use crate::channel::GuardedProvider;
use crate::entity::attempt::State;
use crate::entity::{attempt, refund, settlement};
use crate::provider::{Provider, ProviderError};

/// Abandoned attempts, ended in one round.
const BATCH: u64 = 100;
const QUEUE: &str = "queue of a channel";

pub(crate) fn spawn(payment: &Payment) {
    let period = Duration::from_millis(payment.config.sweep_ms);
    let shutdown = &payment.context.shutdown;
    let abandoned = payment.clone();
    shutdown.every(period, "abandoned attempts", move || {
        let payment = abandoned.clone();
        async move { payment.end_abandoned().await }
    });
    for provider in payment.providers() {
        let (here, own) = (provider.clone(), payment.clone());
        let woken = provider.attempts.woken.clone();
        shutdown.every_or_woken(period, woken, provider.name(), move || {
            let (payment, provider) = (own.clone(), here.clone());
            async move {
                let begun = payment.begin_attempts(&provider);
                payment.context.ask_database(QUEUE, begun).await?
            }
        });
        let (here, own) = (provider.clone(), payment.clone());
        let woken = provider.refunds.woken.clone();
        shutdown.every_or_woken(period, woken, provider.name(), move || {
            let (payment, provider) = (own.clone(), here.clone());
            async move {
                let begun = payment.begin_refunds(&provider);
                payment.context.ask_database(QUEUE, begun).await?
            }
        });
    }
}

impl Payment {
    /// Ends the attempts that no channel has ever heard of.
    async fn end_abandoned(&self) -> Result<bool, ServiceError> {
        let abandoned = attempt::Entity::find_any()
            .filter(attempt::Column::State.eq(State::Created))
            .filter(attempt::Column::NextCheckAt.lte(self.now()))
            .order_by_asc(attempt::Column::NextCheckAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        let found = !abandoned.is_empty();
        for attempt in abandoned {
            // One that fails must not keep the others waiting.
            if let Err(error) = self.end_unpaid(&attempt, State::Closed, "付款未继续").await {
                let error = format!("{error:#}");
                tracing::warn!(attempt = attempt.id, error, "not ended");
            }
        }
        Ok(found)
    }

    /// Begins to work on the attempts of a channel that are due, as many as there are places.
    async fn begin_attempts(&self, provider: &GuardedProvider) -> Result<bool, ServiceError> {
        let open = provider.open(&provider.attempts) as u64;
        if open == 0 {
            return Ok(true);
        }
        let now = self.now();
        let due = attempt::Entity::find_any()
            .filter(attempt::Column::Channel.eq(provider.name()))
            .filter(attempt::Column::State.is_in([State::Submitted, State::Unknown]))
            .filter(attempt::Column::NextCheckAt.lte(now))
            .order_by_asc(attempt::Column::NextCheckAt)
            .limit(open)
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        for attempt in due {
            let until = self.now() + self.config.lease_ms();
            let taken = lease_attempt(&attempt, attempt.next_check_at, until)
                .set(attempt::ActiveModel {
                    tries: Set(attempt.tries.saturating_add(1)),
                    ..Default::default()
                })
                .exec(&self.context.db)
                .await?;
            let Some(place) = provider.attempts.take() else {
                return Ok(true);
            };
            if taken.rows_affected == 0 {
                continue;
            }
            let payment = self.clone();
            self.context.shutdown.spawn(async move {
                let worked = payment.work_on_attempt(&attempt, until);
                if let Err(error) = payment.in_time(worked).await {
                    let error = format!("{error:#}");
                    tracing::warn!(attempt = attempt.id, error, "not resolved");
                }
                drop(place);
            });
        }
        Ok(found)
    }

    /// Work on one row, for as long as its lease and one wait for the database: its place in the queue is free after that, and
    /// whoever takes the row next begins with what the channel says.
    async fn in_time(
        &self,
        work: impl Future<Output = Result<(), ServiceError>>,
    ) -> Result<(), ServiceError> {
        let lease = Duration::from_millis(self.config.lease_ms().max(0).unsigned_abs());
        let limit = lease.saturating_add(self.context.database_wait());
        let worked = limit::within("work of a channel", limit, work).await;
        worked.unwrap_or(Err(ServiceError::Unavailable("database")))
    }

    async fn work_on_attempt(
        &self,
        attempt: &attempt::Model,
        until: i64,
    ) -> Result<(), ServiceError> {
        let resolved = self.resolve(attempt).await;
        let next = self.now() + self.config.wait_ms(attempt.tries);
        // Unless it was made due anew meanwhile.
        lease_attempt(attempt, until, next)
            .exec(&self.context.db)
            .await?;
        resolved
    }

    /// Begins to work on the refunds of a channel that are due, as many as there are places.
    async fn begin_refunds(&self, provider: &GuardedProvider) -> Result<bool, ServiceError> {
        let open = provider.open(&provider.refunds) as u64;
        if open == 0 {
            return Ok(true);
        }
        let due = refund::Entity::find_any()
            .filter(refund::Column::Channel.eq(provider.name()))
            .filter(refund::Column::State.is_in(refund::State::OPEN))
            .filter(refund::Column::NextCheckAt.lte(self.now()))
            .order_by_asc(refund::Column::NextCheckAt)
            .limit(open)
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        for refund in due {
            let until = self.now() + self.config.lease_ms();
            let taken = lease_refund(&refund, refund.next_check_at, until)
                .set(refund::ActiveModel {
                    tries: Set(refund.tries.saturating_add(1)),
                    ..Default::default()
                })
                .exec(&self.context.db)
                .await?;
            let Some(place) = provider.refunds.take() else {
                return Ok(true);
            };
            if taken.rows_affected == 0 {
                continue;
            }
            let payment = self.clone();
            self.context.shutdown.spawn(async move {
                let worked = payment.work_on_refund(&refund, until);
                if let Err(error) = payment.in_time(worked).await {
                    let error = format!("{error:#}");
                    tracing::warn!(refund = refund.id, error, "not refunded yet");
                }
                drop(place);
            });
        }
        Ok(found)
    }

    async fn work_on_refund(&self, refund: &refund::Model, until: i64) -> Result<(), ServiceError> {
        let pursued = self.pursue(refund).await;
        let next = self.now() + self.config.wait_ms(refund.tries);
        lease_refund(refund, until, next)
            .exec(&self.context.db)
            .await?;
        pursued
    }

    async fn resolve(&self, attempt: &attempt::Model) -> Result<(), ServiceError> {
        let Some(provider) = self.provider(&attempt.channel) else {
            return Ok(());
        };
        let over = attempt.closing || self.now() > attempt.expires_at;
        if over || self.is_settled(&attempt.order_id).await? {
            if let Err(error) = provider.close(&attempt.id).await {
                tracing::warn!(attempt = attempt.id, %error, "channel does not close");
                if matches!(error, ProviderError::Paused | ProviderError::Silent(_)) {
                    return self.does_not_tell(attempt, &error).await;
                }
            }
            self.context.fail.at("payment.channel.closed")?;
        }
        self.look(provider.as_ref(), attempt).await
    }

    async fn is_settled(&self, order_id: &str) -> Result<bool, DbErr> {
        let settled = settlement::Entity::find_by_id(order_id)
            .one(&self.context.db)
            .await?;
        Ok(settled.is_some())
    }

    /// Has the attempts of an order that are under way closed at their channels, at once: close, query, and only then
    /// believe. Does not wait for it.
    pub(crate) async fn close_attempts(&self, order_id: &str) -> Result<(), ServiceError> {
        let open = attempt::Entity::find_any()
            .filter(attempt::Column::OrderId.eq(order_id))
            .filter(attempt::Column::State.is_in([State::Submitted, State::Unknown]))
            .filter(attempt::Column::Closing.eq(false))
            .all(&self.context.db)
            .await?;
        // Row by row, each by itself: a booking holds one attempt and waits for none.
        for attempt in open {
            attempt::Entity::update_any()
                .set(attempt::ActiveModel {
                    closing: Set(true),
                    tries: Set(0),
                    next_check_at: Set(self.now()),
                    ..Default::default()
                })
                .filter(attempt::Column::Id.eq(&attempt.id))
                .filter(attempt::Column::Closing.eq(false))
                .exec(&self.context.db)
                .await?;
            if let Some(provider) = self.provider(&attempt.channel) {
                provider.attempts.woken.notify_one();
            }
        }
        Ok(())
    }

    /// As [`Payment::close_attempts`], where something else has been committed that must not fail for it.
    pub(crate) async fn close_others(&self, order_id: &str) {
        if let Err(error) = self.close_attempts(order_id).await {
            let error = format!("{error:#}");
            tracing::warn!(order = order_id, error, "other attempts are closed later");
        }
    }

    /// Closes all that is under way for an order and says whether it can still become paid. What a channel has to be asked
    /// for is left to its queue.
    pub(crate) async fn clear(&self, order_id: &str) -> Result<Verdict, ServiceError> {
        let created = attempt::Entity::find_any()
            .filter(attempt::Column::OrderId.eq(order_id))
            .filter(attempt::Column::State.eq(State::Created))
            .all(&self.context.db)
            .await?;
        for attempt in created {
            self.end_unpaid(&attempt, State::Closed, "订单已关闭")
                .await?;
        }
        self.close_attempts(order_id).await?;
        let open = State::OPEN.into_iter().chain([State::Conflicted]);
        let open = attempt::Entity::find_any()
            .filter(attempt::Column::OrderId.eq(order_id))
            .filter(attempt::Column::State.is_in(open))
            .count(&self.context.db)
            .await?;
        // After the attempts: none of them can settle the order from here on.
        Ok(match (self.is_settled(order_id).await?, open) {
            (true, _) => Verdict::Paid,
            (false, 0) => Verdict::Clear,
            (false, _) => Verdict::Uncertain,
        })
    }
}

fn lease_attempt(attempt: &attempt::Model, seen: i64, until: i64) -> UpdateMany<attempt::Entity> {
    db::lease::<attempt::Entity>(attempt::Column::NextCheckAt, seen, until)
        .filter(attempt::Column::Id.eq(&attempt.id))
}

fn lease_refund(refund: &refund::Model, seen: i64, until: i64) -> UpdateMany<refund::Entity> {
    db::lease::<refund::Entity>(refund::Column::NextCheckAt, seen, until)
        .filter(refund::Column::Id.eq(&refund.id))
}
