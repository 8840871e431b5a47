//! An offer for a need; one row per person and need.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Sent = "sent",
        Withdrawn = "withdrawn",
        Chosen = "chosen",
        /// Another one was chosen, or the need was withdrawn, hidden or expired.
        Lost = "lost",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Sent => &[Self::Sent, Self::Withdrawn, Self::Lost],
            Self::Withdrawn | Self::Chosen | Self::Lost => &[Self::Sent],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "offer")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub demand_id: String,
    pub owner: String,
    pub state: State,
    /// Title of the need when the offer was made.
    pub title: String,
    /// In yuan.
    pub price: i64,
    pub days: i32,
    pub proposal: String,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
