//! Counts that go back to the period they were taken of.

use anyhow::Context as _;
use proto::order::v1::RefundApproved;
use proto::payment::v1::RefundSucceeded;
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;

use super::pay::count_line;
use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::ledger_transaction::Book;
use crate::entity::{account, attempt, entry, ledger_transaction};
use crate::ledger::{self, Account, Posted, Posting};

impl Payment {
    /// Gives counts of an attempt back, once for each key. Nothing of what was unlimited.
    pub(crate) async fn counts_back(
        &self,
        transaction: &DatabaseTransaction,
        attempt: &attempt::Model,
        key: &str,
        counts: i64,
        now: i64,
    ) -> anyhow::Result<()> {
        if attempt.counts == 0 {
            return Ok(());
        }
        let (count, used) = taken_from(transaction, &attempt.id).await?;
        let posting = Posting {
            book: Book::Uncount,
            key,
            entries: vec![(count, counts), (used, -counts)],
        };
        if ledger::post(transaction, &posting, now).await? == Posted::Now {
            let text = format!("会员免费次数退回 {counts} 次：{}", attempt.subject);
            count_line(transaction, &attempt.owner, &attempt.order_no, &text, now).await?;
        }
        Ok(())
    }

    /// Things of an order that counts paid are given back: each its count.
    pub(crate) async fn return_counted(
        &self,
        transaction: &DatabaseTransaction,
        approved: &RefundApproved,
        attempt: &attempt::Model,
    ) -> anyhow::Result<()> {
        let (now, counts) = (self.now(), approved.items.len() as i64);
        self.counts_back(transaction, attempt, &approved.refund_id, counts, now)
            .await?;
        let event = RefundSucceeded {
            refund_id: approved.refund_id.clone(),
            attempt_id: attempt.id.clone(),
            order_id: approved.order_id.clone(),
            owner: approved.owner.clone(),
            amount: 0,
            succeeded_at_ms: now,
        };
        self.publish(transaction, &approved.order_id, &event)
            .await?;
        self.context.fail.at("payment.items_returned.before_commit")
    }
}

/// The accounts that an attempt has moved counts between: what is left, what is used.
async fn taken_from(
    transaction: &DatabaseTransaction,
    attempt_id: &str,
) -> anyhow::Result<(Account, Account)> {
    let booked = ledger_transaction::Entity::find()
        .filter(ledger_transaction::Column::Book.eq(Book::Count))
        .filter(ledger_transaction::Column::Key.eq(attempt_id))
        .one(transaction)
        .await?
        .with_context(|| format!("attempt {attempt_id} has taken no counts"))?;
    let taken = entry::Entity::find()
        .filter(entry::Column::TransactionId.eq(&booked.id))
        .filter(entry::Column::Amount.lt(0))
        .one(transaction)
        .await?
        .with_context(|| format!("transaction {} takes nothing", booked.id))?;
    let row = account::Entity::find_any_by_id(&taken.account_id)
        .one(transaction)
        .await?
        .with_context(|| format!("no account {}", taken.account_id))?;
    let known = Account::of(Kind::Count, &row.owner).id();
    let part = row.id.strip_prefix(&format!("{known}:"));
    let part = part.with_context(|| format!("account {} has no period", row.id))?;
    let of = |kind| Account::part_of(kind, &row.owner, part);
    Ok((of(Kind::Count), of(Kind::Used)))
}
