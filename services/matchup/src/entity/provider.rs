//! A person here: what for, and the profile as a provider.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        /// It is not shown, by its owner's wish.
        Draft = "draft",
        /// A word in it asks for an operator.
        Review = "review",
        Shown = "shown",
        Refused = "refused",
        /// By an operator.
        Hidden = "hidden",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Revision);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Draft => &[Self::Draft, Self::Review, Self::Shown, Self::Refused],
            Self::Review => &[Self::Draft, Self::Review, Self::Shown, Self::Refused],
            Self::Shown => &[
                Self::Draft,
                Self::Review,
                Self::Shown,
                Self::Refused,
                Self::Hidden,
            ],
            Self::Refused => &[Self::Review],
            Self::Hidden => &[Self::Shown],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "provider")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Login id; of an example `#` and its name.
    #[sea_orm(unique)]
    pub owner: String,
    /// 0 not said, 1 needs, 2 offers, 3 both.
    pub user_type: i32,
    pub state: State,
    /// Counts what its owner and operators change.
    pub revision: i64,
    /// Certified name when it was published.
    pub name: String,
    /// Each between commas.
    pub skills: String,
    pub industries: String,
    pub region: String,
    pub introduce: String,
    pub contact: String,
    /// Words that ask for a second look, joined by commas.
    pub suspects: String,
    /// Why it was refused or hidden.
    pub reason: String,
    pub example: bool,
    /// Needs that were carried to their end.
    pub done: i64,
    pub rating_count: i64,
    pub rating_sum: i64,
    /// Hundred times the mean of the stars; 0: nobody rated.
    pub rating_mean: i64,
    pub submitted_at: i64,
    pub shown_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
