//! A browser that an account has signed in on. It keeps a random key; the row reveals neither the key nor the browser's other
//! accounts.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "known_device")]
pub struct Model {
    /// Lower-case hex SHA-256 of key and login id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    pub last_seen_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
