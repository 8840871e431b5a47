//! Work for the engine. A worker holds a job by a lease and loses it when it falls silent.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "job")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// check, or the name of a service.
    pub kind: String,
    pub owner: String,
    pub file_id: String,
    /// Empty for a check.
    pub result_id: String,
    /// queued, running, done, failed or cancelled.
    pub state: String,
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
