//! Refunds that a channel does not make by itself: listed, and ended by an operator.

use anyhow::{Context as _, ensure};
use chassis::db;
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect, Set};

use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::attempt;
use crate::entity::refund::{self, State};
use crate::ledger::Account;
use crate::operator::Decision;

const BEING_ASKED: &str = "the channel is being asked: once more in a moment";

/// How the money of a refund came back to the payer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Back {
    /// Through the channel: its books show it.
    Channel,
    /// As cloud coins: from now on the channel is not asked for it any more.
    Coins,
}

impl Payment {
    /// Refunds in these states, those that wait longest first.
    pub async fn refunds_in(
        &self,
        states: &[State],
        limit: u64,
    ) -> Result<Vec<refund::Model>, DbErr> {
        refund::Entity::find_any()
            .filter(refund::Column::State.is_in(states.iter().copied()))
            .order_by_asc(refund::Column::CreatedAt)
            .limit(limit)
            .all(&self.context.db)
            .await
    }

    /// Ends a refund whose channel was asked and has not made it, or never concludes it. `decision` names the refund.
    /// Errors: it has not been asked for yet, is being asked for at this moment, or has ended.
    pub async fn end_refund(&self, decision: &Decision, back: Back) -> anyhow::Result<()> {
        decision.check()?;
        let transaction = db::begin_write(&self.context.db).await?;
        let found = refund::Entity::find_any_by_id(&decision.subject)
            .one(&transaction)
            .await?;
        let refund = found.with_context(|| format!("no refund {}", decision.subject))?;
        ensure!(
            matches!(refund.state, State::Submitted | State::Unknown),
            "refund {} is {}: only submitted and unknown ones are ended by hand",
            refund.id,
            refund.state
        );
        let now = self.now();
        // A worker has taken it for so long, and asks the channel; a refund that only waits for its turn has a time
        // that is past or further off.
        let asking = now + 1..=now + self.config.lease_ms();
        ensure!(
            refund.state == State::Unknown || !asking.contains(&refund.next_check_at),
            "{BEING_ASKED}"
        );
        let attempt = attempt::Entity::find_any_by_id(&refund.attempt_id)
            .one(&transaction)
            .await?
            .with_context(|| format!("no attempt {}", refund.attempt_id))?;
        let to = match back {
            Back::Channel => Account::of(Kind::Clearing, &refund.channel),
            Back::Coins => Account::of(Kind::Coin, &refund.owner),
        };
        // A round that asks the channel takes the row and turns it to submitted first, and asks nothing when it has ended.
        let named = refund::Entity::update_any()
            .set(refund::ActiveModel {
                ended_by: Set(decision.operator.trim().to_owned()),
                note: Set(decision.reason.trim().to_owned()),
                ..Default::default()
            })
            .filter(refund::Column::Id.eq(&refund.id))
            .filter(refund::Column::State.eq(refund.state))
            .filter(refund::Column::NextCheckAt.eq(refund.next_check_at))
            .exec(&transaction)
            .await?;
        ensure!(named.rows_affected == 1, "{BEING_ASKED}");
        self.refunded(&transaction, &refund, &attempt, to, now)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
