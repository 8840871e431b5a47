//! What an attempt was told when it began: the price it may pay, and the coupon it uses.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "reservation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub attempt_id: String,
    pub order_id: String,
    pub channel: String,
    pub coupon_id: Option<String>,
    /// Cents.
    pub payable: i64,
    /// Cents.
    pub coupon_off: i64,
    /// live, consumed or released.
    pub state: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
