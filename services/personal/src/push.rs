//! Pushes to open pages.

use proto::personal::v1::{ChatAnswered, PagesTold};
use sea_orm::{DatabaseTransaction, DbErr};

use crate::Personal;

impl Personal {
    /// A handle for a command: the process ends before its pushes are delivered, so they are sent as events.
    pub(crate) fn beside(&self) -> Self {
        Self {
            beside: true,
            ..self.clone()
        }
    }

    /// In a command: publishes an event that has the running service notify the user's open pages. Otherwise a no-op: a running
    /// service pushes directly.
    pub(crate) async fn have_told(
        &self,
        transaction: &DatabaseTransaction,
        login_id: &str,
        what: &str,
    ) -> Result<(), DbErr> {
        let told = PagesTold {
            login_id: login_id.to_owned(),
            what: what.to_owned(),
            ..Default::default()
        };
        self.have_told_of(transaction, told).await
    }

    pub(crate) async fn have_told_of(
        &self,
        transaction: &DatabaseTransaction,
        told: PagesTold,
    ) -> Result<(), DbErr> {
        if !self.beside {
            return Ok(());
        }
        let of = told.login_id.clone();
        self.outbox.add(transaction, &of, &told).await
    }

    /// Handles that event.
    pub(crate) fn tell_pages(&self, told: PagesTold) {
        let login_id = told.login_id;
        match told.what.as_str() {
            "MESSAGE" => {
                let push = self
                    .clone()
                    .push_message(login_id, told.message_id, told.group);
                tokio::spawn(push);
            }
            "CHAT" => self.push_chat(&login_id),
            "PROFILE" => self.push_profile(&login_id),
            other => tracing::warn!(what = other, "pages cannot be told of it"),
        }
    }

    /// Notifies the user's open pages of a new chat line.
    pub(crate) fn push_chat(&self, login_id: &str) {
        self.context.bus.push(login_id, &ChatAnswered {});
    }
}
