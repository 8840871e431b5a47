//! A registered user.

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
    /// PHC string (Argon2id); empty without a password.
    pub password_hash: String,
    /// 0 none, 1 the platform's own studio, 2 personal modeler, 3 enterprise modeler; as last published by transaction.
    pub uploader_type: i32,
    /// Unused: from versions before operators had accounts of their own.
    pub is_operator: bool,
    /// Counts the changes of the account's facts; version of its events.
    pub version: i64,
    pub created_at: i64,
    /// Answers of the step after registration; none when it was skipped.
    pub interest: Option<String>,
    pub register_purpose: Option<String>,
    /// When a code confirmed the e-mail address; none for one that an operator set.
    pub email_verified_at: Option<i64>,
    /// Version of the profile whose names are copied here.
    pub profile_version: i64,
    /// Version of the maker's row whose type is copied here.
    pub modeler_version: i64,
    pub updated_at: i64,
    /// When the first model passed its check-up, Unix time in milliseconds; 0: none has.
    pub first_upload_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
