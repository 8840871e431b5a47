//! Review of a model by a user who has it: one a user and listing.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rating")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub listing_id: String,
    /// Login id of who wrote it.
    pub owner: String,
    /// 1 to 5.
    pub stars: i32,
    /// Empty: stars alone.
    pub content: String,
    /// The maker's; empty: none.
    pub answer: String,
    pub answered_at: i64,
    /// By an operator: it is shown no more and does not count.
    pub hidden: bool,
    pub hidden_reason: String,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
