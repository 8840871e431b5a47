//! A bank card that a user's income is paid to.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "bank_card")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub owner: String,
    /// Id of the master key under which the card's own key is encrypted.
    pub key_id: String,
    pub wrapped_key: String,
    /// Base64 of number and holder, encrypted.
    pub details: String,
    /// By which equal numbers are found.
    pub number_index: String,
    /// Empty: not known.
    pub bank_name: String,
    pub last4: String,
    /// Masked.
    pub holder: String,
    pub branch: String,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
