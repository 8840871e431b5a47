//! The generated trait: request, domain, reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply, signed_in};
use proto::auth::v1::security_api_server::SecurityApi;
use proto::auth::v1::{
    AccountSecurityReply, AccountSecurityRequest, BeginSecondFactorReply, BeginSecondFactorRequest,
    BindEmailRequest, ConfirmIdentityReply, ConfirmIdentityRequest, ConfirmSecondFactorRequest,
    InterestRequest, ModifyPhoneRequest, ModifyUserPasswordRequest, RecoveryCodes,
    RemoveSecondFactorRequest, RenewRecoveryCodesRequest, SendMailCodeReply, SendMailCodeRequest,
    SendOwnCodeReply, SendOwnCodeRequest,
};
use proto::common::v1::Empty;
use tonic::Request;

use crate::service::Auth;

#[tonic::async_trait]
impl SecurityApi for Auth {
    async fn modify_phone(&self, request: Request<ModifyPhoneRequest>) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let body = request.get_ref();
        let changed = Auth::modify_phone(self, &own, &body.phone, &body.sms_key, &body.verifycode);
        reply(changed.await.map(|()| Empty {}))
    }

    async fn modify_user_password(
        &self,
        request: Request<ModifyUserPasswordRequest>,
    ) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let body = request.get_ref();
        let changed = self.modify_password(&own, &body.old_password, &body.password);
        reply(changed.await.map(|()| Empty {}))
    }

    async fn set_interest_and_register_purpose(
        &self,
        request: Request<InterestRequest>,
    ) -> Reply<Empty> {
        let (login_id, body) = signed_in(request)?;
        let (interest, purpose) = (body.interest.as_deref(), body.register_purpose.as_deref());
        let kept = self.answer(&login_id, interest, purpose).await;
        reply(kept.map(|()| Empty {}))
    }

    async fn send_own_code(&self, request: Request<SendOwnCodeRequest>) -> Reply<SendOwnCodeReply> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let sms_key = Auth::send_own_code(self, &own).await;
        reply(sms_key.map(|sms_key| SendOwnCodeReply { sms_key }))
    }

    async fn confirm_identity(
        &self,
        request: Request<ConfirmIdentityRequest>,
    ) -> Reply<ConfirmIdentityReply> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let until = self.confirm(&own, request.get_ref()).await;
        reply(until.map(|confirmed_until| ConfirmIdentityReply { confirmed_until }))
    }

    async fn account_security(
        &self,
        request: Request<AccountSecurityRequest>,
    ) -> Reply<AccountSecurityReply> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(self.security_of(own).await)
    }

    async fn send_mail_code(
        &self,
        request: Request<SendMailCodeRequest>,
    ) -> Reply<SendMailCodeReply> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let mail_key = Auth::send_mail_code(self, &own, &request.get_ref().email).await;
        reply(mail_key.map(|mail_key| SendMailCodeReply { mail_key }))
    }

    async fn bind_email(&self, request: Request<BindEmailRequest>) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let body = request.get_ref();
        let bound = Auth::bind_email(self, &own, &body.email, &body.mail_key, &body.verifycode);
        reply(bound.await.map(|()| Empty {}))
    }

    async fn begin_second_factor(
        &self,
        request: Request<BeginSecondFactorRequest>,
    ) -> Reply<BeginSecondFactorReply> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(self.begin_factor(&own).await)
    }

    async fn confirm_second_factor(
        &self,
        request: Request<ConfirmSecondFactorRequest>,
    ) -> Reply<RecoveryCodes> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let codes = self
            .confirm_factor(&own, &request.get_ref().verifycode)
            .await;
        reply(codes.map(|codes| RecoveryCodes { codes }))
    }

    async fn remove_second_factor(
        &self,
        request: Request<RemoveSecondFactorRequest>,
    ) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(self.remove_factor(&own).await.map(|()| Empty {}))
    }

    async fn renew_recovery_codes(
        &self,
        request: Request<RenewRecoveryCodesRequest>,
    ) -> Reply<RecoveryCodes> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let codes = self.renew_codes(&own).await;
        reply(codes.map(|codes| RecoveryCodes { codes }))
    }
}
