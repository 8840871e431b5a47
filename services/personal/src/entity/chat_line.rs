//! A line of a support conversation.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "chat_line")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    /// Sorts by time.
    pub id: String,
    pub login_id: String,
    /// Message id chosen by the page; unique per user.
    pub client_id: String,
    /// Name of the operator who wrote it; empty: the user.
    pub operator: String,
    pub content: String,
    pub created_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
