//! What a maker offers. Its texts are those that the mall shows; what waits for review is in its versions.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// State of a listing.
    pub enum State {
        Draft = "draft",
        /// Its pictures are being made.
        Making = "making",
        /// It waits for an operator.
        Submitted = "submitted",
        Listed = "listed",
        /// An operator wants changes, or has refused it.
        Rejected = "rejected",
        /// Taken off the mall by its maker.
        Withdrawn = "withdrawn",
        /// Taken off the mall by an operator.
        TakenDown = "takendown",
        /// Ended for good; its buyers keep it.
        Removed = "removed",
    }
}

impl State {
    /// Those the mall shows or has shown.
    pub const RELEASED: [Self; 3] = [Self::Listed, Self::Withdrawn, Self::TakenDown];
    /// Those on their way to it.
    pub const TO_BE_RELEASED: [Self; 4] =
        [Self::Draft, Self::Making, Self::Submitted, Self::Rejected];
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Revision);

    fn predecessors(self) -> &'static [Self] {
        match self {
            // Taken out of review by its maker.
            Self::Draft => &[Self::Making, Self::Submitted],
            Self::Making => &[Self::Draft, Self::Rejected],
            Self::Submitted => &[Self::Making],
            Self::Listed => &[Self::Submitted, Self::Withdrawn, Self::TakenDown],
            Self::Rejected => &[Self::Making, Self::Submitted],
            Self::Withdrawn => &[Self::Listed],
            Self::TakenDown => &[Self::Listed, Self::Withdrawn],
            Self::Removed => &[Self::TakenDown],
        }
    }
}

chassis::column_enum! {
    /// What a buyer may do with the model.
    pub enum License {
        Personal = "personal",
        Commercial = "commercial",
    }
}

chassis::column_enum! {
    /// Where a model comes from, as its maker declares it.
    pub enum Origin {
        Own = "own",
        Adapted = "adapted",
        Ai = "ai",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "listing")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Login id of the maker.
    pub seller: String,
    /// 0 none, 1 the platform's own studio, 2 personal modeler, 3 enterprise modeler.
    pub uploader_type: i32,
    /// Its maker is frozen: the mall shows it as little as what an operator took down. A copy of the maker's row, as
    /// `uploader_type` is.
    pub frozen: bool,
    pub state: State,
    /// Counts every change of this row.
    pub revision: i64,
    pub name: String,
    pub category_id: String,
    /// Joined by commas.
    pub label_ids: String,
    pub intro: String,
    pub description: String,
    pub license: License,
    pub origin: Origin,
    /// Cents; negative: its maker has not said.
    pub price: i64,
    /// Number of the version that is sold; 0: none yet.
    pub current_version: i32,
    /// Number of the newest version that was not given up.
    pub newest_version: i32,
    /// Of the version that is sold, else of the newest.
    pub format: String,
    pub triangles: i64,
    pub animation: bool,
    pub score: i32,
    pub thumb_key: String,
    pub turntable_key: String,
    pub sold: i64,
    pub favourites: i64,
    pub rating_sum: i64,
    pub rating_count: i64,
    /// When the mall first showed it; 0: it has not.
    pub listed_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Seller);

impl Model {
    pub fn is_shown(&self) -> bool {
        self.outward() == State::Listed
    }

    /// The state that all but its maker see.
    pub fn outward(&self) -> State {
        match self.state {
            State::Listed if self.frozen => State::TakenDown,
            state => state,
        }
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
