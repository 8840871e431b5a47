//! What operators did by hand: rows are added, never changed.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What was decided.
    pub enum Action {
        /// A conflicted attempt: the channel has taken what was asked for, the order gets it.
        Accept = "accept",
        /// A conflicted attempt: what the channel has taken goes back.
        Return = "return",
        /// Money of a delivered order goes back.
        Refund = "refund",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, serde::Serialize)]
#[sea_orm(table_name = "operator_log")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Who, as they called themselves.
    pub operator: String,
    pub action: Action,
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
