//! Recent viewers of a work: until `until` a further view is not counted.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "view_seen")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub work_id: String,
    /// Digest of work and user or browser, which cannot be reversed.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seen_by: String,
    pub until: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
