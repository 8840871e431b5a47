//! Somebody says that something is wrong with a work or a comment: once a person and thing.

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
    /// Of the work or the comment.
    pub thing_id: String,
    /// Who says so.
    pub owner: String,
    pub reason: Reason,
    pub content: String,
    /// Nobody has looked into it.
    pub open: bool,
    pub at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
