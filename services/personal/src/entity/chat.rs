//! A support conversation: one per user.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "chat")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    /// Since when the user has been waiting for an answer; 0: not waiting.
    pub waiting_since: i64,
    /// Since when it has been open; 0: closed by an operator.
    pub open_since: i64,
    pub last_at: i64,
    /// Support lines that the user has not read.
    pub unread: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
