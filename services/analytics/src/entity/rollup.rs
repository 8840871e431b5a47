//! A count of one hour or day, kept after the rows that it was computed from are deleted.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum Period {
        Hour = "hour",
        Day = "day",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rollup")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub period: Period,
    /// Where the period begins, Unix time in milliseconds.
    #[sea_orm(primary_key, auto_increment = false)]
    pub start: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub metric: String,
    /// What was counted; empty for a count of all.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub count: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
