//! A message to one user.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "message")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    /// What it reports; unique per user, so that nothing is sent twice.
    pub event: String,
    pub group_name: String,
    pub kind: String,
    /// Parameters of the text, a JSON object.
    pub params: String,
    pub link: String,
    /// Unix time in milliseconds; 0: unread.
    pub read_at: i64,
    /// Unix time in milliseconds.
    pub created_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
