//! What operators publish for all users: announcements, popups, friend links, client versions. One row each, shared by all readers.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum Kind {
        Announcement = "announcement",
        Popup = "popup",
        MemberPopup = "memberPopup",
        FriendLink = "friendLink",
        ClientVersion = "clientVersion",
    }
}

chassis::column_enum! {
    pub enum State {
        Draft = "draft",
        Published = "published",
        Withdrawn = "withdrawn",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "publication")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub kind: Kind,
    pub state: State,
    /// Published content: JSON by `kind`.
    pub content: String,
    /// Unix time in milliseconds.
    pub starts_at: i64,
    /// Unix time in milliseconds; 0: no end.
    pub ends_at: i64,
    /// Smaller ones come first.
    pub position: i32,
    /// Version of the latest revision.
    pub version: i64,
    /// Version of the revision that is, or was, published; 0: none yet.
    pub published_version: i64,
    /// When open pages were notified of it, Unix time in milliseconds; 0: not yet.
    pub announced_at: i64,
    /// Version that open pages know to be shown; 0: none.
    pub announced_version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
