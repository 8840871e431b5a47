//! A user as a maker: the application and its decision, whether it is frozen, and what is set of the public page.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// Where the application is.
    pub enum State {
        /// There was none: an operator has frozen a user who never applied.
        None = "none",
        Waiting = "waiting",
        Approved = "approved",
        Refused = "refused",
    }
}

impl State {
    /// As the profile shows it.
    pub fn review_status(self) -> Option<i32> {
        match self {
            Self::None => None,
            Self::Waiting => Some(0),
            Self::Approved => Some(1),
            Self::Refused => Some(2),
        }
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Version);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::None => &[],
            Self::Waiting => &[Self::None, Self::Refused],
            Self::Approved | Self::Refused => &[Self::Waiting],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "modeler")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    /// Counts every change that is published.
    pub version: i64,
    /// 0 none, 1 the platform's own studio, 2 personal modeler, 3 enterprise modeler; before the decision what was applied for.
    pub uploader_type: i32,
    pub state: State,
    pub frozen: bool,
    /// In what is paid for a model, in ten-thousandths.
    pub share_bp: i32,
    pub statement: String,
    /// Why the last application was refused.
    pub reason: String,
    pub frozen_reason: String,
    pub applied_at: i64,
    pub decided_at: i64,
    pub slogan: String,
    pub introduction: String,
    pub theme: String,
    /// Listing whose picture is on the banner; empty: none.
    pub banner_id: String,
    /// Listings, joined by commas.
    pub carousel_ids: String,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
