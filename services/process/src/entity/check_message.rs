//! One message of a check-up, numbered from 1.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// Status of a message, with the names of the specification.
    pub enum CheckStatus {
        Begin = "Begin",
        Normal = "Normal",
        Success = "Success",
        Error = "Error",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "check_message")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub file_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    pub status: CheckStatus,
    pub tips: String,
    pub created_at: i64,
    pub file_size: i64,
    pub format: String,
    pub animation: bool,
    pub model_num: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
