//! An article. Its texts are those that pages show; what was saved last is in its revisions.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

use crate::kind::Kind;

chassis::column_enum! {
    /// State of an article.
    pub enum State {
        Draft = "draft",
        /// Waits for an operator who may publish.
        Review = "review",
        /// Shown from its time on. Readers compare with the clock; the sweeper only updates the column.
        Scheduled = "scheduled",
        Published = "published",
        /// Taken back.
        Archived = "archived",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Version);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Draft => &[Self::Review, Self::Scheduled],
            Self::Review => &[Self::Draft],
            Self::Scheduled => &[Self::Draft, Self::Review, Self::Scheduled, Self::Archived],
            Self::Published => &[
                Self::Draft,
                Self::Review,
                Self::Scheduled,
                Self::Published,
                Self::Archived,
            ],
            Self::Archived => &[Self::Published],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "article")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub kind: Kind,
    /// Unique within its kind.
    pub slug: String,
    pub state: State,
    /// Counts every change of this row.
    pub version: i64,
    /// Empty: none.
    pub category_id: String,
    pub position: i32,
    pub title: String,
    pub summary: String,
    /// yyyy-mm-dd.
    pub date: String,
    /// JSON; empty: none.
    pub cover: String,
    pub steps: i32,
    /// Normal form of all texts, for the search.
    pub search: String,
    /// Number of the revision that is shown or will be; 0: none.
    pub published_revision: i64,
    /// Number of the revision saved last.
    pub latest_revision: i64,
    /// Time from which it is shown; 0: never.
    pub published_at: i64,
    /// When the shown content last changed.
    pub shown_changed_at: i64,
    /// Revision of the embedded text; 0: there is none.
    pub seed_revision: i32,
    /// An operator has saved a revision: embedded texts no longer replace it.
    pub edited: bool,
    pub created_at: i64,
    pub updated_at: i64,
}

impl Model {
    /// Whether pages show it at this time.
    pub fn is_shown(&self, now: i64) -> bool {
        match self.state {
            State::Published => true,
            State::Scheduled => self.published_at <= now,
            _ => false,
        }
    }

    /// The state shown to operators: a scheduled article is published from its time on, swept or not.
    pub fn outward(&self, now: i64) -> State {
        match self.is_shown(now) {
            true => State::Published,
            false => self.state,
        }
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
