//! The calls of the console: request → domain → reply.

use chassis::rpc::{Reply, reply};
use proto::auth::v1::invitation_console_api_server::InvitationConsoleApi;
use proto::auth::v1::{
    InvitationDecideRequest, InvitationFiguresReply, InvitationListReply, InvitationListRequest,
    InvitationShowReply, InvitationShowRequest,
};
use proto::common::v1::Empty;
use tonic::Request;

use super::Invitations;
use crate::console::actor::Actor;
use crate::operator::by;

impl Invitations {
    async fn decide_by_call(
        &self,
        request: Request<InvitationDecideRequest>,
        release: bool,
    ) -> Reply<Empty> {
        let (caller, form) = by(request)?;
        let actor = Actor::console(&caller)?;
        let decided = self.decide(&form.id, release, &form.reason, &actor);
        reply(decided.await.map(|()| Empty {}))
    }
}

#[tonic::async_trait]
impl InvitationConsoleApi for Invitations {
    async fn invitation_list(
        &self,
        request: Request<InvitationListRequest>,
    ) -> Reply<InvitationListReply> {
        reply(self.list(request.get_ref()).await)
    }

    async fn invitation_show(
        &self,
        request: Request<InvitationShowRequest>,
    ) -> Reply<InvitationShowReply> {
        reply(self.show(&request.get_ref().id).await)
    }

    async fn invitation_release(&self, request: Request<InvitationDecideRequest>) -> Reply<Empty> {
        self.decide_by_call(request, true).await
    }

    async fn invitation_refuse(&self, request: Request<InvitationDecideRequest>) -> Reply<Empty> {
        self.decide_by_call(request, false).await
    }

    async fn invitation_figures(&self, _: Request<Empty>) -> Reply<InvitationFiguresReply> {
        reply(self.figures().await)
    }
}
