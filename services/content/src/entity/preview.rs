//! A link that shows a draft to anyone for an hour.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "preview")]
pub struct Model {
    /// Lower-case hex SHA-256 of the ticket.
    #[sea_orm(primary_key, auto_increment = false)]
    pub ticket_hash: String,
    pub article_id: String,
    pub revision: i64,
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
