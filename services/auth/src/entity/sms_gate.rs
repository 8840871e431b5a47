//! One row per number, one per address and one for all: sending a code locks them, so that counting and writing are atomic.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "sms_gate")]
pub struct Model {
    /// `phone:…`, `address:…` or `all`
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub passed_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
