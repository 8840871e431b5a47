//! What is known of a user beyond the credentials; made from the event of the registration.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "profile")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    pub account_number: String,
    /// Middle four digits hidden.
    pub phone_masked: String,
    pub profession_code: String,
    pub avatar: Option<String>,
    pub nickname: Option<String>,
    pub introduce: Option<String>,
    pub created_at: i64,
    /// Counts the user's own changes; version of the events about them.
    pub version: i64,
    /// Empty as long as the user has not chosen one.
    pub username: String,
    /// First letter and domain; empty without an address.
    pub email_masked: String,
    /// Version of the account whose facts are copied here.
    pub account_version: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
