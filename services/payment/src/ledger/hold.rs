//! Holds: money that stays on its account but cannot be spent, until it is released or goes where it was promised.

use chassis::db;
use chassis::db::states::Transition;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{DatabaseTransaction, Set};

use super::{Account, LedgerError, Posted, Posting, ensure, post};
use crate::entity::hold::State;
use crate::entity::{account, hold};

/// Holds `amount` cents under `id`; the same id again changes nothing.
pub async fn place(
    transaction: &DatabaseTransaction,
    id: &str,
    account: &Account,
    amount: i64,
    now_ms: i64,
) -> Result<Posted, LedgerError> {
    if amount <= 0 {
        return Err(LedgerError::Malformed);
    }
    let row = hold::Model {
        id: id.to_owned(),
        account_id: account.id(),
        amount,
        state: State::Held,
        created_at: now_ms,
        ended_at: None,
    };
    if !db::insert_new(row, transaction).await? {
        let known = hold::Entity::find_by_id(id).one(transaction).await?;
        let same = known.is_some_and(|k| k.account_id == account.id() && k.amount == amount);
        return match same {
            true => Ok(Posted::Before),
            false => Err(LedgerError::KeyReused(id.to_owned())),
        };
    }
    ensure(transaction, account).await?;
    let available = Expr::col(account::Column::Posted).sub(Expr::col(account::Column::Held));
    let changed = account::Entity::update_any()
        .col_expr(
            account::Column::Held,
            Expr::col(account::Column::Held).add(amount),
        )
        .filter(account::Column::Id.eq(account.id()))
        .filter(available.gte(amount))
        .exec(transaction)
        .await?;
    match changed.rows_affected {
        0 => Err(LedgerError::Insufficient(account.id())),
        _ => Ok(Posted::Now),
    }
}

/// Gives a hold back to its account. `false` when it had ended already.
pub async fn release(
    transaction: &DatabaseTransaction,
    id: &str,
    now_ms: i64,
) -> Result<bool, LedgerError> {
    Ok(end(transaction, id, State::Released, now_ms)
        .await?
        .is_some())
}

/// Books what was held: `posting` has to take exactly that from the account. `false` when the hold had ended.
pub async fn capture(
    transaction: &DatabaseTransaction,
    id: &str,
    posting: &Posting<'_>,
    now_ms: i64,
) -> Result<bool, LedgerError> {
    let Some(ended) = end(transaction, id, State::Captured, now_ms).await? else {
        return Ok(false);
    };
    let takes = |(account, amount): &(Account, i64)| {
        account.id() == ended.account_id && *amount == -ended.amount
    };
    if !posting.entries.iter().any(takes) {
        return Err(LedgerError::Malformed);
    }
    post(transaction, posting, now_ms).await?;
    Ok(true)
}

async fn end(
    transaction: &DatabaseTransaction,
    id: &str,
    state: State,
    now_ms: i64,
) -> Result<Option<hold::Model>, LedgerError> {
    let ended = Transition::to(state)
        .set(hold::ActiveModel {
            ended_at: Set(Some(now_ms)),
            ..Default::default()
        })
        .only(hold::Column::Id.eq(id));
    if !ended.apply(transaction).await? {
        return Ok(None);
    }
    let Some(ended) = hold::Entity::find_by_id(id).one(transaction).await? else {
        return Ok(None);
    };
    account::Entity::update_any()
        .col_expr(
            account::Column::Held,
            Expr::col(account::Column::Held).sub(ended.amount),
        )
        .filter(account::Column::Id.eq(&ended.account_id))
        .exec(transaction)
        .await?;
    Ok(Some(ended))
}
