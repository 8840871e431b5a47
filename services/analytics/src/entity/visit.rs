//! From opening the site to leaving it, as one browser tab tells it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "visit")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// What the browser calls itself in its cookie.
    pub visitor: String,
    /// search, link or direct.
    pub source: String,
    pub source_host: String,
    /// Path of the first page.
    pub entrance: String,
    /// Campaign.
    pub dap: String,
    /// The network of the address, without the part that names one connection.
    pub network: String,
    pub began_at: i64,
    /// When it was last heard of.
    pub seen_at: i64,
    pub ended_at: Option<i64>,
    pub pages: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
