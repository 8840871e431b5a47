//! Who has looked at a work of late: until then a further look does not count.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "view_seen")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub work_id: String,
    /// A digest of work and person or browser: nothing leads back from it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seen_by: String,
    pub until: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
