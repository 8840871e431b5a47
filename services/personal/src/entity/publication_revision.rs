//! A saved revision of a publication: the newest one is the draft, older ones can be restored.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "publication_revision")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub publication_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i64,
    pub content: String,
    pub starts_at: i64,
    pub ends_at: i64,
    pub position: i32,
    /// Operator who saved it; empty: the configuration.
    pub saved_by: String,
    pub created_at: i64,
    /// When it was first published; 0: never.
    pub published_at: i64,
    /// The revision that it restored; 0: none.
    pub restored_from: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
