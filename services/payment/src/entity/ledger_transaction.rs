//! A transaction of the ledger: entries that sum to zero.

use sea_orm::entity::prelude::*;

use crate::ledger::Book;

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
