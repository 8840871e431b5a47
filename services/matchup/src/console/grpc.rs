//! The operators' calls: request → domain → reply.

use chassis::rpc::{Reply, called_by, reply};
use proto::common::v1::Empty;
use proto::matchup::v1::matchup_console_api_server::MatchupConsoleApi;
use proto::matchup::v1::*;
use tonic::Request;

use crate::Matchup;

#[tonic::async_trait]
impl MatchupConsoleApi for Matchup {
    async fn demand_search(
        &self,
        request: Request<MatchSearchRequest>,
    ) -> Reply<DemandSearchReply> {
        reply(self.search_demands(request.get_ref()).await)
    }

    async fn demand_show(&self, request: Request<MatchShowRequest>) -> Reply<DemandItem> {
        reply(self.show_demand(&request.get_ref().id).await)
    }

    async fn demand_decide(&self, request: Request<MatchDecideRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.decide_demand(&caller, &form).await;
        reply(done.map(|()| Empty {}))
    }

    async fn demand_hide(&self, request: Request<MatchActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_demand(&caller, &form, true).await;
        reply(done.map(|()| Empty {}))
    }

    async fn demand_restore(&self, request: Request<MatchActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_demand(&caller, &form, false).await;
        reply(done.map(|()| Empty {}))
    }

    async fn provider_search(
        &self,
        request: Request<MatchSearchRequest>,
    ) -> Reply<ProviderSearchReply> {
        reply(self.search_providers(request.get_ref()).await)
    }

    async fn provider_show(&self, request: Request<MatchShowRequest>) -> Reply<ProviderItem> {
        reply(self.show_provider(&request.get_ref().id).await)
    }

    async fn provider_decide(&self, request: Request<MatchDecideRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.decide_provider(&caller, &form).await;
        reply(done.map(|()| Empty {}))
    }

    async fn provider_hide(&self, request: Request<MatchActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_provider(&caller, &form, true).await;
        reply(done.map(|()| Empty {}))
    }

    async fn provider_restore(&self, request: Request<MatchActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_provider(&caller, &form, false).await;
        reply(done.map(|()| Empty {}))
    }
}
