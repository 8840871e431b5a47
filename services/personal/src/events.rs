//! What the service consumes.

use chassis::messaging::{Event, Handler};
use prost::Message;
use proto::auth::v1::AccountRegistered;
use proto::order::v1::OrderPaid;
use proto::order::v1::order_paid::Product;
use proto::process::v1::StatisticsChanged;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DatabaseTransaction, Set};

use crate::Personal;
use crate::entity::{profile, statistics};

pub(crate) struct Consumer(pub Personal);

#[async_trait::async_trait]
impl Handler for Consumer {
    async fn handle(&self, transaction: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        match event.key.as_str() {
            "auth.account.registered" => {
                let body = AccountRegistered::decode(event.body.as_slice())?;
                registered(transaction, body).await
            }
            "process.statistics.changed" => {
                let body = StatisticsChanged::decode(event.body.as_slice())?;
                counted(transaction, body).await
            }
            "order.order.paid" => {
                let paid = OrderPaid::decode(event.body.as_slice())?;
                match &paid.product {
                    Some(Product::Membership(bought)) => {
                        self.0.activate(transaction, &paid, bought).await
                    }
                    Some(Product::Package(bought)) => {
                        self.0.hand_out(transaction, &paid, bought).await
                    }
                    // Sold by somebody else.
                    _ => Ok(()),
                }
            }
            // A key that an older binding still delivers.
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
