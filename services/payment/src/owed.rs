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

    /// Ends a refund whose channel was asked and has not made it. `decision` names the refund.
    pub async fn end_refund(&self, decision: &Decision, back: Back) -> anyhow::Result<()> {
        decision.check()?;
        let transaction = db::begin_write(&self.context.db).await?;
        let found = refund::Entity::find_any_by_id(&decision.subject)
            .one(&transaction)
            .await?;
        let refund = found.with_context(|| format!("no refund {}", decision.subject))?;
        ensure!(
            refund.state == State::Unknown,
            "refund {} is {}: only unknown ones are ended by hand",
            refund.id,
            refund.state
        );
        let attempt = attempt::Entity::find_any_by_id(&refund.attempt_id)
            .one(&transaction)
            .await?
            .with_context(|| format!("no attempt {}", refund.attempt_id))?;
        let to = match back {
            Back::Channel => Account::of(Kind::Clearing, &refund.channel),
            Back::Coins => Account::of(Kind::Coin, &refund.owner),
        };
        // A round that asks the channel turns it to submitted first, and asks nothing when it has ended.
        let named = refund::Entity::update_any()
            .set(refund::ActiveModel {
                ended_by: Set(decision.operator.trim().to_owned()),
                note: Set(decision.reason.trim().to_owned()),
                ..Default::default()
            })
            .filter(refund::Column::Id.eq(&refund.id))
            .filter(refund::Column::State.eq(State::Unknown))
            .exec(&transaction)
            .await?;
        ensure!(
            named.rows_affected == 1,
            "the channel is being asked: once more in a moment"
        );
        self.refunded(&transaction, &refund, &attempt, to, self.now())
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
