//! How auth handles the events that it consumes.

use std::sync::Arc;

use chassis::rights;
use proto::auth::v1::{AccountClosed, AccountErased, AuditRecorded, AuthEvents};
use proto::common::v1::AuditEntry;
use proto::payment::v1::InvitationRewarded;
use proto::personal::v1::ProfileChanged;
use proto::process::v1::CheckFinished;
use proto::{analytics, order, payment, personal, process, transaction as mall, works};
use sea_orm::DatabaseTransaction;

use crate::certification::vault::Vault;
use crate::closure::Closures;
use crate::console::chain;
use crate::invitation::Invitations;
use crate::store;

/// Handles the events of auth.
pub(crate) struct Consumer {
    pub invitations: Invitations,
    pub closures: Closures,
    pub vault: Arc<Vault>,
}

impl Consumer {
    /// Adds an operator's act to the log.
    async fn chained(
        &self,
        transaction: &DatabaseTransaction,
        entry: Option<AuditEntry>,
    ) -> anyhow::Result<()> {
        chain::add(&self.vault, transaction, entry.unwrap_or_default()).await
    }
}

impl AuthEvents<DatabaseTransaction> for Consumer {
    async fn personal_profile_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: ProfileChanged,
    ) -> anyhow::Result<()> {
        Ok(store::set_appearance(transaction, event).await?)
    }

    async fn transaction_modeler_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: mall::v1::ModelerChanged,
    ) -> anyhow::Result<()> {
        Ok(store::set_uploader_type(transaction, event).await?)
    }

    async fn process_check_finished(
        &self,
        transaction: &DatabaseTransaction,
        event: CheckFinished,
    ) -> anyhow::Result<()> {
        self.invitations.checked(transaction, &event).await
    }

    async fn payment_invitation_rewarded(
        &self,
        transaction: &DatabaseTransaction,
        event: InvitationRewarded,
    ) -> anyhow::Result<()> {
        self.invitations.rewarded(transaction, &event).await
    }

    async fn auth_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn personal_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::personal::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn analytics_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::analytics::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn transaction_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: mall::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn payment_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::payment::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn works_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: works::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn process_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::process::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn content_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::content::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn matchup_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::matchup::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        self.chained(transaction, event.entry).await
    }

    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(rights::note(self.closures.context(), transaction, event).await?)
    }

    async fn auth_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "auth", id, round)
            .await?)
    }

    async fn personal_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: personal::v1::AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "personal", id, round)
            .await?)
    }

    async fn process_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: process::v1::AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "process", id, round)
            .await?)
    }

    async fn order_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: order::v1::AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "order", id, round)
            .await?)
    }

    async fn payment_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: payment::v1::AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "payment", id, round)
            .await?)
    }

    async fn transaction_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: mall::v1::AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "transaction", id, round)
            .await?)
    }

    async fn works_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: works::v1::AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "works", id, round)
            .await?)
    }

    async fn matchup_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::matchup::v1::AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "matchup", id, round)
            .await?)
    }

    async fn analytics_account_erased(
        &self,
        transaction: &DatabaseTransaction,
        event: analytics::v1::AccountErased,
    ) -> anyhow::Result<()> {
        let (id, round) = (&event.closure_id, event.round);
        Ok(self
            .closures
            .answered(transaction, "analytics", id, round)
            .await?)
    }
}
