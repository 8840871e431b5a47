//! An address that has moved.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "redirect")]
pub struct Model {
    /// Normal form of path and query.
    #[sea_orm(primary_key, auto_increment = false)]
    pub source: String,
    pub target: String,
    /// Name of the operator.
    pub saved_by: String,
    pub saved_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
