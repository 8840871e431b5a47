//! The double-entry ledger, in integer cents. A balance is changed by one guarded UPDATE, never read first and written
//! then; the database refuses what would make it negative.

pub mod audit;
pub mod hold;

use chassis::db;
use chassis::ids::new_id;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ConnectionTrait, DatabaseTransaction, Set};
use sha2::{Digest, Sha256};

use crate::entity::account::Kind;
use crate::entity::ledger_transaction::Book;
use crate::entity::{account, entry, ledger_transaction};

/// An account, by what it is for and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    pub kind: Kind,
    /// Login id; the channel for [`Kind::Clearing`]; empty for the platform's others.
    pub owner: String,
    /// Which of the owner's accounts of this kind; empty: there is one.
    pub part: String,
}

impl Account {
    pub fn of(kind: Kind, owner: &str) -> Self {
        Self::part_of(kind, owner, "")
    }

    pub fn part_of(kind: Kind, owner: &str, part: &str) -> Self {
        Self {
            kind,
            owner: owner.to_owned(),
            part: part.to_owned(),
        }
    }

    pub fn platform(kind: Kind) -> Self {
        Self::of(kind, "")
    }

    pub fn id(&self) -> String {
        let (kind, owner, part) = (self.kind.name(), &self.owner, &self.part);
        match part.as_str() {
            "" => format!("{kind}:{owner}"),
            part => format!("{kind}:{owner}:{part}"),
        }
    }
}

/// What is to be booked: `key` within `book` is booked once.
#[derive(Debug, Clone)]
pub struct Posting<'a> {
    pub book: Book,
    pub key: &'a str,
    /// Account and what it gains in its unit (below zero: loses).
    pub entries: Vec<(Account, i64)>,
}

#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("account {0} has not enough")]
    Insufficient(String),
    #[error("entries sum to {0}, not to zero")]
    Unbalanced(i128),
    #[error("entry of zero, none at all, an account twice, or two units")]
    Malformed,
    #[error("key {0} was booked with other entries")]
    KeyReused(String),
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl From<LedgerError> for chassis::ServiceError {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Database(error) => error.into(),
            other => Self::Internal(other.into()),
        }
    }
}

/// Whether a posting was booked now, or had been before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Posted {
    Now,
    Before,
}

/// Books a posting. After an error the transaction has to be rolled back.
pub async fn post(
    transaction: &DatabaseTransaction,
    posting: &Posting<'_>,
    now_ms: i64,
) -> Result<Posted, LedgerError> {
    check(&posting.entries)?;
    let ids: Vec<String> = posting
        .entries
        .iter()
        .map(|(account, _)| account.id())
        .collect();
    let amounts = posting.entries.iter().map(|(_, amount)| *amount);
    let input_hash = hash(ids.iter().map(String::as_str).zip(amounts));
    let id = new_id();
    let row = ledger_transaction::Model {
        id: id.clone(),
        book: posting.book,
        key: posting.key.to_owned(),
        input_hash: input_hash.clone(),
        created_at: now_ms,
    };
    if !db::insert_new(row, transaction).await? {
        let known = ledger_transaction::Entity::find()
            .filter(ledger_transaction::Column::Book.eq(posting.book))
            .filter(ledger_transaction::Column::Key.eq(posting.key))
            .one(transaction)
            .await?;
        return match known {
            Some(known) if known.input_hash == input_hash => Ok(Posted::Before),
            _ => Err(LedgerError::KeyReused(posting.key.to_owned())),
        };
    }
    // Always in the same order: two transactions that lock the same accounts must not wait for each other.
    let mut entries = posting.entries.clone();
    entries.sort();
    for (account, amount) in &entries {
        change(transaction, account, *amount).await?;
    }
    let rows = entries
        .iter()
        .enumerate()
        .map(|(line, (account, amount))| entry::ActiveModel {
            transaction_id: Set(id.clone()),
            line: Set(line as i32),
            account_id: Set(account.id()),
            amount: Set(*amount),
        });
    entry::Entity::insert_many(rows)
        .exec_without_returning(transaction)
        .await?;
    Ok(Posted::Now)
}

