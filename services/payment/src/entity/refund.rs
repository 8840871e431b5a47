//! Money that goes back to the payer.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// State of a refund.
    pub enum State {
        /// Written down, out of escrow.
        Created = "created",
        /// The channel was asked, or is about to be.
        Submitted = "submitted",
        /// The channel's answer was lost, or it refused: asked again until it is done.
        Unknown = "unknown",
        Succeeded = "succeeded",
        /// Nothing here ends a refund like this: one that is refused stays on the list of what is owed.
        Failed = "failed",
    }
}

impl State {
    /// Without an outcome yet.
    pub const OPEN: [Self; 3] = [Self::Created, Self::Submitted, Self::Unknown];
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Created | Self::Failed => &[],
            Self::Submitted | Self::Unknown | Self::Succeeded => &Self::OPEN,
        }
    }
}

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
    pub state: State,
    pub tries: i32,
    /// Unix time in milliseconds.
    pub next_check_at: i64,
    pub created_at: i64,
    pub ended_at: Option<i64>,
    /// What the channel last said against it.
    pub told: String,
    /// The operator who ended it by hand, and why; empty without one.
    pub ended_by: String,
    pub note: String,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
