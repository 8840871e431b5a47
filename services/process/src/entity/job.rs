//! Work for the engine. A worker holds a job by a lease and loses it when it falls silent.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

use crate::params::ServiceType;

chassis::column_enum! {
    /// What a job is to do.
    pub enum Kind {
        /// The check-up of a file.
        Check = "check",
        /// The turned preview of a file; an ornament, so all others go before it.
        Turntable = "turntable",
        Lightweight = "lightweight",
        Convert = "convert",
        Tile = "tile",
        Amrt = "amrt",
        Offline = "offline",
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
            // Given back, or tried again.
            Self::Queued => &[Self::Running],
            // Taken, or taken over from a worker that fell silent.
            Self::Running => &[Self::Queued, Self::Running],
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
    /// Empty for a check.
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
}

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
