//! The caller's own data: profile, counts, balances, guided tours.

use std::collections::BTreeMap;

use chassis::{BusinessError, ServiceError};
use proto::order::v1::{CountsReply, CountsRequest, OrderCommands};
use proto::payment::v1::{BalancesReply, BalancesRequest, PaymentCommands};
use proto::personal::v1::{
    AccountInfo, AvatarInfo, ModelFiles, Models, ServiceCount, ServiceResults, StatisticsInfo,
    UserInfo,
};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;

use crate::Personal;
use crate::entity::{guide, profile, statistics};

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

    /// Balances and coupons.
    pub(crate) async fn account_info(&self, login_id: &str) -> Result<AccountInfo, ServiceError> {
        let (balances, counts) = self.holdings(login_id).await?;
        Ok(AccountInfo {
            cloud_coin: balances.cloud_coin,
            income_balance: balances.income_balance,
            balance: balances.cloud_coin + balances.income_balance,
            coupon_count: counts.coupon_count,
            expiring_coupon_count: counts.expiring_coupon_count,
        })
    }

    /// What the user has at payment and order. Asked anew each time: a balance that is out of date is a wrong one.
    async fn holdings(&self, login_id: &str) -> Result<(BalancesReply, CountsReply), ServiceError> {
        let bus = &self.context.bus;
        let balances = BalancesRequest {
            owner: login_id.to_owned(),
        };
        let counts = CountsRequest {
            owner: login_id.to_owned(),
        };
        tokio::try_join!(
            PaymentCommands::balances(bus, &balances),
            OrderCommands::counts(bus, &counts)
        )
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

    pub(crate) async fn guide_read(
        &self,
        login_id: &str,
        location: i32,
    ) -> Result<bool, ServiceError> {
        let location = check_location(location)?;
        let found = guide::Entity::find_by_id((login_id.to_owned(), location))
            .one(&self.context.db)
            .await?;
        Ok(found.is_some())
    }

    pub(crate) async fn mark_guide_read(
        &self,
        login_id: &str,
        location: i32,
    ) -> Result<(), ServiceError> {
        let row = guide::ActiveModel {
            login_id: Set(login_id.to_owned()),
            location: Set(check_location(location)?),
            read_at: Set(self.context.clock.now_ms()),
        };
        let known = OnConflict::columns([guide::Column::LoginId, guide::Column::Location])
            .do_nothing()
            .to_owned();
        guide::Entity::insert(row)
            .on_conflict(known)
            .exec_without_returning(&self.context.db)
            .await?;
        Ok(())
    }
}

fn check_location(location: i32) -> Result<i32, BusinessError> {
    match location {
        0 | 1 => Ok(location),
        _ => Err(BusinessError::invalid(
            "location 只能是 0（工作台）或 1（个人中心）",
        )),
    }
}
