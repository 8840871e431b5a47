//! An account of the ledger with its balance.

use sea_orm::entity::prelude::*;

use crate::ledger::Kind;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    /// `{kind}:{owner}` or `{kind}:{owner}:{part}`, see [`crate::ledger::Account`].
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Login id; for the platform's own accounts what tells them apart.
    pub owner: String,
    pub kind: Kind,
    /// `CNY`: cents; `COUNT`: free counts.
    pub unit: String,
    /// Sum of the entries.
    pub posted: i64,
    /// Part of it that is promised already.
    pub held: i64,
    /// Whether `posted - held` may not fall below zero.
    pub guarded: bool,
    pub version: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
