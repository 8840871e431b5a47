//! Messages to users about their part in the mall: personal writes them.

use chassis::ServiceError;
use proto::transaction::v1::PersonTold;
use sea_orm::DatabaseTransaction;

use crate::Mall;
use crate::entity::listing;

/// Characters of a text that a message repeats.
const LONGEST: usize = 200;

/// A message that is to be written.
pub(crate) struct Notification(PersonTold);

impl Notification {
    pub(crate) fn new(what: &str, to: &str, thing: &str, listing: &listing::Model) -> Self {
        Self(PersonTold {
            login_id: to.to_owned(),
            what: what.to_owned(),
            thing_id: thing.to_owned(),
            listing_id: listing.id.clone(),
            name: listing.name.clone(),
            ..Default::default()
        })
    }

    /// When it happened, if not now.
    pub(crate) fn at(mut self, at: i64) -> Self {
        self.0.at_ms = at;
        self
    }

    pub(crate) fn because(mut self, reason: &str) -> Self {
        self.0.reason = reason.chars().take(LONGEST).collect();
        self
    }
}

impl Mall {
    /// Tells the maker of a listing what became of it or of this version.
    pub(crate) async fn tell_maker(
        &self,
        transaction: &DatabaseTransaction,
        listing: &listing::Model,
        (what, version): (&str, i32),
        reason: &str,
    ) -> Result<(), ServiceError> {
        let thing = format!("{}-{version}", listing.id);
        let message = Notification::new(what, &listing.seller, &thing, listing).because(reason);
        self.notify(transaction, message).await
    }

    pub(crate) async fn notify(
        &self,
        transaction: &DatabaseTransaction,
        Notification(mut event): Notification,
    ) -> Result<(), ServiceError> {
        if event.at_ms == 0 {
            event.at_ms = self.now();
        }
        let about = event.thing_id.clone();
        self.outbox.add(transaction, &about, &event).await?;
        Ok(())
    }
}
