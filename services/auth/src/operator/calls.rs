//! The calls of `OperatorApi`.

use chassis::{Operator, Origin, ServiceError};
use proto::auth::v1::*;
use proto::common::v1::Empty;

use super::Operators;

impl OperatorCalls<ServiceError> for Operators {
    async fn operator_enrolment(
        &self,
        _: &Origin,
        request: OperatorEnrolmentRequest,
    ) -> Result<OperatorEnrolmentReply, ServiceError> {
        self.enrolment(&request.link).await
    }

    async fn operator_enrol(
        &self,
        from: &Origin,
        request: OperatorEnrolRequest,
    ) -> Result<OperatorEnrolReply, ServiceError> {
        let recovery_codes = self.enrol(from, &request).await?;
        Ok(OperatorEnrolReply { recovery_codes })
    }

    async fn operator_sign_in(
        &self,
        from: &Origin,
        request: OperatorSignInRequest,
    ) -> Result<OperatorSignInReply, ServiceError> {
        let signed_in = self.sign_in(from, &request).await;
        if let Err(error) = &signed_in {
            let remote_addr = from.remote_addr();
            tracing::warn!(remote_addr, %error, "an operator's sign-in was refused");
        }
        signed_in
    }

    async fn operator_sign_out(&self, operator: &Operator, _: Empty) -> Result<(), ServiceError> {
        self.sign_out(operator).await
    }

    async fn operator_confirm(
        &self,
        operator: &Operator,
        request: OperatorConfirmRequest,
    ) -> Result<OperatorConfirmReply, ServiceError> {
        let fresh_until = self.confirm(operator, &request.code).await?;
        Ok(OperatorConfirmReply { fresh_until })
    }

    async fn operator_me(
        &self,
        operator: &Operator,
        _: Empty,
    ) -> Result<OperatorMeReply, ServiceError> {
        self.me(operator).await
    }

    async fn operator_change_password(
        &self,
        operator: &Operator,
        request: OperatorChangePasswordRequest,
    ) -> Result<(), ServiceError> {
        self.change_password(operator, &request.current, &request.password)
            .await
    }

    async fn operator_renew_recovery_codes(
        &self,
        operator: &Operator,
        _: Empty,
    ) -> Result<OperatorRecoveryCodes, ServiceError> {
        let recovery_codes = self.renew_recovery_codes(operator).await?;
        Ok(OperatorRecoveryCodes { recovery_codes })
    }

    async fn operator_sessions(
        &self,
        operator: &Operator,
        _: Empty,
    ) -> Result<OperatorSessionsReply, ServiceError> {
        let sessions = self.own_sessions(operator).await?;
        Ok(OperatorSessionsReply { sessions })
    }

    async fn operator_end_session(
        &self,
        operator: &Operator,
        request: OperatorEndSessionRequest,
    ) -> Result<(), ServiceError> {
        self.end_own_session(operator, &request.id).await
    }

    async fn operator_begin_app(
        &self,
        operator: &Operator,
        _: Empty,
    ) -> Result<OperatorAppReply, ServiceError> {
        self.begin_app(operator).await
    }

    async fn operator_finish_app(
        &self,
        operator: &Operator,
        request: OperatorFinishAppRequest,
    ) -> Result<(), ServiceError> {
        self.finish_app(operator, &request.code).await
    }

    async fn operator_list(
        &self,
        _: &Operator,
        _: Empty,
    ) -> Result<OperatorListReply, ServiceError> {
        let operators = self.operators().await?;
        Ok(OperatorListReply { operators })
    }

    async fn operator_add(
        &self,
        operator: &Operator,
        request: OperatorAddRequest,
    ) -> Result<OperatorLinkReply, ServiceError> {
        let link = self.add(operator, &request.name, &request.roles, &request.reason);
        Ok(link.await?.into())
    }

    async fn operator_set_roles(
        &self,
        operator: &Operator,
        request: OperatorSetRolesRequest,
    ) -> Result<(), ServiceError> {
        self.set_roles(operator, &request.id, &request.roles, &request.reason)
            .await
    }

    async fn operator_set_disabled(
        &self,
        operator: &Operator,
        request: OperatorSetDisabledRequest,
    ) -> Result<(), ServiceError> {
        self.set_disabled(operator, &request.id, request.disabled, &request.reason)
            .await
    }

    async fn operator_reset(
        &self,
        operator: &Operator,
        request: OperatorTargetRequest,
    ) -> Result<OperatorLinkReply, ServiceError> {
        let link = self.reset(operator, &request.id, &request.reason).await?;
        Ok(link.into())
    }

    async fn operator_role_list(
        &self,
        _: &Operator,
        _: Empty,
    ) -> Result<OperatorRoleListReply, ServiceError> {
        self.role_list().await
    }

    async fn operator_role_save(
        &self,
        operator: &Operator,
        request: OperatorRoleSaveRequest,
    ) -> Result<(), ServiceError> {
        self.save_role(operator, &request).await
    }

    async fn operator_role_remove(
        &self,
        operator: &Operator,
        request: OperatorRoleRemoveRequest,
    ) -> Result<(), ServiceError> {
        self.remove_role(operator, &request.id, &request.reason)
            .await
    }
}
