//! What nobody waits for any more: attempts without an outcome, refunds on their way. Everything is found by its row, so
//! a process that was killed is no special case.

use std::time::Duration;

use chassis::ServiceError;
use proto::payment::v1::Verdict;
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect, Set};

use crate::Payment;
use crate::attempt::State;
use crate::capture::Outcome;
use crate::entity::{attempt, refund, settlement};
use crate::state::Way;

/// Rows looked at in one go.
const BATCH: u64 = 100;

pub(crate) fn spawn(payment: &Payment) {
    let period = Duration::from_millis(payment.config.sweep_ms);
    let payment = payment.clone();
    let shutdown = payment.context.shutdown.clone();
    shutdown.every(period, "payment's janitor", move || {
        let payment = payment.clone();
        async move { payment.sweep().await }
    });
}

impl Payment {
    /// Looks once at everything that is due.
    async fn sweep(&self) -> Result<(), ServiceError> {
        let now = self.now();
        let attempts = attempt::Entity::find()
            .filter(attempt::Column::State.is_in(State::OPEN))
            .filter(attempt::Column::NextCheckAt.lte(now))
            .order_by_asc(attempt::Column::NextCheckAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        for attempt in attempts {
            // One that fails must not keep the others waiting.
            if let Err(error) = self.resolve(&attempt).await {
                tracing::warn!(
                    attempt = attempt.id,
                    error = format!("{error:#}"),
                    "not resolved"
                );
            }
        }
        let refunds = refund::Entity::find()
            .filter(refund::Column::State.is_in(refund::State::OPEN))
            .filter(refund::Column::NextCheckAt.lte(now))
            .order_by_asc(refund::Column::NextCheckAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        for refund in refunds {
            if let Err(error) = self.pursue(&refund).await {
                tracing::warn!(
                    refund = refund.id,
                    error = format!("{error:#}"),
                    "not refunded yet"
                );
            }
        }
        Ok(())
    }

    async fn resolve(&self, attempt: &attempt::Model) -> Result<(), ServiceError> {
        let next = self.now() + self.config.wait_ms(attempt.tries);
        attempt::Entity::update_many()
            .set(attempt::ActiveModel {
                tries: Set(attempt.tries.saturating_add(1)),
                next_check_at: Set(next),
                ..Default::default()
            })
            .filter(attempt::Column::Id.eq(&attempt.id))
            .exec(&self.context.db)
            .await?;
        if attempt.state == State::Created {
            self.end_unpaid(attempt, State::Closed, "付款未继续")
                .await?;
            return Ok(());
        }
        let Way::Provider(provider) = self.way(&attempt.channel)? else {
            return Ok(());
        };
        if self.now() > attempt.expires_at {
            self.close_out(attempt).await?;
        } else {
            self.look(provider.as_ref(), attempt).await?;
        }
        Ok(())
    }

    /// Closes an attempt, at the channel too, and finds out how it ended: close, query, and only then believe.
    async fn close_out(&self, attempt: &attempt::Model) -> Result<Outcome, ServiceError> {
        if attempt.state == State::Created
            && self
                .end_unpaid(attempt, State::Closed, "订单已关闭")
                .await?
        {
            return Ok(Outcome::Unpaid);
        }
        let known = self.attempt(&attempt.id).await?;
        match known.state {
            State::Succeeded => return Ok(Outcome::Paid),
            State::Failed | State::Closed => return Ok(Outcome::Unpaid),
            State::Submitted | State::Unknown => {}
            State::Created | State::Conflicted => return Ok(Outcome::Open),
        }
        let Way::Provider(provider) = self.way(&known.channel)? else {
            return Ok(Outcome::Open);
        };
        if let Err(error) = provider.close(&known.id).await {
            tracing::warn!(attempt = known.id, %error, "channel does not close");
        }
        self.context.fail.at("payment.channel.closed")?;
        self.look(provider.as_ref(), &known).await
    }

    /// Closes all that is under way for an order and says whether it can still become paid.
    pub(crate) async fn clear(&self, order_id: &str) -> Result<Verdict, ServiceError> {
        let open = attempt::Entity::find()
            .filter(attempt::Column::OrderId.eq(order_id))
            .filter(attempt::Column::State.is_not_in([State::Failed, State::Closed]))
            .all(&self.context.db)
            .await?;
        let mut verdict = Verdict::Clear;
        for attempt in open {
            if self.close_out(&attempt).await? == Outcome::Open {
                verdict = Verdict::Uncertain;
            }
        }
        // After the attempts: none of them can settle the order from here on.
        let settled = settlement::Entity::find_by_id(order_id)
            .one(&self.context.db)
            .await?;
        Ok(if settled.is_some() {
            Verdict::Paid
        } else {
            verdict
        })
    }
}
