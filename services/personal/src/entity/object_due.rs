//! An object of the store that is due for removal: no row refers to it, or it has expired.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "object_due")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_key: String,
    /// Unix time in milliseconds.
    pub due_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
