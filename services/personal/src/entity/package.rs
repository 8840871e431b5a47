//! A package, made from one order.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "package")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub order_id: String,
    pub login_id: String,
    pub package_id: String,
    pub name: String,
    pub storage_gb: i64,
    /// Unix time in milliseconds.
    pub starts_at: i64,
    /// Unix time in milliseconds.
    pub ends_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
