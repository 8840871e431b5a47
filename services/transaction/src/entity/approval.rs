//! What happened to a listing: its maker and its reviewers read it.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What happened.
    pub enum Action {
        Submitted = "submitted",
        Approved = "approved",
        Changes = "changes",
        Refused = "refused",
        Withdrawn = "withdrawn",
        Relisted = "relisted",
        TakenDown = "takendown",
        Restored = "restored",
        /// Restored: it was taken down without ground.
        Cleared = "cleared",
        Removed = "removed",
        /// The pictures could not be made.
        Failed = "failed",
        /// Changes of a listed model, by their maker: out of review, given up.
        TakenBack = "takenBack",
        Discarded = "discarded",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "approval")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub listing_id: String,
    pub version: i32,
    pub action: Action,
    pub reason: String,
    pub at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
