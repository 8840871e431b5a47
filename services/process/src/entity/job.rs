//! Work for the engine. A worker holds a job by a lease and loses it when it falls silent.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

use crate::params::ServiceType;

chassis::column_enum! {
    /// What a job is to do.
    pub enum Kind {
        /// The check-up of a file.
        Check = "check",
        /// The picture of a file in lists, drawn after its check-up.
        Thumbnail = "thumbnail",
        /// The turned preview of a file.
        Turntable = "turntable",
        Lightweight = "lightweight",
        Convert = "convert",
        Tile = "tile",
        Amrt = "amrt",
        Offline = "offline",
        /// What the mall shows of a file.
        Showcase = "showcase",
    }
}

impl From<ServiceType> for Kind {
    fn from(service: ServiceType) -> Self {
        match service {
            ServiceType::Lightweight => Self::Lightweight,
            ServiceType::Convert => Self::Convert,
            ServiceType::Tile => Self::Tile,
            ServiceType::Amrt => Self::Amrt,
            ServiceType::Offline => Self::Offline,
        }
    }
}

/// Which jobs go first. A running job gives way to a waiting one of a higher priority, as [`crate::worker`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "i32", db_type = "Integer")]
pub enum Priority {
    /// Somebody looks at the check-up's log.
    #[sea_orm(num_value = 0)]
    Check,
    #[sea_orm(num_value = 1)]
    Service,
    /// A list has a place for it, and is complete without it.
    #[sea_orm(num_value = 2)]
    Thumbnail,
    /// Nobody waits for it.
    #[sea_orm(num_value = 3)]
    Turntable,
    /// Of an owner who gives way: whatever anybody else has asked for goes first.
    #[sea_orm(num_value = 4)]
    Last,
    /// A picture of such an owner's.
    #[sea_orm(num_value = 5)]
    LastPicture,
}

impl Priority {
    /// Made by ourselves, not asked for by anybody.
    pub fn is_ornament(self) -> bool {
        matches!(self, Self::Thumbnail | Self::Turntable | Self::LastPicture)
    }

    /// Stopped at once for whatever goes first.
    pub fn gives_way(self) -> bool {
        self.is_ornament() || self == Self::Last
    }

    /// The same of an owner who gives way to all others.
    pub fn of_last(self) -> Priority {
        match self.is_ornament() {
            true => Self::LastPicture,
            false => Self::Last,
        }
    }
}

impl Kind {
    /// The priority a job of this kind begins with.
    pub fn priority(self) -> Priority {
        match self {
            Self::Check => Priority::Check,
            Self::Thumbnail => Priority::Thumbnail,
            Self::Turntable => Priority::Turntable,
            Self::Lightweight
            | Self::Convert
            | Self::Tile
            | Self::Amrt
            | Self::Offline
            | Self::Showcase => Priority::Service,
        }
    }
}

chassis::column_enum! {
    /// Where a job stands.
    pub enum State {
        Queued = "queued",
        Running = "running",
        Done = "done",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            // Given back, tried again, or left by a worker that fell silent.
            Self::Queued => &[Self::Running],
            Self::Running => &[Self::Queued],
            Self::Done | Self::Failed => &[Self::Running],
            Self::Cancelled => &[Self::Queued, Self::Running],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "job")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub kind: Kind,
    pub owner: String,
    pub file_id: String,
    /// Empty for a check-up and for pictures; of a showcase the listing and its version.
    pub result_id: String,
    pub state: State,
    pub attempts: i32,
    /// Fencing token: a worker's writes count only while it is still this.
    pub lease: String,
    pub lease_until: i64,
    pub created_at: i64,
    pub updated_at: i64,
    /// W3C trace context of whoever asked for it; empty without one.
    pub traceparent: String,
    pub priority: Priority,
    /// The round of the queue in which it is this job's turn: each owner has one job of a priority in a round.
    pub turn: i64,
    /// Not taken before this time.
    pub ready_at: i64,
    /// Since when it has been put off because a part is away; 0: it has not.
    pub put_off_at: i64,
    /// How often it was stopped because another one goes first.
    pub yields: i32,
    /// Why the last try did not end well, for operators; empty after one that did.
    pub error: String,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_called_the_same_in_jobs_and_results() {
        for service in ServiceType::ALL.iter().copied() {
            assert_eq!(Kind::from(service).name(), service.name());
        }
    }
}
