//! What auth publishes and consumes.

use chassis::bus::Bus;
use chassis::messaging::Outbox;
use chassis::rights;
use proto::auth::v1::{
    AccountChanged, AccountClosed, AccountErased, AccountRegistered, AuditRecorded, AuthEvents,
    IdentityRegistered, SessionRevoked, TokensRevoked,
};
use proto::payment::v1::InvitationRewarded;
use proto::personal::v1::ProfileChanged;
use proto::process::v1::CheckFinished;
use proto::{analytics, order, payment, personal, process, transaction as mall, works};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use crate::closure::Closures;
use crate::console::chain;
use crate::entity::account;
use crate::invitation::Invitations;
use crate::{rules, store};

/// A person registered.
pub async fn registered(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    account: &account::Model,
) -> Result<(), DbErr> {
    let event = AccountRegistered {
        login_id: account.id.clone(),
        phone_masked: rules::masked(&account.phone),
        profession_code: account.profession_code.clone(),
        registered_at_ms: account.created_at,
        account_number: account.account_number.clone(),
    };
    outbox.add(transaction, &account.id, &event).await
}

/// A person came by a provider: how he appears there.
pub async fn introduced(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    account: &account::Model,
    nickname: &str,
    picture: Vec<u8>,
) -> Result<(), DbErr> {
    let event = IdentityRegistered {
        login_id: account.id.clone(),
        nickname: nickname.to_owned(),
        picture,
    };
    outbox.add(transaction, &account.id, &event).await
}

/// What others copy of an account is another one from now on.
pub async fn changed(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    account: &account::Model,
) -> Result<(), DbErr> {
    let email = account.email.as_deref();
    let event = AccountChanged {
        login_id: account.id.clone(),
        version: account.version,
        phone_masked: rules::masked(&account.phone),
        email_masked: email.map(rules::masked_email).unwrap_or_default(),
    };
    outbox.add(transaction, &account.id, &event).await
}

/// Tokens ended.
pub async fn revoked(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    revocation: &Revocation,
) -> Result<(), DbErr> {
    if revocation.token_hashes.is_empty() {
        return Ok(());
    }
    let event = SessionRevoked {
        login_id: revocation.login_id.clone(),
        token_hashes: revocation.token_hashes.clone(),
    };
    outbox.add(transaction, &revocation.login_id, &event).await
}

/// Tokens of one account that ended.
#[derive(Debug, Clone, Default)]
pub struct Revocation {
    pub login_id: String,
    /// Lower-case hex SHA-256 each.
    pub token_hashes: Vec<String>,
}

impl Revocation {
    /// Notifies the gateways at once; call it after the transaction was committed.
    pub fn push(&self, bus: &Bus) {
        if self.token_hashes.is_empty() {
            return;
        }
        bus.notify(&TokensRevoked {
            login_id: self.login_id.clone(),
            token_hashes: self.token_hashes.clone(),
        });
    }
}

/// Handles the events of auth.
pub(crate) struct Consumer {
    pub invitations: Invitations,
    pub closures: Closures,
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
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn personal_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::personal::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn analytics_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::analytics::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn transaction_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: mall::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn payment_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::payment::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn works_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: works::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn process_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::process::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn content_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::content::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn matchup_audit_recorded(
        &self,
        transaction: &DatabaseTransaction,
        event: proto::matchup::v1::AuditRecorded,
    ) -> anyhow::Result<()> {
        Ok(chain::add(transaction, event.entry.unwrap_or_default()).await?)
    }

    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(rights::note(transaction, event, self.closures.now_ms()).await?)
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
