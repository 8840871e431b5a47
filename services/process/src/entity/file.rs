//! An uploaded file of a user.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// Check-up status of a file.
    pub enum Status {
        Checking = "checking",
        Ready = "ready",
        Failed = "failed",
    }
}

impl StateMachine for Status {
    type Entity = Entity;
    const COLUMN: Column = Column::Status;
    const VERSION: Option<Column> = Some(Column::Version);

    fn predecessors(self) -> &'static [Self] {
        match self {
            // A failed check-up can be restarted.
            Self::Checking => &[Self::Failed],
            Self::Ready => &[Self::Checking],
            // A checked file whose upload turns out to have changed since.
            Self::Failed => &[Self::Checking, Self::Ready],
        }
    }
}

/// `model_type` of a single model.
pub const MODEL: i32 = 1;
/// `model_type` of oblique photography.
pub const SCENE: i32 = 2;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "source_file")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub owner: String,
    /// Upload key, unique per owner: repeated requests for the same object return one file.
    pub object_key: String,
    /// Key of the copy that users cannot write; empty until the check-up has claimed the file.
    pub kept_key: String,
    pub etag: String,
    /// Lower-case hex SHA-256 of the bytes; empty if the store provides none.
    pub sha256: String,
    pub file_name: String,
    pub model_name: String,
    pub format: String,
    /// Bytes.
    pub file_size: i64,
    /// [`MODEL`] or [`SCENE`].
    pub model_type: i32,
    pub file_source: String,
    pub origin: i32,
    pub status: Status,
    pub tips: String,
    pub released: bool,
    pub label_ids: String,
    /// From the check report.
    pub triangles: i64,
    pub animation: bool,
    pub model_num: i32,
    pub score: i32,
    /// JSON text; empty until the check-up is done.
    pub report: String,
    pub preview_key: String,
    pub thumb_key: String,
    /// Made after the check-up; empty until then.
    pub turntable_key: String,
    /// A small stand-in of the preview; empty if there is none, or if the preview is small enough.
    pub proxy_key: String,
    pub created_at: i64,
    pub updated_at: i64,
    pub deleted: bool,
    /// Incremented with each change of the status.
    pub version: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// Key of its bytes.
    pub fn stored_key(&self) -> &str {
        match self.kept_key.is_empty() {
            true => &self.object_key,
            false => &self.kept_key,
        }
    }

    /// Oblique photography, not a single model.
    pub fn is_scene(&self) -> bool {
        self.model_type == SCENE
    }
}
