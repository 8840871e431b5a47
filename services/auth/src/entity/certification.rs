//! A requested certification and its outcome.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What is certified.
    pub enum Kind {
        Personal = "personal",
        Enterprise = "enterprise",
        Developer = "developer",
    }
}

chassis::column_enum! {
    /// State of a certification.
    pub enum State {
        /// Its pictures are being stored; it is not visible yet.
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
    /// Finds equal numbers; empty without a number.
    pub number_index: String,
    /// The first character of a person's name; the whole name of an enterprise.
    pub name_shown: String,
    /// The first and the last character.
    pub number_shown: String,
    pub cause: String,
    /// The reviewing operator, and until when the record is reserved for that operator.
    pub claimed_by: String,
    pub claimed_until: i64,
    pub decided_by: String,
    pub created_at: i64,
    pub submitted_at: i64,
    pub decided_at: Option<i64>,
    /// When its pictures are deleted; none while they are needed, or once they are gone.
    pub pictures_due: Option<i64>,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
