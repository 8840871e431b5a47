//! Nickname and picture of a user who registered by WeChat or QQ, until they are checked and stored in the profile.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "newcomer")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    pub nickname: String,
    /// JPEG in base64.
    pub picture: String,
    pub created_at: i64,
    /// Time of the next check, Unix time in milliseconds.
    pub due_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
