//! A need.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Draft = "draft",
        /// It waits for an operator.
        Review = "review",
        Refused = "refused",
        /// In the market.
        Open = "open",
        /// One who offers has got it: both see each other's contact.
        Chosen = "chosen",
        Closed = "closed",
        /// Nobody was chosen in time.
        Expired = "expired",
        /// By its owner.
        Withdrawn = "withdrawn",
        /// By an operator.
        Hidden = "hidden",
    }
}

/// Nobody but the owner sees it: texts and files may change.
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
    /// Login id; of an example `#` and its name.
    pub owner: String,
    pub state: State,
    /// Counts what its owner and operators change.
    pub revision: i64,
    pub category: String,
    pub title: String,
    pub content: String,
    pub industry: String,
    /// In yuan; both 0: to be talked about.
    pub budget_low: i64,
    pub budget_high: i64,
    /// Until when offers are taken; 0: not said, of an example for ever.
    pub until: i64,
    pub contact: String,
    /// Words that ask for a second look, joined by commas.
    pub suspects: String,
    /// Why it was refused or hidden.
    pub reason: String,
    pub example: bool,
    /// Empty: nobody was chosen.
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
