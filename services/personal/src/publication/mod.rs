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
use sea_orm::sea_query::ExprTrait;
use sea_orm::{Condition, QueryOrder, QuerySelect, Set};

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

    /// Notifies all open pages of announcements that have started, were corrected, or are shown no longer.
    pub(crate) async fn announce(&self) -> Result<bool, ServiceError> {
        use publication::Column::{AnnouncedAt, AnnouncedVersion, Kind as Of, PublishedVersion};
        let now = self.context.clock.now_ms();
        let shown = self.shown_at(now);
        let corrected = Expr::col(AnnouncedVersion).ne(Expr::col(PublishedVersion));
        let unknown = Condition::any().add(AnnouncedAt.eq(0)).add(corrected);
        let over = Condition::all()
            .add(AnnouncedVersion.ne(0))
            .add(shown.clone().not());
        let mut found = false;
        for (shown, due) in [(true, shown.add(unknown)), (false, over)] {
            let due = publication::Entity::find()
                .filter(Of.eq(Kind::Announcement))
                .filter(due)
                .all(&self.context.db)
                .await?;
            found |= !due.is_empty();
            for announcement in due {
                self.announce_one(announcement, shown, now).await?;
            }
        }
        Ok(found)
    }

    async fn announce_one(
        &self,
        of: Publication,
        shown: bool,
        now: i64,
    ) -> Result<(), ServiceError> {
        use publication::Column::{AnnouncedAt, AnnouncedVersion, Id};
        let new = shown && of.announced_at == 0;
        let (announced_at, announced_version) = match (shown, new) {
            (true, true) => (now, of.published_version),
            (true, false) => (of.announced_at, of.published_version),
            (false, _) => (0, 0),
        };
        // Only one of several replicas pushes.
        let updated = publication::Entity::update_many()
            .set(publication::ActiveModel {
                announced_at: Set(announced_at),
                announced_version: Set(announced_version),
                ..Default::default()
            })
            .filter(Id.eq(&of.id))
            .filter(AnnouncedAt.eq(of.announced_at))
            .filter(AnnouncedVersion.eq(of.announced_version))
            .exec(&self.context.db)
            .await?;
        if updated.rows_affected == 1 {
            self.context.bus.push_to_everybody(&MessagesChanged {
                // What was only corrected or ended lights no dot.
                id: if new { of.id } else { String::new() },
                group: "announcement".to_owned(),
                unread: None,
            });
        }
        Ok(())
    }
}
