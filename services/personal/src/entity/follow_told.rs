//! Follows that were told to the followed user; outlives an unfollow and the message.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "follow_told")]
pub struct Model {
    /// The follower.
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub target_id: String,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
