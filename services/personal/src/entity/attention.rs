//! One user follows another.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "attention")]
pub struct Model {
    /// The follower.
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub target_id: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
