//! A certified number: its row is locked while its accounts are counted.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "certified_number")]
pub struct Model {
    /// HMAC of the number.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number_index: String,
    pub seen_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
