//! The two ends of what is held for a withdrawal: it is booked, or it is its owner's again.

use anyhow::ensure;
use sea_orm::DatabaseTransaction;

use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::ledger_transaction::Book;
use crate::entity::withdrawal::Model;
use crate::ledger::{self, Account, Posting, hold};
use crate::statement::{self, BALANCE, Line};

/// Owner of the clearing account that payments to bank cards go through.
const BANK: &str = "bank";
/// Transaction types: a withdrawal, its fee, income that pays what is owed.
const WITHDRAWAL: i32 = 2;
const FEE: i32 = 37;
const REVERSED: i32 = 35;
/// Function type of accounts.
const ACCOUNT: i32 = 0;
const BANK_CARD: &str = "bankCard";

impl Payment {
    /// Books what the bank has paid.
    pub(super) async fn book_paid(
        &self,
        transaction: &DatabaseTransaction,
        row: &Model,
        now: i64,
    ) -> anyhow::Result<()> {
        let income = Account::of(Kind::Income, &row.owner);
        let arrives = row.amount - row.fee;
        let mut entries = vec![
            (income.clone(), -row.amount),
            (Account::of(Kind::Clearing, BANK), arrives),
            (Account::platform(Kind::Revenue), row.fee),
        ];
        entries.retain(|(_, amount)| *amount != 0);
        let posting = Posting {
            book: Book::Withdraw,
            key: &row.id,
            entries,
        };
        let booked = hold::capture(transaction, &row.id, &posting, now).await?;
        ensure!(booked, "withdrawal {} holds nothing", row.id);
        let to = format!("提现至{}尾号{}", row.bank_name, row.last4);
        let lines = [
            (WITHDRAWAL, arrives, to.as_str()),
            (FEE, row.fee, "提现手续费"),
        ];
        for (transaction_type, cents, description) in lines {
            if cents == 0 {
                continue;
            }
            let line = Line {
                owner: &row.owner,
                transaction_type,
                function_type: ACCOUNT,
                pay_method: BANK_CARD,
                amount: -cents,
                account: Some(&income),
                order_no: "",
                description,
            };
            statement::write(transaction, &line, now).await?;
        }
        Ok(())
    }

    /// Lets its owner have the amount again; what was refunded to buyers meanwhile, and is owed, is paid from it.
    pub(super) async fn give_income_back(
        &self,
        transaction: &DatabaseTransaction,
        row: &Model,
        now: i64,
    ) -> anyhow::Result<()> {
        // Holds the account's row too.
        let released = hold::release(transaction, &row.id, now).await?;
        ensure!(released, "withdrawal {} holds nothing", row.id);
        let debt = Account::of(Kind::Debt, &row.owner);
        let income = Account::of(Kind::Income, &row.owner);
        let owed = -ledger::available(transaction, &debt).await?;
        let has = ledger::available(transaction, &income).await?;
        let repaid = owed.min(has);
        if repaid <= 0 {
            return Ok(());
        }
        let posting = Posting {
            book: Book::Repay,
            key: &row.id,
            entries: vec![(income.clone(), -repaid), (debt, repaid)],
        };
        ledger::post(transaction, &posting, now).await?;
        let line = Line {
            owner: &row.owner,
            transaction_type: REVERSED,
            function_type: ACCOUNT,
            pay_method: BALANCE,
            amount: -repaid,
            account: Some(&income),
            order_no: "",
            description: "收入冲回：抵扣待抵扣金额",
        };
        statement::write(transaction, &line, now).await?;
        Ok(())
    }
}
