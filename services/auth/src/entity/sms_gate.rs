//! One row per number and per address: whoever sends a code takes both, so that counting and sending are one step.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "sms_gate")]
pub struct Model {
    /// `phone:…` or `address:…`
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub passed_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
