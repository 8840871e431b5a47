//! What somebody asked to be certified as, and what became of it.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What somebody is certified as.
    pub enum Kind {
        Personal = "personal",
        Enterprise = "enterprise",
        Developer = "developer",
    }
}

chassis::column_enum! {
    /// Where a certification stands.
    pub enum State {
        /// Its pictures are being kept; nobody sees it yet.
        Preparing = "preparing",
        Submitted = "submitted",
        Approved = "approved",
        Rejected = "rejected",
        Withdrawn = "withdrawn",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Preparing => &[],
            Self::Submitted => &[Self::Preparing],
            Self::Approved | Self::Rejected | Self::Withdrawn => &[Self::Submitted],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "certification")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    pub kind: Kind,
    pub state: State,
    /// Id of the master key under which the record's own key is encrypted.
    pub key_id: String,
    pub wrapped_key: String,
    /// Base64 of everything that was stated, encrypted.
    pub details: String,
    /// By which equal numbers are found; empty without a number.
    pub number_index: String,
    /// The first character of a person's name; the whole name of an enterprise.
    pub name_shown: String,
    /// The first and the last character.
    pub number_shown: String,
    pub cause: String,
    /// The operator who looks at it, and until when nobody else should.
    pub claimed_by: String,
    pub claimed_until: i64,
    pub decided_by: String,
    pub created_at: i64,
    pub submitted_at: i64,
    pub decided_at: Option<i64>,
    /// When its pictures are removed; none while they are needed, or when there are none any more.
    pub pictures_due: Option<i64>,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
