//! Attempts: their states, and the compare-and-set that is the only way from one to the next.

use chassis::db::states::{StateMachine, Transition};
use proto::order::v1::{BeginReply, Share};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use serde::{Deserialize, Serialize};

use crate::entity::attempt;

chassis::column_enum! {
    /// Where an attempt stands.
    pub enum State {
        /// Written down; the channel knows nothing of it.
        Created = "created",
        /// The channel was asked, or is about to be.
        Submitted = "submitted",
        /// The channel's answer was lost: it is asked until it tells.
        Unknown = "unknown",
        /// The money is here.
        Succeeded = "succeeded",
        /// Nothing was taken: refused by the channel or the balance.
        Failed = "failed",
        /// Nothing was taken: given up before.
        Closed = "closed",
        /// The channel says something that does not fit what was asked: a person has to look.
        Conflicted = "conflicted",
    }
}

impl State {
    /// Without an outcome yet.
    pub const OPEN: [Self; 3] = [Self::Created, Self::Submitted, Self::Unknown];
}

impl StateMachine for State {
    type Entity = attempt::Entity;
    const COLUMN: attempt::Column = attempt::Column::State;

    /// A closed or failed attempt stays so, even when its money comes late: that money is given back. Only a person ends a
    /// conflict, and never as failed.
    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Created => &[],
            Self::Submitted => &[Self::Created, Self::Unknown],
            Self::Unknown => &[Self::Submitted],
            Self::Succeeded | Self::Closed => &[
                Self::Created,
                Self::Submitted,
                Self::Unknown,
                Self::Conflicted,
            ],
            Self::Failed | Self::Conflicted => &Self::OPEN,
        }
    }
}

chassis::column_enum! {
    /// What becomes of the captured money.
    pub enum Disposition {
        /// In escrow: nobody has said so yet.
        Escrow = "",
        /// The order took it.
        Released = "released",
        /// It goes back to whoever paid.
        Returned = "returned",
    }
}

impl StateMachine for Disposition {
    type Entity = attempt::Entity;
    const COLUMN: attempt::Column = attempt::Column::Disposition;

    /// Only the first to say so decides.
    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Escrow => &[],
            Self::Released | Self::Returned => &[Self::Escrow],
        }
    }
}

/// A transition of one attempt.
pub(crate) fn turn(id: &str, to: State, now_ms: i64) -> Transition<State> {
    Transition::to(to)
        .set(attempt::ActiveModel {
            updated_at: Set(now_ms),
            ..Default::default()
        })
        .only(attempt::Column::Id.eq(id))
}

/// Says what becomes of the captured money; `false` when that was decided before.
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
