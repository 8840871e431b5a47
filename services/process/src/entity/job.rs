//! Engine work. A worker holds a job by a lease, which expires when the worker falls silent.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

use crate::params::ServiceType;

chassis::column_enum! {
    /// Kind of work.
    pub enum Kind {
        /// The check-up of a file.
        Check = "check",
        /// The file's picture in lists, drawn after its check-up.
        Thumbnail = "thumbnail",
        /// The file's turntable preview.
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

/// Order of the queue. A running job may be stopped for a waiting one of a higher priority: see [`crate::worker`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "i32", db_type = "Integer")]
pub enum Priority {
    /// The user watches the check-up's log.
    #[sea_orm(num_value = 0)]
    Check,
    #[sea_orm(num_value = 1)]
    Service,
    /// Shown in lists, which are usable without it.
    #[sea_orm(num_value = 2)]
    Thumbnail,
    /// No user waits for it.
    #[sea_orm(num_value = 3)]
    Turntable,
    /// Of an owner who gives way to all other users.
    #[sea_orm(num_value = 4)]
    Last,
    /// A picture of such an owner.
    #[sea_orm(num_value = 5)]
    LastPicture,
}

impl Priority {
    /// Created by the service, not requested by a user.
    pub fn is_preview(self) -> bool {
        matches!(self, Self::Thumbnail | Self::Turntable | Self::LastPicture)
    }

    /// Of an owner who gives way to all other users.
    pub fn is_last(self) -> bool {
        matches!(self, Self::Last | Self::LastPicture)
    }

    /// Stopped at once for a job of a higher priority.
    pub fn gives_way(self) -> bool {
        self.is_preview() || self.is_last()
    }

    /// The same priority for an owner who gives way.
    pub fn of_last(self) -> Priority {
        match self.is_preview() {
            true => Self::LastPicture,
            false => Self::Last,
        }
    }
}

impl Kind {
    /// Initial priority of a job of this kind.
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
    /// State of a job.
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
            // Released, retried, or left by a silent worker.
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
    /// Empty for check-ups and pictures; for a showcase the listing and its version.
    pub result_id: String,
    pub state: State,
    pub attempts: i32,
    /// Fencing token: a worker's writes apply only while it is unchanged.
    pub lease: String,
    pub lease_until: i64,
    pub created_at: i64,
    pub updated_at: i64,
    /// W3C trace context of the request; empty without one.
    pub traceparent: String,
    pub priority: Priority,
    /// Round of the queue that the job belongs to: each owner has one job of a priority per round.
    pub turn: i64,
    /// Earliest time to start it.
    pub ready_at: i64,
    /// Since when it has been postponed because a dependency is unavailable; 0: not postponed.
    pub put_off_at: i64,
    /// How often it was stopped for another job.
    pub yields: i32,
    /// Why the last attempt failed, for operators; empty after a success.
    pub error: String,
    /// May take an hour: one slot stays free of such jobs.
    pub is_long: bool,
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
