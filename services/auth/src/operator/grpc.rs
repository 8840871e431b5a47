//! The generated trait: request, domain, reply.

use chassis::rpc::{Reply, reply};
use proto::auth::v1::operator_api_server::OperatorApi;
use proto::auth::v1::*;
use proto::common::v1::Empty;
use tonic::Request;

use super::Operators;

pub(crate) use chassis::rpc::called_by as by;

#[tonic::async_trait]
impl OperatorApi for Operators {
    async fn operator_enrolment(
        &self,
        request: Request<OperatorEnrolmentRequest>,
    ) -> Reply<OperatorEnrolmentReply> {
        reply(self.enrolment(&request.get_ref().link).await)
    }

    async fn operator_enrol(
        &self,
        request: Request<OperatorEnrolRequest>,
    ) -> Reply<OperatorEnrolReply> {
        let (caller, form) = by(request)?;
        let codes = self.enrol(&caller, &form).await;
        reply(codes.map(|recovery_codes| OperatorEnrolReply { recovery_codes }))
    }

    async fn operator_sign_in(
        &self,
        request: Request<OperatorSignInRequest>,
    ) -> Reply<OperatorSignInReply> {
        let (caller, form) = by(request)?;
        let signed_in = self.sign_in(&caller, &form).await;
        if let Err(error) = &signed_in {
            let remote_addr = caller.remote_addr();
            tracing::warn!(remote_addr, %error, "an operator's sign-in was refused");
        }
        reply(signed_in)
    }

    async fn operator_sign_out(&self, request: Request<Empty>) -> Reply<Empty> {
        let (caller, _) = by(request)?;
        reply(self.sign_out(&caller).await.map(|()| Empty {}))
    }

    async fn operator_confirm(
        &self,
        request: Request<OperatorConfirmRequest>,
    ) -> Reply<OperatorConfirmReply> {
        let (caller, form) = by(request)?;
        let fresh_until = self.confirm(&caller, &form.code).await;
        reply(fresh_until.map(|fresh_until| OperatorConfirmReply { fresh_until }))
    }

    async fn operator_me(&self, request: Request<Empty>) -> Reply<OperatorMeReply> {
        let (caller, _) = by(request)?;
        reply(self.me(&caller).await)
    }

    async fn operator_list(&self, _: Request<Empty>) -> Reply<OperatorListReply> {
        let operators = self.operators().await;
        reply(operators.map(|operators| OperatorListReply { operators }))
    }

    async fn operator_add(&self, request: Request<OperatorAddRequest>) -> Reply<OperatorLinkReply> {
        let (caller, form) = by(request)?;
        let link = self.add(&caller, &form.name, &form.roles, &form.reason);
        reply(link.await.map(OperatorLinkReply::from))
    }

    async fn operator_set_roles(&self, request: Request<OperatorSetRolesRequest>) -> Reply<Empty> {
        let (caller, form) = by(request)?;
        let set = self.set_roles(&caller, &form.id, &form.roles, &form.reason);
        reply(set.await.map(|()| Empty {}))
    }

    async fn operator_set_disabled(
        &self,
        request: Request<OperatorSetDisabledRequest>,
    ) -> Reply<Empty> {
        let (caller, form) = by(request)?;
        let set = self.set_disabled(&caller, &form.id, form.disabled, &form.reason);
        reply(set.await.map(|()| Empty {}))
    }

    async fn operator_reset(
        &self,
        request: Request<OperatorTargetRequest>,
    ) -> Reply<OperatorLinkReply> {
        let (caller, form) = by(request)?;
        let link = self.reset(&caller, &form.id, &form.reason).await;
        reply(link.map(OperatorLinkReply::from))
    }

    async fn operator_role_list(&self, _: Request<Empty>) -> Reply<OperatorRoleListReply> {
        reply(self.role_list().await)
    }

    async fn operator_role_save(&self, request: Request<OperatorRoleSaveRequest>) -> Reply<Empty> {
        let (caller, form) = by(request)?;
        reply(self.save_role(&caller, &form).await.map(|()| Empty {}))
    }

    async fn operator_role_remove(
        &self,
        request: Request<OperatorRoleRemoveRequest>,
    ) -> Reply<Empty> {
        let (caller, form) = by(request)?;
        let removed = self.remove_role(&caller, &form.id, &form.reason);
        reply(removed.await.map(|()| Empty {}))
    }
}
