//! Notifications about a user's needs, offers and profile; personal writes the messages.

use chassis::ServiceError;
use proto::matchup::v1::PersonTold;
use sea_orm::DatabaseTransaction;

use crate::Matchup;
use crate::entity::demand;

/// Maximum length of a text quoted in a message.
const LONGEST: usize = 200;
const PROVIDER_PAGE: &str = "/matchingPlatform/serviceProviderPage?mine=1";

/// A notification to be published.
pub(crate) struct Notification(PersonTold);

impl Notification {
    /// About a need, or about the offer `thing` for it.
    pub(crate) fn of_demand(what: &str, to: &str, thing: &str, demand: &demand::Model) -> Self {
        Self(PersonTold {
            login_id: to.to_owned(),
            what: what.to_owned(),
            thing_id: thing.to_owned(),
            name: demand.title.clone(),
            prev_path: format!("/matchingPlatform/demandDetailsPage?demandId={}", demand.id),
            ..Default::default()
        })
    }

    /// To the author of a closed offer: links to the author's offers, as the need may be gone.
    pub(crate) fn of_offer(what: &str, to: &str, offer: &str, demand: &demand::Model) -> Self {
        let Self(base) = Self::of_demand(what, to, offer, demand);
        Self(PersonTold {
            prev_path: "/matchingPlatform/demandPage?show=offers".to_owned(),
            ..base
        })
    }

    pub(crate) fn of_provider(what: &str, to: &str, thing: &str) -> Self {
        Self(PersonTold {
            login_id: to.to_owned(),
            what: what.to_owned(),
            thing_id: thing.to_owned(),
            prev_path: PROVIDER_PAGE.to_owned(),
            ..Default::default()
        })
    }

    pub(crate) fn because(mut self, reason: &str) -> Self {
        self.0.reason = reason.chars().take(LONGEST).collect();
        self
    }
}

impl Matchup {
    /// Publishes a notification, except to examples and closed accounts.
    pub(crate) async fn notify(
        &self,
        transaction: &DatabaseTransaction,
        Notification(mut event): Notification,
    ) -> Result<(), ServiceError> {
        if event.login_id.is_empty() || event.login_id.starts_with('#') {
            return Ok(());
        }
        event.at_ms = self.now();
        let about = event.thing_id.clone();
        self.outbox.add(transaction, &about, &event).await?;
        Ok(())
    }
}
