//! The owner's rating of a result. It outlives the result, since it is about the service.

use sea_orm::entity::prelude::*;

use crate::params::ServiceType;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "result_feedback")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub result_id: String,
    pub owner: String,
    pub service_type: ServiceType,
    /// 1 to 5.
    pub stars: i32,
    pub content: String,
    /// Name when last rated.
    pub model_name: String,
    /// Status of the result when last rated: done or failed.
    pub status: String,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
