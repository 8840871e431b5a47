//! A user's counts as last published by process, and by transaction for purchased models.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "statistics")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    /// Events with a lower version are ignored.
    pub version: i64,
    pub total_uploads: i64,
    pub total_single_models: i64,
    pub total_scene_models: i64,
    pub total_models: i64,
    pub total_results: i64,
    /// JSON text: service type → count.
    pub results_by_service: String,
    /// The same for the fields below.
    pub purchases_version: i64,
    pub total_purchased_models: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
