//! What was said.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "chat_line")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    /// Sorts by time.
    pub id: String,
    pub login_id: String,
    /// The page's own number of the message; unique for the user.
    pub client_id: String,
    /// Who of the support said it; empty: the user.
    pub operator: String,
    pub content: String,
    pub created_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
