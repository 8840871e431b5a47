//! The calls of people and providers: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::matchup::v1::matchup_api_server::MatchupApi;
use proto::matchup::v1::*;
use tonic::Request;

use crate::Matchup;

#[tonic::async_trait]
impl MatchupApi for Matchup {
    async fn decide_user_type(&self, request: Request<MatchupUserRequest>) -> Reply<UserTypeReply> {
        let (owner, _) = signed_in(request)?;
        let person = self.person(&self.context.db, &owner).await;
        let told = person.map(|one| UserTypeReply {
            user_type: one.map_or(0, |one| one.user_type),
        });
        reply(told.map_err(Into::into))
    }

    async fn service_info(&self, request: Request<MatchupUserRequest>) -> Reply<ServiceInfoReply> {
        let (owner, _) = signed_in(request)?;
        reply(self.own_info(&owner).await)
    }

    async fn update_service_type(
        &self,
        request: Request<UpdateServiceTypeRequest>,
    ) -> Reply<UserTypeReply> {
        let (owner, form) = signed_in(request)?;
        let kept = self.set_type(&owner, form.service_type).await;
        reply(kept.map(|user_type| UserTypeReply { user_type }))
    }

    async fn save_provider(
        &self,
        request: Request<SaveProviderRequest>,
    ) -> Reply<ServiceInfoReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.save_provider(&owner, &form).await)
    }

    async fn provider_list(&self, request: Request<ProviderListRequest>) -> Reply<ProviderPage> {
        reply(self.providers(request.get_ref()).await)
    }

    async fn provider_detail(
        &self,
        request: Request<ProviderDetailRequest>,
    ) -> Reply<ProviderDetailReply> {
        reply(self.provider(&request.get_ref().provider_id).await)
    }

    async fn matchup_figures(&self, _: Request<Empty>) -> Reply<MatchupFiguresReply> {
        reply(self.figures().await)
    }
}
