//! A version of a listing: what is handed in, looked at and decided on. One that changes only texts keeps the file.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// Where a version is on its way.
    pub enum State {
        Draft = "draft",
        Making = "making",
        Submitted = "submitted",
        /// Approved.
        Ready = "ready",
        Rejected = "rejected",
        /// Its pictures could not be made.
        Failed = "failed",
        /// Its maker has given it up, or a later one replaces it before it was approved.
        Discarded = "discarded",
    }
}

impl State {
    /// Those in the hands of the engine or of an operator.
    pub const UNDER_REVIEW: [Self; 2] = [Self::Making, Self::Submitted];

    /// Whether its maker can change it.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Draft | Self::Rejected | Self::Failed)
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Draft => &[Self::Making, Self::Submitted],
            Self::Making => &[Self::Draft, Self::Rejected, Self::Failed],
            // At once when the pictures are made already.
            Self::Submitted => &[Self::Making, Self::Draft, Self::Rejected],
            Self::Ready => &[Self::Submitted],
            Self::Rejected => &[Self::Submitted],
            Self::Failed => &[Self::Making],
            Self::Discarded => &[
                Self::Draft,
                Self::Making,
                Self::Submitted,
                Self::Rejected,
                Self::Failed,
            ],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "listing_version")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub listing_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    pub state: State,
    pub file_id: String,
    /// It keeps the file of the version before and changes what is said of it.
    pub texts_only: bool,
    pub notes: String,
    pub name: String,
    pub category_id: String,
    pub label_ids: String,
    pub intro: String,
    pub description: String,
    pub origin: super::listing::Origin,
    pub format: String,
    /// Bytes.
    pub bytes: i64,
    /// Hexadecimal.
    pub sha256: String,
    pub triangles: i64,
    pub animation: bool,
    pub score: i32,
    /// Key of the picture that its maker sees until there are those of the mall.
    pub thumb_key: String,
    /// Number of the version whose objects below m/ it uses: its own, or of one that only changes texts the one before.
    pub shown_of: i32,
    /// Keys of objects; empty: not made.
    pub source_key: String,
    pub proxy_key: String,
    /// JSON text: [{kind, key, title}].
    pub pictures: String,
    /// JSON text: what the engine found.
    pub facts: String,
    pub descriptor: Vec<u8>,
    /// What was said of it last.
    pub reason: String,
    /// When process is to be asked for its pictures next; 0: it need not be.
    pub ask_at: i64,
    pub submitted_at: i64,
    /// Operator who looks at it, and until when.
    pub claimed_by: String,
    pub claimed_until: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
