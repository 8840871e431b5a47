//! The frozen model of a work. A new model is a new bundle, so that comments keep referring to the model they are about.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// State reported by process.
    pub enum State {
        /// Process is being asked for it.
        Making = "making",
        Ready = "ready",
        Failed = "failed",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Making => &[],
            Self::Ready | Self::Failed => &[Self::Making],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "bundle")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub work_id: String,
    /// Number within the work, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    pub file_id: String,
    pub state: State,
    /// Why it failed, shown to the user.
    pub reason: String,
    pub model_key: String,
    pub proxy_key: String,
    pub poster_key: String,
    pub turntable_key: String,
    pub format: String,
    /// Size of the model.
    pub bytes: i64,
    pub triangles: i64,
    pub animation: bool,
    /// When process is asked next; 0: not again.
    pub ask_at: i64,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
