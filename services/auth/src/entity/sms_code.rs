//! A code that was sent. The limits count these rows.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What a code is valid for.
    pub enum Purpose {
        Login = "login",
        Register = "register",
        Rebuild = "rebuild",
        BindPhone = "bindPhone",
        /// Sent to the account's own number, for a signed-in user.
        Confirm = "confirm",
    }
}

chassis::column_enum! {
    /// Who requested a code: the codes of each are counted apart, so that no other uses up those of the number's owner.
    pub enum Lane {
        Stranger = "stranger",
        /// At an address that the account has signed in from lately.
        Near = "near",
        /// On a device, or in a session, of the account.
        Owner = "owner",
        /// Knew the account's password.
        Knower = "knower",
        /// Claimed to know it: no code was sent, which the reply does not tell.
        Pretender = "pretender",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "sms_code")]
pub struct Model {
    /// Lower-case hex SHA-256 of the SMS key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub phone: String,
    pub purpose: Purpose,
    /// Lower-case hex SHA-256 of key and code: without the key, which is not stored, six digits cannot be tried out.
    pub code_hash: String,
    pub remote_addr: String,
    pub lane: Lane,
    pub tries: i32,
    pub created_at: i64,
    pub expires_at: i64,
    /// When it was used or replaced by a newer one.
    pub ended_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
