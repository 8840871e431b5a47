//! Account details: one line for each thing a user would look for.

use chassis::ServiceError;
use chassis::db::{self, List};
use chassis::ids::new_id;
use proto::payment::v1::{AccountDetail, AccountDetails, AccountDetailsRequest};
use sea_orm::entity::prelude::*;

use crate::Payment;
use crate::entity::attempt;
use crate::entity::statement::{self, Column};
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

impl<'a> Line<'a> {
    /// Cents that the channel of an attempt has taken from its payer.
    pub(crate) fn taken(attempt: &'a attempt::Model, cents: i64) -> Self {
        Self {
            owner: &attempt.owner,
            transaction_type: attempt.transaction_type,
            function_type: attempt.function_type,
            pay_method: &attempt.channel,
            amount: -cents,
            account: None,
            order_no: &attempt.order_no,
            description: &attempt.subject,
        }
    }
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
    let row = statement::Model {
        id: new_id(),
        owner: line.owner.to_owned(),
        transaction_type: line.transaction_type,
        function_type: line.function_type,
        pay_method: line.pay_method.to_owned(),
        amount: line.amount,
        balance,
        order_no: line.order_no.to_owned(),
        description: line.description.to_owned(),
        created_at: now_ms,
    };
    db::insert(row, transaction).await
}

impl Payment {
    pub(crate) async fn account_details(
        &self,
        owner: &str,
        request: &AccountDetailsRequest,
    ) -> Result<AccountDetails, ServiceError> {
        let page = List::<statement::Entity>::own(owner)
            .when(Column::TransactionType, request.transaction_type)
            .when(Column::FunctionType, request.function_type)
            .when(Column::PayMethod, &request.pay_method)
            .between(Column::CreatedAt, request.begin_time, request.end_time)
            .newest_first(Column::CreatedAt, Column::Id)
            .page(request, &self.context.db)
            .await?;
        Ok(page.reply(detail))
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
