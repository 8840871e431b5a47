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
    pub(crate) async fn queue_push(
        &self,
        transaction: &DatabaseTransaction,
        login_id: &str,
        what: &str,
    ) -> Result<(), DbErr> {
        let event = PagesTold {
            login_id: login_id.to_owned(),
            what: what.to_owned(),
            ..Default::default()
        };
        self.queue_push_of(transaction, event).await
    }

    pub(crate) async fn queue_push_of(
        &self,
        transaction: &DatabaseTransaction,
        event: PagesTold,
    ) -> Result<(), DbErr> {
        if !self.beside {
            return Ok(());
        }
        let of = event.login_id.clone();
        self.outbox.add(transaction, &of, &event).await
    }

    /// Handles that event.
    pub(crate) fn push_pages(&self, event: PagesTold) {
        let login_id = event.login_id;
        match event.what.as_str() {
            "MESSAGE" => {
                let push = self
                    .clone()
                    .push_message(login_id, event.message_id, event.group);
                tokio::spawn(push);
            }
            "CHAT" => self.push_chat(&login_id),
            "PROFILE" => self.push_profile(&login_id),
            other => tracing::warn!(what = other, "no push of this name"),
        }
    }

    /// Notifies the user's open pages of a new chat line.
    pub(crate) fn push_chat(&self, login_id: &str) {
        self.context.bus.push(login_id, &ChatAnswered {});
    }
}
