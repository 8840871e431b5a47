//! Files that their owners have released, as process published them: what a listing or a version can be made of.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "released_file")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub file_id: String,
    pub owner: String,
    pub name: String,
    pub format: String,
    /// Bytes.
    pub file_size: i64,
    /// Hexadecimal.
    pub sha256: String,
    pub triangles: i64,
    pub animation: bool,
    pub score: i32,
    pub label_ids: String,
    /// Key of its picture in the object store.
    pub thumb_key: String,
    pub released_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
