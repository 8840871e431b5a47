//! Money on an account that is promised to something that has not happened yet.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What became of a hold.
    pub enum State {
        Held = "held",
        /// Given back to its account.
        Released = "released",
        /// Booked to where it was promised.
        Captured = "captured",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Held => &[],
            Self::Released | Self::Captured => &[Self::Held],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "hold")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub account_id: String,
    /// Cents.
    pub amount: i64,
    pub state: State,
    pub created_at: i64,
    pub ended_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
