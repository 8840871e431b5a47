//! The calls of the console.

use chassis::{Operator, ServiceError};
use proto::auth::v1::{
    InvitationConsoleCalls, InvitationDecideRequest, InvitationFiguresReply, InvitationListReply,
    InvitationListRequest, InvitationShowReply, InvitationShowRequest,
};
use proto::common::v1::Empty;

use super::Invitations;
use crate::console::actor::Actor;

impl InvitationConsoleCalls<ServiceError> for Invitations {
    async fn invitation_list(
        &self,
        _: &Operator,
        request: InvitationListRequest,
    ) -> Result<InvitationListReply, ServiceError> {
        self.list(&request).await
    }

    async fn invitation_show(
        &self,
        _: &Operator,
        request: InvitationShowRequest,
    ) -> Result<InvitationShowReply, ServiceError> {
        self.show(&request.id).await
    }

    async fn invitation_release(
        &self,
        operator: &Operator,
        request: InvitationDecideRequest,
    ) -> Result<(), ServiceError> {
        let actor = Actor::console(operator);
        self.decide(&request.id, true, &request.reason, &actor)
            .await
    }

    async fn invitation_refuse(
        &self,
        operator: &Operator,
        request: InvitationDecideRequest,
    ) -> Result<(), ServiceError> {
        let actor = Actor::console(operator);
        self.decide(&request.id, false, &request.reason, &actor)
            .await
    }

    async fn invitation_figures(
        &self,
        _: &Operator,
        _: Empty,
    ) -> Result<InvitationFiguresReply, ServiceError> {
        self.figures().await
    }
}
