//! History of a work, shown to its author and to operators.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum Action {
        Submitted = "submitted",
        Approved = "approved",
        Refused = "refused",
        Withdrawn = "withdrawn",
        Relisted = "relisted",
        Hidden = "hidden",
        Restored = "restored",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "work_record")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub work_id: String,
    pub action: Action,
    pub reason: String,
    pub bundle: i32,
    pub at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
