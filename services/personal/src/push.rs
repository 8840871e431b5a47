//! Pushes to open pages.

use proto::personal::v1::{ChatAnswered, PagesTold};
use sea_orm::{DatabaseTransaction, DbErr};

use crate::Personal;

impl Personal {
    /// As a command has it, which ends before its pushes are heard: they go out by event.
    pub(crate) fn beside(&self) -> Self {
        Self {
            beside: true,
            ..self.clone()
        }
    }

    /// From a command: asks the service that runs to tell the user's open pages. Nothing otherwise: who serves tells them itself.
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

    /// A command has asked for it.
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

    /// Tells the user's open pages that somebody has written.
    pub(crate) fn push_chat(&self, login_id: &str) {
        self.context.bus.push(login_id, &ChatAnswered {});
    }
}
