//! Categories of works and industries of customer cases, both edited by operators.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum Kind {
        Category = "category",
        Industry = "industry",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "category")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub kind: Kind,
    pub name: String,
    pub position: i32,
    /// Whether authors can choose it.
    pub offered: bool,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
