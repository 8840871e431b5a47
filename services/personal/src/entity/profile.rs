//! What is known of a user beyond the credentials; made from the event of the registration.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "profile")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    pub account_number: String,
    /// Middle four digits hidden.
    pub phone_masked: String,
    pub profession_code: String,
    pub avatar: Option<String>,
    pub nickname: Option<String>,
    pub introduce: Option<String>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
