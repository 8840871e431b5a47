//! A user's membership rights, as last published by personal.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "entitlement")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner: String,
    /// Events with a lower version are ignored.
    pub version: i64,
    /// JSON text: the terms of [`crate::entitlement`].
    pub terms: String,
    /// JSON text: storage from packages.
    pub storage: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
