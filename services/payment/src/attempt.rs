//! Attempts: the transitions between their states, and the events about them.

use chassis::db::states::Transition;
use chassis::{ServiceError, db};
use proto::order::v1::{BeginReply, Share};
use proto::payment::v1::{AttemptFailed, AttemptSucceeded};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use serde::{Deserialize, Serialize};

use crate::Payment;
use crate::entity::attempt::{self, Disposition, State};
use crate::entity::settlement;

/// The transition of one attempt to a state.
pub(crate) fn transition(id: &str, to: State, now_ms: i64) -> Transition<State> {
    Transition::to(to)
        .set(attempt::ActiveModel {
            updated_at: Set(now_ms),
            ..Default::default()
        })
        .only(attempt::Column::Id.eq(id))
}

/// Decides what becomes of the captured money; `false` when that was decided before.
pub(crate) async fn dispose(
    transaction: &DatabaseTransaction,
    id: &str,
    disposition: Disposition,
) -> Result<bool, DbErr> {
    Transition::to(disposition)
        .only(attempt::Column::Id.eq(id))
        .apply(transaction)
        .await
}

/// The columns that hold the order's terms.
pub(crate) fn terms(begun: &BeginReply) -> attempt::ActiveModel {
    attempt::ActiveModel {
        payable: Set(begun.payable),
        shares: Set(shares_text(&begun.shares)),
        order_no: Set(begun.order_no.clone()),
        subject: Set(begun.subject.clone()),
        function_type: Set(begun.function_module),
        transaction_type: Set(begun.order_type),
        expires_at: Set(begun.expires_at_ms),
        ..Default::default()
    }
}

/// A share as it is kept with the attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptShare {
    pub account: String,
    pub owner: String,
    pub amount: i64,
}

fn shares_text(shares: &[Share]) -> String {
    let kept: Vec<KeptShare> = shares
        .iter()
        .map(|share| KeptShare {
            account: share.account.clone(),
            owner: share.owner.clone(),
            amount: share.amount,
        })
        .collect();
    // Plain strings and numbers always become JSON.
    serde_json::to_string(&kept).unwrap_or_default()
}

pub(crate) fn shares_of(attempt: &attempt::Model) -> anyhow::Result<Vec<KeptShare>> {
    Ok(serde_json::from_str(&attempt.shares)?)
}

/// Makes this attempt the one that settles the order; `false` when another one is.
pub(crate) async fn claim(
    transaction: &DatabaseTransaction,
    order_id: &str,
    attempt_id: &str,
    now_ms: i64,
) -> Result<bool, DbErr> {
    let row = settlement::Model {
        order_id: order_id.to_owned(),
        attempt_id: attempt_id.to_owned(),
        created_at: now_ms,
    };
    db::insert_new(row, transaction).await
}

impl Payment {
    pub(crate) async fn attempt(&self, id: &str) -> Result<attempt::Model, ServiceError> {
        let found = attempt::Entity::find_any_by_id(id)
            .one(&self.context.db)
            .await?;
        found.ok_or_else(|| anyhow::anyhow!("attempt {id} is gone").into())
    }

    /// Ends an attempt of which is known that nothing was taken. `false` when it has another outcome already.
    pub(crate) async fn end_unpaid(
        &self,
        attempt: &attempt::Model,
        state: State,
        reason: &str,
    ) -> Result<bool, ServiceError> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let ended = transition(&attempt.id, state, now)
            .from_only(&State::OPEN)
            .set(attempt::ActiveModel {
                reason: Set(reason.to_owned()),
                ..Default::default()
            })
            .apply(&transaction);
        if !ended.await? {
            transaction.rollback().await?;
            return Ok(false);
        }
        self.publish_failed(&transaction, attempt, reason, state == State::Closed, now)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(true)
    }

    /// Notifies the order that its money is here.
    pub(crate) async fn publish_succeeded(
        &self,
        transaction: &DatabaseTransaction,
        attempt: &attempt::Model,
        amount: i64,
        now_ms: i64,
    ) -> Result<(), DbErr> {
        let event = AttemptSucceeded {
            attempt_id: attempt.id.clone(),
            order_id: attempt.order_id.clone(),
            owner: attempt.owner.clone(),
            channel: attempt.channel.clone(),
            amount,
            succeeded_at_ms: now_ms,
        };
        self.publish(transaction, &attempt.order_id, &event).await
    }

    /// Notifies the order that this attempt brings nothing.
    pub(crate) async fn publish_failed(
        &self,
        transaction: &DatabaseTransaction,
        attempt: &attempt::Model,
        reason: &str,
        closed: bool,
        now_ms: i64,
    ) -> Result<(), DbErr> {
        let event = AttemptFailed {
            attempt_id: attempt.id.clone(),
            order_id: attempt.order_id.clone(),
            owner: attempt.owner.clone(),
            reason: reason.to_owned(),
            failed_at_ms: now_ms,
            closed,
        };
        self.publish(transaction, &attempt.order_id, &event).await
    }
}
