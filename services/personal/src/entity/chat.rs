//! A conversation with the support: one for each user.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "chat")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    /// Since when the user waits for an answer; 0: does not.
    pub waiting_since: i64,
    /// Since when it is open; 0: an operator has closed it.
    pub open_since: i64,
    pub last_at: i64,
    /// Lines of the support that the user has not read.
    pub unread: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
