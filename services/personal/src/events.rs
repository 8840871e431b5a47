//! What the service consumes.

use proto::auth::v1::AccountRegistered;
use proto::order::v1::OrderPaid;
use proto::order::v1::order_paid::Product;
use proto::personal::v1::PersonalEvents;
use proto::process::v1::StatisticsChanged;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DatabaseTransaction, Set};

use crate::Personal;
use crate::entity::{profile, statistics};

/// Handles the events of personal.
pub(crate) struct Consumer(pub Personal);

impl PersonalEvents<DatabaseTransaction> for Consumer {
    async fn auth_account_registered(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountRegistered,
    ) -> anyhow::Result<()> {
        registered(transaction, event).await
    }

    async fn process_statistics_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: StatisticsChanged,
    ) -> anyhow::Result<()> {
        counted(transaction, event).await
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

async fn registered(
    transaction: &DatabaseTransaction,
    body: AccountRegistered,
) -> anyhow::Result<()> {
    let row = profile::ActiveModel {
        login_id: Set(body.login_id),
        account_number: Set(body.account_number),
        phone_masked: Set(body.phone_masked),
        profession_code: Set(body.profession_code),
        avatar: Set(None),
        nickname: Set(None),
        introduce: Set(None),
        created_at: Set(body.registered_at_ms),
    };
    let known = OnConflict::column(profile::Column::LoginId)
        .do_nothing()
        .to_owned();
    profile::Entity::insert(row)
        .on_conflict(known)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// Takes counts over unless newer ones are known: events of one user may come out of order.
async fn counted(transaction: &DatabaseTransaction, body: StatisticsChanged) -> anyhow::Result<()> {
    let known = statistics::Entity::find_by_id(&body.login_id)
        .one(transaction)
        .await?;
    if known.is_some_and(|known| known.version >= body.version) {
        return Ok(());
    }
    let by_service = serde_json::to_string(&body.results_by_service)?;
    let row = statistics::ActiveModel {
        login_id: Set(body.login_id),
        version: Set(body.version),
        total_uploads: Set(body.total_uploads),
        total_single_models: Set(body.total_single_models),
        total_scene_models: Set(body.total_scene_models),
        total_models: Set(body.total_models),
        total_results: Set(body.total_results),
        results_by_service: Set(by_service),
    };
    let columns = [
        statistics::Column::Version,
        statistics::Column::TotalUploads,
        statistics::Column::TotalSingleModels,
        statistics::Column::TotalSceneModels,
        statistics::Column::TotalModels,
        statistics::Column::TotalResults,
        statistics::Column::ResultsByService,
    ];
    let replace = OnConflict::column(statistics::Column::LoginId)
        .update_columns(columns)
        .to_owned();
    statistics::Entity::insert(row)
        .on_conflict(replace)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}
