//! What a user has, the version that orders changes of it, and whether the user's jobs give way.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "user_counter")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner: String,
    pub version: i64,
    /// The user's jobs give way to those of all other users.
    pub gives_way: bool,
    /// Version that the figures below are of. Another one than `version`: they are not true, and must be counted.
    pub counted_at: i64,
    /// Files that are not deleted, scenes included.
    pub files: i64,
    pub scenes: i64,
    pub released: i64,
    /// Bytes of these files.
    pub bytes: i64,
    /// Results of each service: JSON text, numbers by name.
    pub results: String,
    /// Bytes of the finished ones.
    pub result_bytes: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
