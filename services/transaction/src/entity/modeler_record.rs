//! What happened to a user as a maker: the user and the operators read it.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What happened.
    pub enum Action {
        Applied = "applied",
        Approved = "approved",
        Refused = "refused",
        Frozen = "frozen",
        Unfrozen = "unfrozen",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "modeler_record")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    pub action: Action,
    pub reason: String,
    pub at: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
