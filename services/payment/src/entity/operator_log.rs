//! What operators did by hand: rows are added, never changed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, serde::Serialize)]
#[sea_orm(table_name = "operator_log")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Who, as they called themselves.
    pub operator: String,
    /// `accept`, `return` or `refund`.
    pub action: String,
    pub attempt_id: String,
    /// The refund that was made.
    pub refund_id: Option<String>,
    /// Cents.
    pub amount: i64,
    pub reason: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
