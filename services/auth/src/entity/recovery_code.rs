//! A code that replaces the authenticator app, once.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "recovery_code")]
pub struct Model {
    /// Lower-case hex SHA-256 of login id and code, which has 100 random bits.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
