//! A comment on a work, or an answer to one.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Shown = "shown",
        /// By its author: the text is deleted, the row remains while it has answers.
        Deleted = "deleted",
        /// By an operator.
        Hidden = "hidden",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Shown => &[Self::Hidden],
            Self::Deleted => &[Self::Shown, Self::Hidden],
            Self::Hidden => &[Self::Shown],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "comment")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub work_id: String,
    /// Root of its thread; empty: it is a root itself.
    pub root_id: String,
    /// The comment it answers.
    pub parent_id: String,
    /// Author; empty: the account was closed.
    pub owner: String,
    /// Recipient: the author of the work or of the answered comment. Empty: none.
    pub addressee: String,
    pub content: String,
    /// JSON text; empty: none.
    pub pin: String,
    /// Bundle of the work that was commented on.
    pub bundle: i32,
    pub state: State,
    /// Why it is hidden.
    pub reason: String,
    /// Number of shown answers below it.
    pub replies: i64,
    /// Number of open reports.
    pub reports: i32,
    pub created_at: i64,
    /// 0: never.
    pub edited_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
