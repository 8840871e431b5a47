//! A line of the action log. The user name sent along is not stored: no feature needs to identify the user.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "action_log")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub source: String,
    pub visitor: String,
    /// The user id that the browser claims: never joined with accounts.
    pub user_claim: String,
    pub template: String,
    pub tag: String,
    pub location: String,
    pub node: String,
    pub at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
