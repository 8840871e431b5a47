//! The caller's profile, and counts of files, models and service results.

mod appearances;
mod edit;
pub(crate) mod modeler;
pub(crate) mod newcomers;
pub(crate) mod nicknames;

pub(crate) use appearances::Commands;

use std::collections::BTreeMap;

use chassis::{ServiceError, SignedIn, db};
use proto::auth::v1::{AccountChanged, AccountRegistered};
use proto::personal::v1::{
    AvatarInfo, KeptUserInfo, ModelFiles, Models, ModifyUserInfoRequest, ProfileCalls,
    ServiceCount, ServiceResults, StatisticsInfo, UserInfo, UserRequest,
};
use proto::process::v1::StatisticsChanged;
use proto::transaction::v1::PurchasesChanged;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use crate::Personal;
use crate::entity::{profile, statistics};

impl Personal {
    /// The profile; before the registration event arrives, an empty one with the login id.
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
            version: 0,
            username: String::new(),
            username_key: None,
            email_masked: String::new(),
            account_version: 0,
        }))
    }
}

impl ProfileCalls<ServiceError> for Personal {
    async fn query_info(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<UserInfo, ServiceError> {
        let login_id = caller.login_id();
        let profile = self.profile(login_id).await?;
        let standing = self.standing(login_id).await?;
        let certified = self.certified(login_id).await?;
        let modeler = self.modeler(login_id).await?;
        Ok(UserInfo {
            uploader_type: modeler.as_ref().map_or(0, |badge| badge.uploader_type),
            review_status: modeler.and_then(|badge| badge.review_status),
            member_status: standing.status,
            member_grade_name: standing.grade_name,
            member_rank: standing.rank,
            remaining_days: standing.remaining_days,
            expiration_time: standing.expires_at,
            user_id: profile.login_id,
            avatar: profile.avatar,
            nick_name: profile.nickname.clone(),
            new_nick_name: profile.nickname,
            account_number: profile.account_number,
            mobile_num: profile.phone_masked,
            introduce: profile.introduce,
            check_status: certified.check_status,
            cause: certified.cause,
            company_detail_info: certified.company,
            personal_detail_info: certified.person,
            profession_code: profile.profession_code,
            create_time: profile.created_at,
        })
    }

    async fn modify_user_info(
        &self,
        caller: &SignedIn,
        request: ModifyUserInfoRequest,
    ) -> Result<KeptUserInfo, ServiceError> {
        self.modify(caller.login_id(), &request).await
    }

    async fn avatar_information(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<AvatarInfo, ServiceError> {
        let login_id = caller.login_id();
        let profile = self.profile(login_id).await?;
        let standing = self.standing(login_id).await?;
        let certified = self.certified(login_id).await?;
        let (balances, counts) = self.holdings(login_id).await?;
        let unread = self.unread(login_id).await?;
        Ok(AvatarInfo {
            member_status: standing.status,
            member_grade_name: standing.grade_name,
            member_rank: standing.rank,
            expiration_time: standing.expires_at,
            avatar: profile.avatar,
            nick_name: profile.nickname,
            account_number: profile.account_number,
            check_status: certified.check_status,
            company_detail_info: certified.company,
            personal_detail_info: certified.person,
            cloud_coin: balances.cloud_coin,
            income_balance: balances.income_balance,
            coupon_count: counts.coupon_count,
            un_pay_order_count: counts.un_pay_order_count,
            un_read_message_count: unread.total,
        })
    }

    async fn get_personal_statistics_by_user_id(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<StatisticsInfo, ServiceError> {
        let known = statistics::Entity::find_by_id(caller.login_id())
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
                total_purchased_models: known.total_purchased_models,
            }),
            my_service_results: Some(ServiceResults {
                total_counts: known.total_results,
                service_counts,
            }),
        })
    }
}

/// Creates the profile of an account. Idempotent.
pub(crate) async fn registered(
    transaction: &DatabaseTransaction,
    body: AccountRegistered,
) -> anyhow::Result<()> {
    let row = profile::Model {
        login_id: body.login_id,
        account_number: body.account_number,
        phone_masked: body.phone_masked,
        profession_code: body.profession_code,
        avatar: None,
        nickname: None,
        introduce: None,
        created_at: body.registered_at_ms,
        version: 0,
        username: String::new(),
        username_key: None,
        email_masked: String::new(),
        account_version: 0,
    };
    db::insert_new(row, transaction).await?;
    Ok(())
}

/// Copies account fields from auth unless a newer version is stored: events may arrive out of order.
///
/// Errors: the profile does not exist yet; the event is redelivered.
pub(crate) async fn account_changed(
    transaction: &DatabaseTransaction,
    body: AccountChanged,
) -> anyhow::Result<()> {
    let known = profile::Entity::find_by_id(&body.login_id)
        .one(transaction)
        .await?;
    anyhow::ensure!(known.is_some(), "no profile of {} yet", body.login_id);
    profile::Entity::update_many()
        .set(profile::ActiveModel {
            account_version: Set(body.version),
            phone_masked: Set(body.phone_masked),
            email_masked: Set(body.email_masked),
            ..Default::default()
        })
        .filter(profile::Column::LoginId.eq(&body.login_id))
        .filter(profile::Column::AccountVersion.lt(body.version))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Stores counts unless a newer version is stored: events of one user may arrive out of order.
pub(crate) async fn counted(
    transaction: &DatabaseTransaction,
    body: StatisticsChanged,
) -> anyhow::Result<()> {
    let by_service = serde_json::to_string(&body.results_by_service)?;
    let row = statistics::Model {
        login_id: body.login_id,
        version: body.version,
        total_uploads: body.total_uploads,
        total_single_models: body.total_single_models,
        total_scene_models: body.total_scene_models,
        total_models: body.total_models,
        total_results: body.total_results,
        results_by_service: by_service,
        purchases_version: 0,
        total_purchased_models: 0,
    };
    let columns = [
        statistics::Column::TotalUploads,
        statistics::Column::TotalSingleModels,
        statistics::Column::TotalSceneModels,
        statistics::Column::TotalModels,
        statistics::Column::TotalResults,
        statistics::Column::ResultsByService,
    ];
    // Compared in the statement: two events of one user may be handled concurrently.
    db::upsert_newer(row, statistics::Column::Version, columns, transaction).await?;
    Ok(())
}

/// Like [`counted`], for purchased mall models.
pub(crate) async fn purchased(
    transaction: &DatabaseTransaction,
    body: PurchasesChanged,
) -> anyhow::Result<()> {
    let row = statistics::Model {
        login_id: body.login_id,
        version: 0,
        total_uploads: 0,
        total_single_models: 0,
        total_scene_models: 0,
        total_models: 0,
        total_results: 0,
        results_by_service: "{}".to_owned(),
        purchases_version: body.version,
        total_purchased_models: body.total_purchased_models,
    };
    let version = statistics::Column::PurchasesVersion;
    let columns = [statistics::Column::TotalPurchasedModels];
    db::upsert_newer(row, version, columns, transaction).await?;
    Ok(())
}