fn check(entries: &[(Account, i64)]) -> Result<(), LedgerError> {
    let sum: i128 = entries.iter().map(|(_, amount)| i128::from(*amount)).sum();
    if sum != 0 {
        return Err(LedgerError::Unbalanced(sum));
    }
    let accounts: std::collections::BTreeSet<&Account> =
        entries.iter().map(|(account, _)| account).collect();
    let zero = entries.iter().any(|(_, amount)| *amount == 0);
    let units: std::collections::BTreeSet<&str> = entries
        .iter()
        .map(|(account, _)| account.kind.unit())
        .collect();
    if units.len() != 1 || zero || accounts.len() != entries.len() {
        return Err(LedgerError::Malformed);
    }
    Ok(())
}

/// The same for the same entries, in whatever order.
pub(crate) fn hash<'a>(entries: impl Iterator<Item = (&'a str, i64)>) -> String {
    let mut lines: Vec<String> = entries
        .map(|(account, amount)| format!("{account}={amount}"))
        .collect();
    lines.sort();
    hex::encode(Sha256::digest(lines.join("\n")))
}

/// Makes the account if it is new.
pub(crate) async fn ensure(
    connection: &impl ConnectionTrait,
    account: &Account,
) -> Result<(), DbErr> {
    let row = account::Model {
        id: account.id(),
        owner: account.owner.clone(),
        kind: account.kind,
        unit: account.kind.unit().to_owned(),
        posted: 0,
        held: 0,
        guarded: account.kind.guarded(),
        version: 0,
    };
    db::insert_new(row, connection).await?;
    Ok(())
}

/// Locks an account until the end of the transaction: before a balance is read and booked on.
pub(crate) async fn lock(
    transaction: &DatabaseTransaction,
    account: &Account,
) -> Result<(), DbErr> {
    ensure(transaction, account).await?;
    account::Entity::update_any()
        .col_expr(
            account::Column::Version,
            Expr::col(account::Column::Version).add(1),
        )
        .filter(account::Column::Id.eq(account.id()))
        .exec(transaction)
        .await?;
    Ok(())
}

async fn change(
    transaction: &DatabaseTransaction,
    account: &Account,
    amount: i64,
) -> Result<(), LedgerError> {
    if changed(transaction, account, amount).await? {
        return Ok(());
    }
    // Nearly every account has been used before: only now is it asked whether this one has.
    ensure(transaction, account).await?;
    match changed(transaction, account, amount).await? {
        true => Ok(()),
        false => Err(LedgerError::Insufficient(account.id())),
    }
}

/// One guarded UPDATE; `false` when the account is not there or has not enough.
async fn changed(
    transaction: &DatabaseTransaction,
    account: &Account,
    amount: i64,
) -> Result<bool, DbErr> {
    let mut update = account::Entity::update_any()
        .col_expr(
            account::Column::Posted,
            Expr::col(account::Column::Posted).add(amount),
        )
        .col_expr(
            account::Column::Version,
            Expr::col(account::Column::Version).add(1),
        )
        .filter(account::Column::Id.eq(account.id()));
    if account.kind.guarded() && amount < 0 {
        let available = Expr::col(account::Column::Posted).sub(Expr::col(account::Column::Held));
        // The least number has no negative; no account holds the largest either.
        update = update.filter(available.gte(amount.checked_neg().unwrap_or(i64::MAX)));
    }
    Ok(update.exec(transaction).await?.rows_affected == 1)
}

/// What a posting changed an account by; 0 when it was not booked.
pub(crate) async fn booked(
    connection: &impl ConnectionTrait,
    book: Book,
    key: &str,
    account: &Account,
) -> Result<i64, DbErr> {
    let posting = ledger_transaction::Entity::find()
        .filter(ledger_transaction::Column::Book.eq(book))
        .filter(ledger_transaction::Column::Key.eq(key))
        .one(connection)
        .await?;
    let Some(posting) = posting else { return Ok(0) };
    let entry = entry::Entity::find()
        .filter(entry::Column::TransactionId.eq(posting.id))
        .filter(entry::Column::AccountId.eq(account.id()))
        .one(connection)
        .await?;
    Ok(entry.map_or(0, |entry| entry.amount))
}

/// What of an account can be spent: what is held is taken off. 0 for one that was never used.
pub async fn available(connection: &impl ConnectionTrait, account: &Account) -> Result<i64, DbErr> {
    let row = account::Entity::find_any_by_id(account.id())
        .one(connection)
        .await?;
    Ok(row.map_or(0, |row| row.posted - row.held))
}
