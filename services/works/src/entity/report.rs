//! A user's report of a work or a comment: one per user and thing.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum Reason {
        Copyright = "copyright",
        Illegal = "illegal",
        Vulgar = "vulgar",
        Spam = "spam",
        Other = "other",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "report")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Id of the work or comment.
    pub thing_id: String,
    /// The reporter.
    pub owner: String,
    pub reason: Reason,
    pub content: String,
    /// Not handled yet.
    pub open: bool,
    pub at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
