//! What operators publish for all users: drafts, dates, revisions and restoring, alike for each kind.

mod console;
mod content;
mod edit;
mod picture;
pub(crate) mod schema;
mod seed;
mod shown;

use chassis::ServiceError;
use proto::personal::v1::MessagesChanged;
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect, Set};

pub use content::{Announcement, ClientVersion, FriendLink, MemberPopup, Popup};

use crate::Personal;
pub use crate::entity::publication::{Kind, Model as Publication, State};
pub use crate::entity::publication_revision::Model as Revision;
use crate::entity::{publication, publication_revision};

/// Maximum number of revisions listed.
const MOST_REVISIONS: u64 = 200;

/// An announcement shown now.
pub(crate) struct Announced {
    pub id: String,
    pub content: Announcement,
    pub starts_at: i64,
}

/// The fields of a saved revision.
#[derive(Debug, Clone)]
pub struct Saved {
    /// JSON by kind.
    pub content: String,
    /// Unix time in milliseconds; 0: at once.
    pub starts_at: i64,
    /// Unix time in milliseconds; 0: no end.
    pub ends_at: i64,
    pub position: i32,
}

impl Personal {
    /// Revisions of a publication, newest first.
    pub async fn revisions(&self, id: &str) -> Result<Vec<Revision>, ServiceError> {
        let all = publication_revision::Entity::find()
            .filter(publication_revision::Column::PublicationId.eq(id))
            .order_by_desc(publication_revision::Column::Version)
            .limit(MOST_REVISIONS)
            .all(&self.context.db)
            .await?;
        Ok(all)
    }

    /// Notifies all open pages of announcements that have started and were not pushed yet.
    pub(crate) async fn announce(&self) -> Result<bool, ServiceError> {
        let now = self.context.clock.now_ms();
        let due = publication::Entity::find()
            .filter(publication::Column::Kind.eq(Kind::Announcement))
            .filter(publication::Column::AnnouncedAt.eq(0))
            .filter(self.shown_at(now))
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        for announcement in due {
            // Only one of several replicas pushes.
            let updated = publication::Entity::update_many()
                .set(publication::ActiveModel {
                    announced_at: Set(now),
                    ..Default::default()
                })
                .filter(publication::Column::Id.eq(&announcement.id))
                .filter(publication::Column::AnnouncedAt.eq(0))
                .exec(&self.context.db)
                .await?;
            if updated.rows_affected == 1 {
                self.context.bus.push_to_everybody(&MessagesChanged {
                    id: announcement.id,
                    group: "announcement".to_owned(),
                    unread: None,
                });
            }
        }
        Ok(found)
    }
}
