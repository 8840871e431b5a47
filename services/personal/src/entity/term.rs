//! A period of membership, created from one order.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "term")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub order_id: String,
    pub login_id: String,
    pub grade_id: String,
    pub grade_name: String,
    /// 1 basic, 2 advanced, 3 professional.
    pub rank: i32,
    pub storage_gb: i64,
    pub single_max_mb: i64,
    /// Free counts, −1 unlimited; none in older terms, which did not store them. Mall models per month.
    pub mall_counts: Option<i64>,
    /// Per membership year, as the next two.
    pub lightweight_counts: Option<i64>,
    pub conversion_counts: Option<i64>,
    pub offline_counts: Option<i64>,
    /// Unix time in milliseconds.
    pub starts_at: i64,
    /// Unix time in milliseconds.
    pub ends_at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
