//! Who the caller is: profile, and counts of files, models and service results.

mod grpc;

use std::collections::BTreeMap;

use chassis::ServiceError;
use proto::auth::v1::AccountRegistered;
use proto::personal::v1::{
    AvatarInfo, ModelFiles, Models, ServiceCount, ServiceResults, StatisticsInfo, UserInfo,
};
use proto::process::v1::StatisticsChanged;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DatabaseTransaction, Set};

use crate::Personal;
use crate::entity::{profile, statistics};

/// Real-name certification: not verified. Certification itself is not open yet.
const NOT_VERIFIED: i32 = 3;

impl Personal {
    /// The profile; one whose event is still under way is answered with what the login id alone says.
    async fn profile(&self, login_id: &str) -> Result<profile::Model, ServiceError> {
        let known = profile::Entity::find_by_id(login_id)
            .one(&self.context.db)
            .await?;
        Ok(known.unwrap_or_else(|| profile::Model {
            login_id: login_id.to_owned(),
            account_number: String::new(),
            phone_masked: String::new(),
            profession_code: String::new(),
            avatar: None,
            nickname: None,
            introduce: None,
            created_at: 0,
        }))
    }

    pub(crate) async fn user_info(&self, login_id: &str) -> Result<UserInfo, ServiceError> {
        let profile = self.profile(login_id).await?;
        let standing = self.standing(login_id).await?;
        Ok(UserInfo {
            member_status: standing.status,
            member_grade_name: standing.grade_name,
            remaining_days: standing.remaining_days,
            expiration_time: standing.expires_at,
            user_id: profile.login_id,
            avatar: profile.avatar,
            nick_name: profile.nickname.clone(),
            new_nick_name: profile.nickname,
            account_number: profile.account_number,
            mobile_num: profile.phone_masked,
            introduce: profile.introduce,
            check_status: NOT_VERIFIED,
            profession_code: profile.profession_code,
            create_time: profile.created_at,
            ..Default::default()
        })
    }

    pub(crate) async fn avatar_info(&self, login_id: &str) -> Result<AvatarInfo, ServiceError> {
        let profile = self.profile(login_id).await?;
        let standing = self.standing(login_id).await?;
        let (balances, counts) = self.holdings(login_id).await?;
        Ok(AvatarInfo {
            member_status: standing.status,
            member_grade_name: standing.grade_name,
            expiration_time: standing.expires_at,
            avatar: profile.avatar,
            nick_name: profile.nickname,
            account_number: profile.account_number,
            check_status: NOT_VERIFIED,
            cloud_coin: balances.cloud_coin,
            income_balance: balances.income_balance,
            coupon_count: counts.coupon_count,
            un_pay_order_count: counts.un_pay_order_count,
            ..Default::default()
        })
    }

    pub(crate) async fn statistics(&self, login_id: &str) -> Result<StatisticsInfo, ServiceError> {
        let known = statistics::Entity::find_by_id(login_id)
            .one(&self.context.db)
            .await?;
        let Some(known) = known else {
            return Ok(StatisticsInfo {
                my_model_files: Some(ModelFiles::default()),
                my_models: Some(Models::default()),
                my_service_results: Some(ServiceResults::default()),
            });
        };
        let by_service: BTreeMap<String, i64> =
            serde_json::from_str(&known.results_by_service).unwrap_or_default();
        let service_counts = by_service
            .into_iter()
            .map(|(service_type, count)| ServiceCount {
                service_type,
                count,
            })
            .collect();
        Ok(StatisticsInfo {
            my_model_files: Some(ModelFiles {
                total_uploads: known.total_uploads,
                total_single_models: known.total_single_models,
                total_scene_models: known.total_scene_models,
            }),
            my_models: Some(Models {
                total_models: known.total_models,
                total_upload_models: known.total_models,
                total_purchased_models: 0,
            }),
            my_service_results: Some(ServiceResults {
                total_counts: known.total_results,
                service_counts,
            }),
        })
    }
}

/// Makes the profile of an account; a registration that comes twice changes nothing.
pub(crate) async fn registered(
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
pub(crate) async fn counted(
    transaction: &DatabaseTransaction,
    body: StatisticsChanged,
) -> anyhow::Result<()> {
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
