//! A code that was sent by mail.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "mail_code")]
pub struct Model {
    /// Lower-case hex SHA-256 of the key returned when it was sent.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// The account that may bind the address.
    pub login_id: String,
    pub email: String,
    /// Lower-case hex SHA-256 of key and code.
    pub code_hash: String,
    pub tries: i32,
    pub expires_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
