//! A signed-in browser: its token is kept as a hash only.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    /// Lower-case hex SHA-256 of the token.
    #[sea_orm(unique)]
    pub token_hash: String,
    /// Address that signed in.
    pub remote_addr: String,
    pub created_at: i64,
    pub expires_at: i64,
    /// Within ten minutes of the last call.
    pub last_seen_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
