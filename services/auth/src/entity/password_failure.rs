//! A wrong password for an existing account. A sign-in removes those of its own address and device.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "password_failure")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    pub remote_addr: String,
    pub at: i64,
    /// Id of the known device; empty for any other.
    pub device: String,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
