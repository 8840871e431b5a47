//! The rating that one side of a closed need gives the other.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rating")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub demand_id: String,
    /// The author.
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner: String,
    /// Who is rated.
    pub target: String,
    /// Whether the rated side is the provider.
    pub of_provider: bool,
    pub stars: i32,
    pub content: String,
    /// Title of the need.
    pub title: String,
    pub at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
