//! A line of a user's account details.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "statement")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub owner: String,
    pub transaction_type: i32,
    pub function_type: i32,
    /// alipay, wechat, balance or bankCard; empty for a gift.
    pub pay_method: String,
    /// Cents: what came in or, below zero, went out.
    pub amount: i64,
    /// Cents on the account afterwards; none when no account of the owner was touched.
    pub balance: Option<i64>,
    pub order_no: String,
    pub description: String,
    pub created_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
