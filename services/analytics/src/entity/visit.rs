//! From opening the site to leaving it, as reported by one browser tab.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "visit")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// The browser's own id, from its cookie.
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
    /// Time of its last beacon.
    pub seen_at: i64,
    pub ended_at: Option<i64>,
    pub pages: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
