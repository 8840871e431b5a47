//! One row per user: the newest archive.

use chassis::db::change::Change;
use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;
use sea_orm_migration::prelude::Table;
use sea_orm_migration::schema::{big_integer, integer, string_len};

chassis::column_enum! {
    /// State of an archive.
    pub enum State {
        Making = "making",
        /// It can be fetched.
        Ready = "ready",
        /// It was removed.
        Expired = "expired",
        /// It could not be made.
        Failed = "failed",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Making => &[Self::Ready, Self::Expired, Self::Failed],
            Self::Ready | Self::Failed => &[Self::Making],
            Self::Expired => &[Self::Ready],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "data_export")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    /// Of this request.
    pub id: String,
    pub state: State,
    pub requested_at: i64,
    /// When a worker next handles it; while it is being made, the end of its lease.
    pub due_at: i64,
    pub tries: i32,
    /// Empty until it is ready.
    pub object_key: String,
    pub bytes: i64,
    pub ready_at: i64,
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

pub fn tables() -> Change {
    let export = Table::create()
        .table("data_export")
        .col(string_len("login_id", 32).primary_key())
        .col(string_len("id", 64))
        .col(string_len("state", 16))
        .col(big_integer("requested_at"))
        .col(big_integer("due_at"))
        .col(integer("tries"))
        .col(string_len("object_key", 256))
        .col(big_integer("bytes"))
        .col(big_integer("ready_at"))
        .col(big_integer("expires_at"))
        .to_owned();
    Change::new("m20261126_000010_data_export")
        .table("data_export", export)
        .index("data_export_due", "data_export", &["state", "due_at"])
}
