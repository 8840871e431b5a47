//! What a service made, or is making, of a file.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

use crate::params::ServiceType;

chassis::column_enum! {
    /// Where the making of a result stands.
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
            // An operator has it tried again.
            Self::Queued => &[Self::Failed],
            // Each progress says so again. One that is quick ends without any.
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
    /// Same owner, input, service, parameters and engine: same fingerprint, computed once. Unique while it stands.
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
