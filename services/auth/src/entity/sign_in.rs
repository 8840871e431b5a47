//! A sign-in, or the refusal of one.

use sea_orm::entity::prelude::*;

use super::session::{Kind, Method};

chassis::column_enum! {
    /// Outcome of a sign-in.
    pub enum Outcome {
        Opened = "opened",
        WrongPassword = "wrongPassword",
        WrongFactor = "wrongFactor",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_in")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    pub at: i64,
    pub method: Method,
    pub outcome: Outcome,
    pub kind: Kind,
    /// Display name.
    pub device: String,
    pub remote_addr: String,
    pub new_device: bool,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
