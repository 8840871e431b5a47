//! Notifications about a user's works and comments; personal writes the messages.

use chassis::ServiceError;
use proto::works::v1::PersonTold;
use sea_orm::DatabaseTransaction;

use crate::Works;
use crate::entity::work;

/// Maximum length of a text quoted in a message.
const LONGEST: usize = 200;

/// A notification to be published.
pub(crate) struct Notification(PersonTold);

impl Notification {
    pub(crate) fn new(what: &str, to: &str, thing: &str, work: &work::Model) -> Self {
        Self(PersonTold {
            login_id: to.to_owned(),
            what: what.to_owned(),
            thing_id: thing.to_owned(),
            name: work.known_name(),
            prev_path: work.page(),
            ..Default::default()
        })
    }

    pub(crate) fn because(mut self, reason: &str) -> Self {
        self.0.reason = reason.chars().take(LONGEST).collect();
        self
    }
}

impl Works {
    pub(crate) async fn notify(
        &self,
        transaction: &DatabaseTransaction,
        Notification(mut event): Notification,
    ) -> Result<(), ServiceError> {
        event.at_ms = self.now();
        let about = event.thing_id.clone();
        self.outbox.add(transaction, &about, &event).await?;
        Ok(())
    }
}
