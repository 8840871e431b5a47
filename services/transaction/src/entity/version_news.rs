//! A version of which its listing's owners are still to be told.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "version_news")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub listing_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    /// Grants up to this id are told; empty: none yet.
    pub told_to: String,
    pub at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
