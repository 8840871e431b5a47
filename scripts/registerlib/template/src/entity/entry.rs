//! An entry of a user.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Open = "open",
        Done = "done",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Open => &[],
            Self::Done => &[Self::Open],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub owner: String,
    pub state: State,
    pub title: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
