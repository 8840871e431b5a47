//! An order.

use sea_orm::entity::prelude::*;

use crate::rules::{Closing, State};

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "purchase")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub order_no: String,
    pub owner: String,
    pub function_module: i32,
    pub order_type: i32,
    pub description: String,
    /// Cents: the price, frozen.
    pub amount: i64,
    /// JSON text of [`crate::product::Product`].
    pub product: String,
    pub state: State,
    pub closing: Closing,
    /// The coupon it was last submitted with.
    pub coupon_id: Option<String>,
    /// Cents this coupon takes off.
    pub coupon_off: i64,
    /// Cents.
    pub payable: i64,
    pub pay_method: Option<String>,
    /// The attempt that settled it.
    pub attempt_id: Option<String>,
    pub created_at: i64,
    pub expires_at: i64,
    pub paid_at: Option<i64>,
    pub fulfilled_at: Option<i64>,
    pub ended_at: Option<i64>,
    /// When it was shut: nobody can begin to pay it since.
    pub shut_at: Option<i64>,
    /// How often payment was asked since.
    pub checks: i32,
    /// Unix time in milliseconds.
    pub next_check_at: i64,
    pub version: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
