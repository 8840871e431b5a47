//! A user's profile beyond the credentials, created from the registration event.

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
    /// Incremented with the user's own changes; version of the events about them.
    pub version: i64,
    /// Empty until the user chooses one.
    pub username: String,
    /// The username in lower case, which nobody else has; none for one chosen twice before there was this column.
    #[sea_orm(unique)]
    pub username_key: Option<String>,
    /// First letter and domain; empty without an address.
    pub email_masked: String,
    /// Version of the account fields that are copied here.
    pub account_version: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
