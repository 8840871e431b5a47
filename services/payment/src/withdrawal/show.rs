//! What operators see of withdrawals, and of where the income came from: coins that were given away must not become cash, and
//! users must not sell to themselves.

use std::time::Duration;

use chassis::db::List;
use chassis::{BusinessError, ServiceError, limit};
use proto::payment::v1::{
    WithdrawalBuyer, WithdrawalItem, WithdrawalSearchReply, WithdrawalSearchRequest,
    WithdrawalShowReply, WithdrawalSource,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement};
use sea_orm::{Condition, FromQueryResult, JoinType, QueryOrder, QuerySelect, RelationDef, Select};

use super::no_such_withdrawal;
use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::attempt::Disposition;
use crate::entity::ledger_transaction::Book;
use crate::entity::withdrawal::{Column, Entity, Model, State};
use crate::entity::{account, attempt, earning, entry, ledger_transaction};
use crate::ledger::{self, Account};
use crate::state::CLOUD_COIN;

/// Buyers that are shown.
const MOST_BUYERS: u64 = 5;
/// An answer does not wait longer for what the mall knows.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn item(row: Model) -> WithdrawalItem {
    WithdrawalItem {
        id: row.id,
        login_id: row.owner,
        state: row.state.name().to_owned(),
        amount: row.amount,
        fee: row.fee,
        bank_name: row.bank_name,
        last4: row.last4,
        holder: row.holder,
        needs_two: row.needs_two,
        checked_by: row.checked_by,
        approved_by: row.approved_by,
        paid_by: row.paid_by,
        reason: row.reason,
        reference: row.reference,
        requested_at: row.requested_at,
        updated_at: row.updated_at,
        ended_at: row.ended_at.unwrap_or(0),
        version: row.version,
    }
}

#[derive(Debug, Default, FromQueryResult)]
struct Waiting {
    rows: i64,
    cents: Option<i64>,
    oldest: Option<i64>,
}

#[derive(Debug, FromQueryResult)]
struct Sum {
    name: String,
    cents: i64,
    sales: i64,
}

/// The paid attempt of the order that an income is of.
fn paid_by() -> RelationDef {
    earning::Entity::belongs_to(attempt::Entity)
        .from(earning::Column::OrderId)
        .to(attempt::Column::OrderId)
        .into()
}

/// What a person has earned and kept, with who paid it.
fn kept_of(owner: &str) -> Select<earning::Entity> {
    earning::Entity::find_own(owner)
        .join(JoinType::InnerJoin, paid_by())
        .filter(earning::Column::State.ne(earning::State::Reversed))
        .filter(attempt::Column::Disposition.eq(Disposition::Released))
}

fn summed(rows: Select<earning::Entity>, by: attempt::Column) -> Select<earning::Entity> {
    rows.select_only()
        .column_as(by, "name")
        .expr_as(cents_of(earning::Column::Amount), "cents")
        .column_as(earning::Column::Id.count(), "sales")
        .group_by(by)
}

fn cents_of<C: ColumnTrait>(column: C) -> sea_orm::sea_query::Expr {
    column.sum().cast_as("BIGINT")
}

/// Accounts that got coins as a gift.
fn gifted() -> SelectStatement {
    Query::select()
        .column((account::Entity, account::Column::Owner))
        .from(entry::Entity)
        .inner_join(
            ledger_transaction::Entity,
            Expr::col((ledger_transaction::Entity, ledger_transaction::Column::Id))
                .equals((entry::Entity, entry::Column::TransactionId)),
        )
        .inner_join(
            account::Entity,
            Expr::col((account::Entity, account::Column::Id))
                .equals((entry::Entity, entry::Column::AccountId)),
        )
        .and_where(
            Expr::col((ledger_transaction::Entity, ledger_transaction::Column::Book))
                .eq(Book::Grant.name()),
        )
        .and_where(Expr::col((account::Entity, account::Column::Kind)).eq(Kind::Coin.name()))
        .to_owned()
}

impl Payment {
    pub(super) async fn search_withdrawals(
        &self,
        form: &WithdrawalSearchRequest,
    ) -> Result<WithdrawalSearchReply, ServiceError> {
        let states = match form.state.as_str() {
            "" | "open" => State::OPEN.to_vec(),
            name => {
                let state = State::of(name);
                vec![state.ok_or_else(|| BusinessError::invalid("没有这种状态"))?]
            }
        };
        let waits = states.iter().all(|state| State::OPEN.contains(state));
        let list = List::of(Entity::find_any())
            .when(Column::Owner, &form.login_id)
            .filter(Column::State.is_in(states));
        let list = match waits {
            true => list.oldest_first(Column::RequestedAt, Column::Id),
            false => list.newest_first(Column::UpdatedAt, Column::Id),
        };
        let found = list.following(form, &self.context.db).await?;
        let waiting = self.waiting_withdrawals().await?;
        Ok(WithdrawalSearchReply {
            withdrawals: found.rows.into_iter().map(item).collect(),
            next: found.next,
            waiting: waiting.rows,
            waiting_cents: waiting.cents.unwrap_or(0),
            oldest_at: waiting.oldest.unwrap_or(0),
        })
    }

