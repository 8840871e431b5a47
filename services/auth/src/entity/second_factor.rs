//! The authenticator app of an account.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "second_factor")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    /// Id of the master key under which the key of this secret is encrypted.
    pub key_id: String,
    pub wrapped_key: String,
    /// Encrypted, base64.
    pub secret: String,
    pub created_at: i64,
    /// When the owner confirmed it with a code of the app; it counts from then on.
    pub confirmed_at: Option<i64>,
    /// The newest step whose code was used: a code works once.
    pub last_step: i64,
    /// Wrong codes in a row, and when the last one came.
    pub failures: i32,
    pub failed_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
