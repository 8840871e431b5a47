//! A transaction of the ledger: entries that sum to zero.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What kind of thing is booked.
    pub enum Book {
        /// The money of an attempt, under its id.
        Attempt = "attempt",
        /// What a channel has taken beyond the money of an attempt and an operator gives back, under the notice (`misfit`), as its
        /// refund.
        Misfit = "misfit",
        /// What an order's takers get out of escrow, under the attempt's id.
        Release = "release",
        /// A refund, under its id.
        Refund = "refund",
        /// What a refund takes back from those who had a share, under the refund's id.
        Reverse = "reverse",
        /// A gift of the platform.
        Grant = "grant",
        /// An income becomes its seller's, under the order's item.
        Mature = "mature",
        /// Income that was paid to a bank card, under the withdrawal.
        Withdraw = "withdraw",
        /// Income that came back from a withdrawal pays what its owner owes, under the withdrawal.
        Repay = "repay",
        /// Free counts given for a period.
        Quota = "quota",
        /// Free counts that an attempt takes, under its id.
        Count = "count",
        /// Free counts that go back, under the attempt or the order's item.
        Uncount = "uncount",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "ledger_transaction")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// What kind of thing was booked; keys are unique within a book.
    pub book: Book,
    pub key: String,
    /// Hex SHA-256 of what was to be booked: the same key with other input is refused.
    pub input_hash: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
