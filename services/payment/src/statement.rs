//! Account details: one line for each thing a user would look for.

use chassis::ids::new_id;
use chassis::{ServiceError, db};
use proto::payment::v1::{AccountDetail, AccountDetails, AccountDetailsRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, Set};

use crate::Payment;
use crate::entity::statement;
use crate::ledger::{self, Account};

/// Pay method of what comes from an account of our own.
pub(crate) const BALANCE: &str = "balance";
/// Transaction type of a recharge.
pub(crate) const RECHARGE: i32 = 0;

pub(crate) struct Line<'a> {
    pub owner: &'a str,
    pub transaction_type: i32,
    pub function_type: i32,
    pub pay_method: &'a str,
    /// Cents; below zero: went out.
    pub amount: i64,
    /// Account of the owner whose balance the line shows.
    pub account: Option<&'a Account>,
    pub order_no: &'a str,
    pub description: &'a str,
}

/// Writes a line; the balance is the one after what the same transaction has booked.
pub(crate) async fn write(
    transaction: &impl ConnectionTrait,
    line: &Line<'_>,
    now_ms: i64,
) -> Result<(), DbErr> {
    let balance = match line.account {
        Some(account) => Some(ledger::available(transaction, account).await?),
        None => None,
    };
    let row = statement::ActiveModel {
        id: Set(new_id()),
        owner: Set(line.owner.to_owned()),
        transaction_type: Set(line.transaction_type),
        function_type: Set(line.function_type),
        pay_method: Set(line.pay_method.to_owned()),
        amount: Set(line.amount),
        balance: Set(balance),
        order_no: Set(line.order_no.to_owned()),
        description: Set(line.description.to_owned()),
        created_at: Set(now_ms),
    };
    statement::Entity::insert(row)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

impl Payment {
    pub(crate) async fn account_details(
        &self,
        owner: &str,
        request: &AccountDetailsRequest,
    ) -> Result<AccountDetails, ServiceError> {
        let mut query = statement::Entity::find().filter(statement::Column::Owner.eq(owner));
        if let Some(kind) = request.transaction_type {
            query = query.filter(statement::Column::TransactionType.eq(kind));
        }
        if let Some(kind) = request.function_type {
            query = query.filter(statement::Column::FunctionType.eq(kind));
        }
        if !request.pay_method.is_empty() {
            query = query.filter(statement::Column::PayMethod.eq(&request.pay_method));
        }
        if let Some(begin) = request.begin_time {
            query = query.filter(statement::Column::CreatedAt.gte(begin));
        }
        if let Some(end) = request.end_time {
            query = query.filter(statement::Column::CreatedAt.lt(end));
        }
        let newest_first = query
            .order_by_desc(statement::Column::CreatedAt)
            .order_by_desc(statement::Column::Id);
        let (page_no, page_size) = (request.page_no, request.page_size);
        let (total_count, rows) =
            db::paged(newest_first, page_no, page_size, &self.context.db).await?;
        Ok(AccountDetails {
            total_count,
            results: rows.into_iter().map(detail).collect(),
        })
    }
}

fn detail(row: statement::Model) -> AccountDetail {
    AccountDetail {
        id: row.id,
        create_time: row.created_at,
        transaction_type: row.transaction_type,
        function_type: row.function_type,
        pay_method: row.pay_method,
        amount: row.amount,
        balance: row.balance,
        order_no: row.order_no,
        description: row.description,
    }
}
