//! Daily number of call requests per address.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "lead_day")]
pub struct Model {
    /// Digest of address and day.
    #[sea_orm(primary_key, auto_increment = false)]
    pub who: String,
    pub number: i64,
    pub until: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
