//! Money that goes back to whoever paid.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, serde::Serialize)]
#[sea_orm(table_name = "refund")]
pub struct Model {
    /// Also the number the channel knows it by.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub attempt_id: String,
    pub order_id: String,
    pub owner: String,
    pub channel: String,
    /// Cents.
    pub amount: i64,
    pub reason: String,
    /// created, submitted, unknown, succeeded or failed.
    pub state: String,
    pub tries: i32,
    /// Unix time in milliseconds.
    pub next_check_at: i64,
    pub created_at: i64,
    pub ended_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
