//! A need.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Draft = "draft",
        /// Waits for an operator.
        Review = "review",
        Refused = "refused",
        /// Open for offers.
        Open = "open",
        /// An offer was chosen: both sides see each other's contact.
        Chosen = "chosen",
        Closed = "closed",
        /// No offer was chosen in time.
        Expired = "expired",
        /// By its owner.
        Withdrawn = "withdrawn",
        /// By an operator.
        Hidden = "hidden",
    }
}

/// States in which other users cannot see a need, so that texts and files may change.
pub const EDITABLE: [State; 4] = [
    State::Draft,
    State::Refused,
    State::Withdrawn,
    State::Expired,
];

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Revision);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Draft => &[],
            Self::Review => &EDITABLE,
            Self::Refused => &[Self::Review],
            Self::Open => &[Self::Review, Self::Hidden],
            Self::Chosen => &[Self::Open],
            Self::Closed => &[Self::Chosen],
            Self::Expired | Self::Hidden => &[Self::Open],
            Self::Withdrawn => &[Self::Review, Self::Open],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "demand")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Login id; for an example `#` and its name.
    pub owner: String,
    pub state: State,
    /// Incremented by changes of the owner and of operators.
    pub revision: i64,
    pub category: String,
    pub title: String,
    pub content: String,
    pub industry: String,
    /// In yuan; both 0: negotiable.
    pub budget_low: i64,
    pub budget_high: i64,
    /// Deadline for offers; 0: not set, or no end for an example.
    pub until: i64,
    pub contact: String,
    /// Words that need review, joined by commas.
    pub suspects: String,
    /// Why it was refused or hidden.
    pub reason: String,
    pub example: bool,
    /// Empty: none was chosen.
    pub chosen_offer: String,
    pub chosen_owner: String,
    pub submitted_at: i64,
    pub opened_at: i64,
    pub chosen_at: i64,
    pub closed_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
