//! A request for a call about asset management. Needs no account.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// State of the conversation.
    pub enum State {
        New = "new",
        Contacted = "contacted",
        Closed = "closed",
    }
}

impl chassis::db::states::StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::New => &[],
            Self::Contacted => &[Self::New],
            Self::Closed => &[Self::New, Self::Contacted],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "lead")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub state: State,
    pub company_name: String,
    pub contact_name: String,
    /// Unique among leads that are not closed, as is the visitor.
    pub phone: String,
    pub visitor_id: String,
    pub demand: String,
    pub note: String,
    /// Operator who moved it last; empty: none.
    pub operator: String,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
