//! A user of matchup: the user type, and the profile as a provider.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        /// Not published, by its owner's choice.
        Draft = "draft",
        /// A word in it needs an operator's review.
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
    /// Login id; for an example `#` and its name.
    #[sea_orm(unique)]
    pub owner: String,
    /// 0 not chosen, 1 needs, 2 offers, 3 both.
    pub user_type: i32,
    pub state: State,
    /// Incremented by changes of the owner and of operators.
    pub revision: i64,
    /// Certified name at the time of publication.
    pub name: String,
    /// Each enclosed by commas.
    pub skills: String,
    pub industries: String,
    pub region: String,
    pub introduce: String,
    pub contact: String,
    /// Words that need review, joined by commas.
    pub suspects: String,
    /// Why it was refused or hidden.
    pub reason: String,
    pub example: bool,
    /// Number of completed needs.
    pub done: i64,
    pub rating_count: i64,
    pub rating_sum: i64,
    /// Mean of the stars times 100; 0: no ratings.
    pub rating_mean: i64,
    pub submitted_at: i64,
    pub shown_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
