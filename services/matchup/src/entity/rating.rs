//! What one side of a closed need says of the other.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rating")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub demand_id: String,
    /// Who says it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner: String,
    /// Of whom.
    pub target: String,
    /// Whether it is said of who offered.
    pub of_provider: bool,
    pub stars: i32,
    pub content: String,
    /// Of the need.
    pub title: String,
    pub at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
