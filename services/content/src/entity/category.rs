//! A category of one kind of articles.

use sea_orm::entity::prelude::*;

use crate::kind::Kind;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "category")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub kind: Kind,
    pub slug: String,
    /// Empty: a category of the first level.
    pub parent_id: String,
    pub title: String,
    pub summary: String,
    pub position: i32,
    /// An operator has changed it: embedded texts no longer replace it.
    pub edited: bool,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
