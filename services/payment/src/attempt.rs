//! Attempts: their states, and the compare-and-set that is the only way from one to the next.

use proto::order::v1::{BeginReply, Share};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Expr;
use sea_orm::{ConnectionTrait, DatabaseTransaction, UpdateMany};
use serde::{Deserialize, Serialize};

use crate::entity::attempt;

/// Where an attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Written down; the channel knows nothing of it.
    Created,
    /// The channel was asked, or is about to be.
    Submitted,
    /// The channel's answer was lost: it is asked until it tells.
    Unknown,
    /// The money is here.
    Succeeded,
    /// Nothing was taken: refused by the channel or the balance.
    Failed,
    /// Nothing was taken: given up before.
    Closed,
    /// The channel says something that does not fit what was asked: a person has to look.
    Conflicted,
}

impl State {
    pub const ALL: [Self; 7] = [
        Self::Created,
        Self::Submitted,
        Self::Unknown,
        Self::Succeeded,
        Self::Failed,
        Self::Closed,
        Self::Conflicted,
    ];
    /// Without an outcome yet.
    pub const OPEN: [Self; 3] = [Self::Created, Self::Submitted, Self::Unknown];

    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Submitted => "submitted",
            Self::Unknown => "unknown",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Closed => "closed",
            Self::Conflicted => "conflicted",
        }
    }

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether an attempt may go from here to there. A closed or failed one stays so, even when its money comes late:
    /// that money is given back.
    pub fn may_become(self, next: Self) -> bool {
        match self {
            Self::Created => next != Self::Unknown && next != Self::Created,
            Self::Submitted => !matches!(next, Self::Created | Self::Submitted),
            Self::Unknown => !matches!(next, Self::Created | Self::Unknown),
            // Only a person ends a conflict.
            Self::Conflicted => matches!(next, Self::Succeeded | Self::Closed),
            Self::Succeeded | Self::Failed | Self::Closed => false,
        }
    }
}

/// Begins an update that happens only if the attempt is in one of `from`.
///
/// A state that may not become `to` is left out, whoever asks.
pub(crate) fn turn(
    id: &str,
    from: &[State],
    to: State,
    now_ms: i64,
) -> UpdateMany<attempt::Entity> {
    let from = from
        .iter()
        .filter(|state| state.may_become(to))
        .map(|state| state.name());
    attempt::Entity::update_many()
        .col_expr(attempt::Column::State, Expr::value(to.name()))
        .col_expr(attempt::Column::UpdatedAt, Expr::value(now_ms))
        .filter(attempt::Column::Id.eq(id))
        .filter(attempt::Column::State.is_in(from))
}

/// Whether an update found its row.
pub(crate) async fn done(
    update: UpdateMany<attempt::Entity>,
    connection: &impl ConnectionTrait,
) -> Result<bool, DbErr> {
    Ok(update.exec(connection).await?.rows_affected == 1)
}

/// Adds what the order told to an update.
pub(crate) fn with_terms(
    update: UpdateMany<attempt::Entity>,
    begun: &BeginReply,
) -> UpdateMany<attempt::Entity> {
    update
        .col_expr(attempt::Column::Payable, Expr::value(begun.payable))
        .col_expr(
            attempt::Column::Shares,
            Expr::value(shares_text(&begun.shares)),
        )
        .col_expr(
            attempt::Column::OrderNo,
            Expr::value(begun.order_no.as_str()),
        )
        .col_expr(
            attempt::Column::Subject,
            Expr::value(begun.subject.as_str()),
        )
        .col_expr(
            attempt::Column::FunctionType,
            Expr::value(begun.function_module),
        )
        .col_expr(
            attempt::Column::TransactionType,
            Expr::value(begun.order_type),
        )
        .col_expr(attempt::Column::ExpiresAt, Expr::value(begun.expires_at_ms))
}

/// Says what becomes of the captured money; only the first to say so decides.
pub(crate) async fn dispose(
    transaction: &DatabaseTransaction,
    id: &str,
    disposition: &str,
) -> Result<bool, DbErr> {
    let turned = attempt::Entity::update_many()
        .col_expr(attempt::Column::Disposition, Expr::value(disposition))
        .filter(attempt::Column::Id.eq(id))
        .filter(attempt::Column::Disposition.eq(""))
        .exec(transaction)
        .await?;
    Ok(turned.rows_affected == 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_an_outcome_keeps_it() {
        for state in State::ALL {
            assert_eq!(State::of(state.name()), Some(state));
            for next in State::ALL {
                assert!(state != next || !state.may_become(next));
                let ends = State::OPEN.contains(&state) || state == State::Conflicted;
                assert!(ends || !state.may_become(next));
            }
        }
        assert!(State::Unknown.may_become(State::Submitted));
    }
}
