//! The output of a service on a file, finished or in progress.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

use crate::params::ServiceType;

chassis::column_enum! {
    /// Status of a result.
    pub enum Status {
        Queued = "queued",
        Running = "running",
        Done = "done",
        Failed = "failed",
    }
}

impl StateMachine for Status {
    type Entity = Entity;
    const COLUMN: Column = Column::Status;

    fn predecessors(self) -> &'static [Self] {
        match self {
            // Retried by an operator.
            Self::Queued => &[Self::Failed],
            // Each progress report sets it again. A quick job ends without one.
            Self::Running | Self::Done | Self::Failed => &[Self::Queued, Self::Running],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "service_result")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub owner: String,
    pub file_id: String,
    pub service_type: ServiceType,
    /// Canonical JSON text.
    pub params: String,
    /// Digest of input, service, parameters and engine; unique per owner, so that equal requests share one result.
    pub fingerprint: String,
    pub status: Status,
    pub percent: i32,
    pub stage: String,
    pub tips: String,
    pub model_name: String,
    pub file_name: String,
    pub format: String,
    pub object_key: String,
    pub preview_key: String,
    pub file_size: i64,
    pub source_size: i64,
    pub report: String,
    pub created_at: i64,
    pub finished_at: Option<i64>,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
