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
        /// A notice that fits nothing: reviewed, and nothing is booked.
        EndNotice = "end-notice",
        /// Such a notice: what the channel has taken beyond what is booked goes back.
        ReturnNotice = "return-notice",
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
    /// Empty for a notice of no attempt of ours.
    pub attempt_id: String,
    /// The refund that was made.
    pub refund_id: Option<String>,
    /// The notice that was ended.
    pub misfit_id: Option<String>,
    /// Cents.
    pub amount: i64,
    pub reason: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