    async fn waiting_withdrawals(&self) -> Result<Waiting, DbErr> {
        let found = Entity::find_any()
            .filter(Column::State.is_in(State::OPEN))
            .select_only()
            .column_as(Column::Id.count(), "rows")
            .expr_as(cents_of(Column::Amount), "cents")
            .column_as(Column::RequestedAt.min(), "oldest")
            .into_model::<Waiting>()
            .one(&self.context.db)
            .await?;
        Ok(found.unwrap_or_default())
    }

    pub(super) async fn show_withdrawal(
        &self,
        id: &str,
    ) -> Result<WithdrawalShowReply, ServiceError> {
        let db = &self.context.db;
        let row = Entity::find_any_by_id(id).one(db).await?;
        let row = row.ok_or_else(no_such_withdrawal)?;
        let owner = row.owner.clone();
        let sources = summed(kept_of(&owner), attempt::Column::Channel)
            .order_by_asc(attempt::Column::Channel)
            .into_model::<Sum>()
            .all(db)
            .await?;
        let by_coins = kept_of(&owner)
            .filter(attempt::Column::Channel.eq(CLOUD_COIN))
            .filter(attempt::Column::Owner.in_subquery(gifted()));
        let from_gifted = summed(by_coins, attempt::Column::Channel)
            .into_model::<Sum>()
            .one(db)
            .await?;
        let withdrawn: Option<Option<i64>> = Entity::find_own(&owner)
            .select_only()
            .expr_as(cents_of(Column::Amount), "cents")
            .filter(Column::State.eq(State::Paid))
            .into_tuple()
            .one(db)
            .await?;
        let standing = tokio::time::timeout(limit::patient(PATIENCE), self.standing(&owner)).await;
        let standing = standing.ok().and_then(Result::ok);
        Ok(WithdrawalShowReply {
            buyers: self.buyers(&owner).await?,
            earned: sources.iter().map(|source| source.cents).sum(),
            sources: sources.into_iter().map(source).collect(),
            from_gifted: from_gifted.map_or(0, |sum| sum.cents),
            withdrawn: withdrawn.flatten().unwrap_or(0),
            income_balance: ledger::available(db, &Account::of(Kind::Income, &owner)).await?,
            debt: -ledger::available(db, &Account::of(Kind::Debt, &owner)).await?,
            standing_unknown: standing.is_none(),
            frozen: standing.is_some_and(|maker| maker.frozen),
            item: Some(item(row)),
        })
    }

    /// Whom most of a user's income came from, and what coins they were given.
    async fn buyers(&self, owner: &str) -> Result<Vec<WithdrawalBuyer>, DbErr> {
        let db = &self.context.db;
        let largest = summed(kept_of(owner), attempt::Column::Owner)
            .order_by_desc(cents_of(earning::Column::Amount))
            .limit(MOST_BUYERS)
            .into_model::<Sum>()
            .all(db)
            .await?;
        let mut buyers = Vec::new();
        for Sum { name, cents, sales } in largest {
            let coins = Account::of(Kind::Coin, &name);
            let granted = Query::select()
                .column(ledger_transaction::Column::Id)
                .from(ledger_transaction::Entity)
                .and_where(Expr::col(ledger_transaction::Column::Book).eq(Book::Grant.name()))
                .to_owned();
            let gifted: Option<Option<i64>> = entry::Entity::find()
                .select_only()
                .expr_as(cents_of(entry::Column::Amount), "cents")
                .filter(
                    Condition::all()
                        .add(entry::Column::AccountId.eq(coins.id()))
                        .add(entry::Column::TransactionId.in_subquery(granted)),
                )
                .into_tuple()
                .one(db)
                .await?;
            buyers.push(WithdrawalBuyer {
                login_id: name,
                cents,
                sales,
                gifted: gifted.flatten().unwrap_or(0),
            });
        }
        Ok(buyers)
    }
}

fn source(sum: Sum) -> WithdrawalSource {
    WithdrawalSource {
        channel: sum.name,
        cents: sum.cents,
        sales: sum.sales,
    }
}
