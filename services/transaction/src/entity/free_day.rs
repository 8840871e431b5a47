//! Free models that a user has taken on a day.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "free_day")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner: String,
    /// Days since 1970 in China.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i64,
    pub taken: i32,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
