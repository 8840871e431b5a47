//! A registered person.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    /// Login id: 'u' and 16 characters.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    #[sea_orm(unique)]
    pub phone: String,
    /// Lower case.
    #[sea_orm(unique)]
    pub email: Option<String>,
    pub username: String,
    /// 10 digits.
    #[sea_orm(unique)]
    pub account_number: String,
    pub nickname: Option<String>,
    pub avatar: Option<String>,
    pub profession_code: String,
    /// PHC string (Argon2id).
    pub password_hash: String,
    /// 0 none, 2 and 3 model publishers.
    pub uploader_type: i32,
    pub is_operator: bool,
    /// Counts the changes of the account's facts; version of its events.
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
