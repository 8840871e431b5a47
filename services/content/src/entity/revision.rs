//! A saved version of an article: the newest revision is its draft, the others can be restored.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "revision")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub article_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    pub title: String,
    /// JSON of a `Draft`.
    pub draft: String,
    /// Name of the operator who saved it; empty: embedded in the program.
    pub saved_by: String,
    pub saved_at: i64,
    /// When it was published for the first time; 0: never.
    pub published_at: i64,
    /// The revision that it restored; 0: none.
    pub restored_from: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
