//! A link that shows a work to others, on a page of its own or in a frame of another site.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "works_share")]
pub struct Model {
    /// 128 random bits; knowing it is enough to open the share.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub work_id: String,
    pub owner: String,
    /// PHC string; empty: no password.
    pub password_hash: String,
    /// 0: no end.
    pub ends_at: i64,
    /// 0: unlimited.
    pub max_views: i32,
    pub views: i32,
    /// Hosts that may frame it, joined by commas; empty: depends on the work's visibility.
    pub domains: String,
    /// JSON text of [`crate::share::options::Options`].
    pub options: String,
    /// Wrong passwords in the window that ends at `wrong_until`.
    pub wrong: i32,
    pub wrong_until: i64,
    /// Lower-case hex SHA-256 of the owner's preview secret, valid until `preview_until`.
    pub preview_hash: String,
    pub preview_until: i64,
    pub created_at: i64,
    /// 0: not revoked.
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

    /// Whether it has expired or used up its views.
    pub fn has_ended(&self, now: i64) -> bool {
        let over = self.ends_at > 0 && self.ends_at <= now;
        over || (self.max_views > 0 && self.views >= self.max_views)
    }
}
