//! A word listed by operators.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What happens to a text that contains it.
    pub enum Action {
        Refuse = "refuse",
        Review = "review",
        Replace = "replace",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "word")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    #[sea_orm(unique)]
    pub word: String,
    pub action: Action,
    /// For [`Action::Replace`]; empty: asterisks.
    pub replacement: String,
    pub note: String,
    pub created_by: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
