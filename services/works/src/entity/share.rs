//! A link by which others see a work, on a page of its own or in a frame of their site.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "works_share")]
pub struct Model {
    /// 128 bits by chance: whoever has it may ask.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub work_id: String,
    pub owner: String,
    /// PHC string; empty: no password.
    pub password_hash: String,
    /// 0: it does not end by itself.
    pub ends_at: i64,
    /// 0: as often as one likes.
    pub max_views: i32,
    pub views: i32,
    /// Hosts that may frame it, joined by commas; empty: the work's visibility says.
    pub domains: String,
    /// JSON text of [`crate::share::options::Options`].
    pub options: String,
    /// Passwords tried until `wrong_until` that were not right.
    pub wrong: i32,
    pub wrong_until: i64,
    /// Lower-case hex SHA-256 of what its owner previews it by, until then.
    pub preview_hash: String,
    pub preview_until: i64,
    pub created_at: i64,
    /// 0: it was not.
    pub revoked_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    pub fn hosts(&self) -> Vec<String> {
        crate::state::split(&self.domains)
    }

    /// Whether its time or its number of views is over.
    pub fn has_ended(&self, now: i64) -> bool {
        let over = self.ends_at > 0 && self.ends_at <= now;
        over || (self.max_views > 0 && self.views >= self.max_views)
    }
}
