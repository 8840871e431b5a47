//! Money that a channel reported and that fits nothing.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, serde::Serialize)]
#[sea_orm(table_name = "misfit")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub channel: String,
    /// Number of the payment, as the channel said it.
    pub number: String,
    pub why: String,
    /// What the channel sent; empty when it was said in an answer.
    pub body: String,
    pub created_at: i64,
    /// When an operator was done with it.
    pub ended_at: Option<i64>,
    pub ended_by: String,
    pub note: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
