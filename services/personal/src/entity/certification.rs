//! Certification of an account; a copy of auth's decision.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "certification")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub login_id: String,
    /// Version of the event it was copied from.
    pub version: i64,
    /// 0 under review, 1 verified, 2 rejected, 3 not verified.
    pub check_status: i32,
    pub cause: String,
    pub company_name: String,
    pub real_name_masked: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
