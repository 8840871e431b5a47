//! How somebody who came by a provider appears there, until it was looked at and stands in the profile.

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
    /// When it is looked at next, Unix time in milliseconds.
    pub due_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
