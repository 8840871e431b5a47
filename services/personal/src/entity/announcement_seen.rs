//! The newest announcement that a user has read.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "announcement_seen")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    /// Start of that announcement, Unix time in milliseconds.
    pub seen_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
