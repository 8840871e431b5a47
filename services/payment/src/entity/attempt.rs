//! One try to pay an order through one channel.

use sea_orm::entity::prelude::*;

use crate::attempt::{Disposition, State};

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, serde::Serialize)]
#[sea_orm(table_name = "attempt")]
pub struct Model {
    /// At most 32 characters; the number the channel knows it by.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub order_id: String,
    pub owner: String,
    pub channel: String,
    pub coupon_id: String,
    pub state: State,
    /// Cents; 0 until the order has told it.
    pub payable: i64,
    /// JSON text: who gets the money once the order takes it.
    pub shares: String,
    pub order_no: String,
    pub subject: String,
    pub function_type: i32,
    pub transaction_type: i32,
    /// Unix time in milliseconds at which the order's window ends; 0 until the order has told it.
    pub expires_at: i64,
    /// Cents that came.
    pub captured: i64,
    /// Cents given back or on the way back; never more than `captured`.
    pub refunded: i64,
    /// Free counts that were taken; 0 when they are unlimited.
    pub counts: i64,
    /// What became of the captured money.
    pub disposition: Disposition,
    /// The channel's own number; empty without one.
    pub provider_no: String,
    /// Why it failed or is conflicted.
    pub reason: String,
    /// Whether it is to be closed at its channel: its order was shut, or settled by another attempt.
    pub closing: bool,
    pub tries: i32,
    /// Unix time in milliseconds.
    pub next_check_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
