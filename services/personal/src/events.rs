//! Events consumed by the service.

use chassis::rights;
use proto::auth::v1::{
    AccountChanged, AccountClosed, AccountRegistered, AccountSecured, CertificationChanged,
    CertificationDecided, ExportFinished, IdentityRegistered, InvitationQualified, SessionOpened,
    SessionRevoked,
};
use proto::order::v1::order_paid::Product;
use proto::order::v1::{OrderEnded, OrderPaid};
use proto::payment::v1::{RefundSucceeded, WithdrawalChanged};
use proto::personal::v1::{PagesTold, PersonalEvents};
use proto::process::v1::{CheckFinished, ResultFinished, StatisticsChanged};
use proto::transaction::v1::{ModelerChanged, PersonTold, PurchasesChanged};
use proto::{matchup, works};
use sea_orm::DatabaseTransaction;

use crate::message::events as messages;
use crate::points::Earned;
use crate::{Personal, profile};

/// Handles the events of personal.
pub(crate) struct Consumer(pub Personal);

impl PersonalEvents<DatabaseTransaction> for Consumer {
    async fn auth_account_registered(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountRegistered,
    ) -> anyhow::Result<()> {
        let login_id = event.login_id.clone();
        profile::registered(transaction, event).await?;
        let earned = self
            .0
            .earn(transaction, &login_id, Earned::Register, &login_id);
        Ok(earned.await?)
    }

    async fn auth_identity_registered(
        &self,
        transaction: &DatabaseTransaction,
        event: IdentityRegistered,
    ) -> anyhow::Result<()> {
        profile::newcomers::note(transaction, event, self.0.context.clock.now_ms()).await
    }

    async fn auth_session_revoked(
        &self,
        transaction: &DatabaseTransaction,
        event: SessionRevoked,
    ) -> anyhow::Result<()> {
        self.0.note_ended(transaction, event).await
    }

    async fn auth_account_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountChanged,
    ) -> anyhow::Result<()> {
        profile::account_changed(transaction, event).await
    }

    async fn auth_certification_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: CertificationChanged,
    ) -> anyhow::Result<()> {
        self.0.certification_changed(transaction, event).await
    }

    async fn auth_certification_decided(
        &self,
        transaction: &DatabaseTransaction,
        event: CertificationDecided,
    ) -> anyhow::Result<()> {
        self.0
            .tell_user(transaction, messages::certification(event))
            .await
    }

    async fn process_statistics_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: StatisticsChanged,
    ) -> anyhow::Result<()> {
        profile::counted(transaction, event).await
    }

    async fn transaction_purchases_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: PurchasesChanged,
    ) -> anyhow::Result<()> {
        profile::purchased(transaction, event).await
    }

    async fn transaction_person_told(
        &self,
        transaction: &DatabaseTransaction,
        event: PersonTold,
    ) -> anyhow::Result<()> {
        match messages::message_of(&event) {
            Some(message) => self.0.tell_user(transaction, message).await,
            None => Ok(()),
        }
    }

    async fn works_person_told(
        &self,
        transaction: &DatabaseTransaction,
        event: works::v1::PersonTold,
    ) -> anyhow::Result<()> {
        match messages::of_work(&event) {
            Some(message) => self.0.tell_user(transaction, message).await,
            None => Ok(()),
        }
    }

    async fn matchup_person_told(
        &self,
        transaction: &DatabaseTransaction,
        event: matchup::v1::PersonTold,
    ) -> anyhow::Result<()> {
        match messages::of_matchup(&event) {
            Some(message) => self.0.tell_user(transaction, message).await,
            None => Ok(()),
        }
    }

    async fn transaction_modeler_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: ModelerChanged,
    ) -> anyhow::Result<()> {
        profile::modeler::changed(transaction, &event).await?;
        match messages::modeler(&event) {
            Some(message) => self.0.tell_user(transaction, message).await,
            None => Ok(()),
        }
    }

    async fn process_check_finished(
        &self,
        transaction: &DatabaseTransaction,
        event: CheckFinished,
    ) -> anyhow::Result<()> {
        if event.status == "ready" {
            let owner = &event.login_id;
            self.0
                .earn(transaction, owner, Earned::Upload, owner)
                .await?;
        }
        self.0
            .tell_user(transaction, messages::checked(&event))
            .await
    }

    async fn auth_invitation_qualified(
        &self,
        transaction: &DatabaseTransaction,
        event: InvitationQualified,
    ) -> anyhow::Result<()> {
        self.0
            .tell_user(transaction, messages::invited(&event))
            .await?;
        let thing = format!("{}:{}", event.invitation_id, event.side);
        let owner = &event.login_id;
        Ok(self
            .0
            .earn(transaction, owner, Earned::Invitation, &thing)
            .await?)
    }

    async fn payment_withdrawal_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: WithdrawalChanged,
    ) -> anyhow::Result<()> {
        match messages::withdrawn(&event) {
            Some(message) => self.0.tell_user(transaction, message).await,
            None => Ok(()),
        }
    }

    async fn order_order_paid(
        &self,
        transaction: &DatabaseTransaction,
        paid: OrderPaid,
    ) -> anyhow::Result<()> {
        self.0.tell_user(transaction, messages::paid(&paid)).await?;
        match &paid.product {
            Some(Product::Membership(bought)) => self.0.activate(transaction, &paid, bought).await,
            Some(Product::Package(bought)) => self.0.hand_out(transaction, &paid, bought).await,
            // Sold by another service.
            _ => Ok(()),
        }
    }

    async fn auth_session_opened(
        &self,
        transaction: &DatabaseTransaction,
        event: SessionOpened,
    ) -> anyhow::Result<()> {
        match messages::opened(&event) {
            Some(message) => self.0.tell_user(transaction, message).await,
            None => Ok(()),
        }
    }

    async fn auth_account_secured(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountSecured,
    ) -> anyhow::Result<()> {
        self.0
            .tell_user(transaction, messages::secured(&event))
            .await
    }

    async fn auth_export_finished(
        &self,
        transaction: &DatabaseTransaction,
        event: ExportFinished,
    ) -> anyhow::Result<()> {
        self.0
            .tell_user(transaction, messages::exported(&event))
            .await
    }

    async fn process_result_finished(
        &self,
        transaction: &DatabaseTransaction,
        event: ResultFinished,
    ) -> anyhow::Result<()> {
        self.0
            .tell_user(transaction, messages::finished(&event))
            .await
    }

    async fn order_order_ended(
        &self,
        transaction: &DatabaseTransaction,
        event: OrderEnded,
    ) -> anyhow::Result<()> {
        self.0.tell_user(transaction, messages::ended(&event)).await
    }

    async fn payment_refund_succeeded(
        &self,
        transaction: &DatabaseTransaction,
        event: RefundSucceeded,
    ) -> anyhow::Result<()> {
        self.0
            .tell_user(transaction, messages::refunded(&event))
            .await
    }

    async fn personal_pages_told(
        &self,
        _transaction: &DatabaseTransaction,
        event: PagesTold,
    ) -> anyhow::Result<()> {
        self.0.push_pages(event);
        Ok(())
    }

    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(rights::note(&self.0.context, transaction, event).await?)
    }
}
