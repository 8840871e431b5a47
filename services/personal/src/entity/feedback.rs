//! A problem or a suggestion.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Open = "open",
        Answered = "answered",
        Closed = "closed",
    }
}

impl chassis::db::states::StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Open => &[],
            // Further answers are allowed.
            Self::Answered => &[Self::Open, Self::Answered],
            Self::Closed => &[Self::Open, Self::Answered],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "feedback")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    /// 0 bug, 1 suggestion, 2 requirement.
    pub kind: i32,
    pub content: String,
    /// Keys of the re-encoded pictures, a JSON list.
    pub pictures: String,
    /// Key of the archive; empty: none.
    pub annex_key: String,
    pub annex_name: String,
    pub state: State,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
