//! What the service consumes.

use proto::auth::v1::AccountRegistered;
use proto::order::v1::OrderPaid;
use proto::order::v1::order_paid::Product;
use proto::personal::v1::PersonalEvents;
use proto::process::v1::StatisticsChanged;
use sea_orm::DatabaseTransaction;

use crate::{Personal, profile};

/// Handles the events of personal.
pub(crate) struct Consumer(pub Personal);

impl PersonalEvents<DatabaseTransaction> for Consumer {
    async fn auth_account_registered(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountRegistered,
    ) -> anyhow::Result<()> {
        profile::registered(transaction, event).await
    }

    async fn process_statistics_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: StatisticsChanged,
    ) -> anyhow::Result<()> {
        profile::counted(transaction, event).await
    }

    async fn order_order_paid(
        &self,
        transaction: &DatabaseTransaction,
        paid: OrderPaid,
    ) -> anyhow::Result<()> {
        match &paid.product {
            Some(Product::Membership(bought)) => self.0.activate(transaction, &paid, bought).await,
            Some(Product::Package(bought)) => self.0.hand_out(transaction, &paid, bought).await,
            // Sold by somebody else.
            _ => Ok(()),
        }
    }
}
