//! An identity of a provider that an account is linked with.

use sea_orm::entity::prelude::*;

use crate::identity::Provider;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "identity")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub provider: Provider,
    /// Our application at the provider, which open ids belong to.
    pub app_id: String,
    pub open_id: String,
    /// The person's id across applications, if the provider returns it.
    pub union_id: Option<String>,
    pub login_id: String,
    pub nickname: String,
    /// Data URI of a small picture made by us, or empty.
    pub avatar: String,
    pub created_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
