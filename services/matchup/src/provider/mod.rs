//! User types, and providers for all visitors.

mod list;
mod save;
pub(crate) mod view;

use chassis::ids::new_id;
use chassis::{BusinessError, Origin, ServiceError, SignedIn, db};
use proto::common::v1::Empty;
use proto::matchup::v1::{
    MatchupCalls, MatchupFiguresReply, MatchupUserRequest, ProviderDetailReply,
    ProviderDetailRequest, ProviderListRequest, ProviderPage, SaveProviderRequest,
    ServiceInfoReply, UpdateServiceTypeRequest, UserTypeReply,
};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QuerySelect};

use crate::Matchup;
use crate::entity::provider::{Entity, Model, State};

pub(crate) fn no_such_provider() -> ServiceError {
    BusinessError::not_found("没有这个服务商，可能已下架").into()
}

impl Matchup {
    pub(crate) async fn person(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
    ) -> Result<Option<Model>, DbErr> {
        Entity::find_own(owner).one(db).await
    }

    /// Locks a person's row until the transaction ends; creates it if missing.
    pub(crate) async fn hold_person(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<Model, ServiceError> {
        let row = Model {
            updated_at: self.now(),
            ..blank(owner)
        };
        db::insert_new(row, transaction).await?;
        let held = Entity::find_own(owner)
            .lock_exclusive()
            .one(transaction)
            .await?;
        held.ok_or_else(no_such_provider)
    }

    /// Checks that the user may offer: published as a provider. Errors: what is missing.
    pub(crate) async fn may_offer(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
    ) -> Result<(), ServiceError> {
        let person = self.person(db, owner).await?;
        let text = match person.map(|one| (one.user_type, one.state)) {
            Some((2 | 3, State::Shown)) => return Ok(()),
            Some((2 | 3, State::Review)) => "服务商资料正在审核，通过后可以报价",
            Some((2 | 3, State::Hidden)) => "服务商资料已被平台下架，请联系客服",
            _ => "请先完善并发布服务商资料，再来报价",
        };
        Err(crate::state::conflict(text))
    }
}

impl MatchupCalls<ServiceError> for Matchup {
    async fn decide_user_type(
        &self,
        caller: &SignedIn,
        _: MatchupUserRequest,
    ) -> Result<UserTypeReply, ServiceError> {
        let person = self.person(&self.context.db, caller.login_id()).await?;
        Ok(UserTypeReply {
            user_type: person.map_or(0, |one| one.user_type),
        })
    }

    async fn service_info(
        &self,
        caller: &SignedIn,
        _: MatchupUserRequest,
    ) -> Result<ServiceInfoReply, ServiceError> {
        self.own_info(caller.login_id()).await
    }

    async fn update_service_type(
        &self,
        caller: &SignedIn,
        form: UpdateServiceTypeRequest,
    ) -> Result<UserTypeReply, ServiceError> {
        self.set_type(caller.login_id(), form.service_type).await
    }

    async fn save_provider(
        &self,
        caller: &SignedIn,
        form: SaveProviderRequest,
    ) -> Result<ServiceInfoReply, ServiceError> {
        self.save_provider(caller.login_id(), &form).await
    }

    async fn provider_list(
        &self,
        _: &Origin,
        form: ProviderListRequest,
    ) -> Result<ProviderPage, ServiceError> {
        self.providers(&form).await
    }

    async fn provider_detail(
        &self,
        _: &Origin,
        form: ProviderDetailRequest,
    ) -> Result<ProviderDetailReply, ServiceError> {
        self.provider(&form.provider_id).await
    }

    async fn matchup_figures(
        &self,
        _: &Origin,
        _: Empty,
    ) -> Result<MatchupFiguresReply, ServiceError> {
        self.figures().await
    }
}

/// The row of a new user.
pub(crate) fn blank(owner: &str) -> Model {
    Model {
        id: new_id(),
        owner: owner.to_owned(),
        user_type: 0,
        state: State::Draft,
        revision: 1,
        name: String::new(),
        skills: String::new(),
        industries: String::new(),
        region: String::new(),
        introduce: String::new(),
        contact: String::new(),
        suspects: String::new(),
        reason: String::new(),
        example: false,
        done: 0,
        rating_count: 0,
        rating_sum: 0,
        rating_mean: 0,
        submitted_at: 0,
        shown_at: 0,
        updated_at: 0,
    }
}
