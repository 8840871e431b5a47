//! A published text that waits for review.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Waiting = "waiting",
        /// It stays.
        Kept = "kept",
        /// It was taken down.
        Removed = "removed",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "suspect_text")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    /// The field it is shown in, for example `nickname`.
    pub place: String,
    pub content: String,
    /// The words that were found, joined by commas.
    pub words: String,
    pub state: State,
    pub created_at: i64,
    pub decided_at: Option<i64>,
    pub decided_by: String,
    /// Reason given by the reviewer.
    pub decision: String,
    /// Operator who has claimed it, until `claimed_until`.
    pub claimed_by: String,
    pub claimed_until: i64,
}

chassis::owned!(LoginId);

impl chassis::db::states::StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Waiting => &[],
            Self::Kept | Self::Removed => &[Self::Waiting],
        }
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
