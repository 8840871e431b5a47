//! What a visitor did with a control of the site.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "user_visit")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub visitor: String,
    pub start_time: i64,
    pub end_time: i64,
    pub button_name: String,
    pub event_type: String,
    pub operation_type: String,
    pub process_type: String,
    pub website_module: String,
    pub task_id: String,
    pub at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
