//! What somebody says of a work, or answers.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Shown = "shown",
        /// By its author: its text is gone, its place stays while it has answers.
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
    /// Of the comment that it is below; empty: it is no answer.
    pub root_id: String,
    /// Of the comment that it answers.
    pub parent_id: String,
    /// Who wrote it; empty: somebody whose account has ended.
    pub owner: String,
    /// Who is to read it: the author of the work, or of the comment that it answers. Empty: nobody but its own author.
    pub addressee: String,
    pub content: String,
    /// JSON text; empty: none.
    pub pin: String,
    /// Of the model that was looked at.
    pub bundle: i32,
    pub state: State,
    /// Why it is hidden.
    pub reason: String,
    /// Shown answers below it.
    pub replies: i64,
    /// Open ones.
    pub reports: i32,
    pub created_at: i64,
    /// 0: never.
    pub edited_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
