//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::auth::v1::certification_api_server::CertificationApi;
use proto::auth::v1::{
    AuthDeveloperRequest, AuthEnterpriseRequest, AuthPersonalRequest, CertificationSubmitted,
    MyCertificationReply, MyCertificationRequest, WithdrawCertificationRequest,
};
use tonic::Request;

use super::Certifications;
use super::form::Form;

fn submitted(check_status: i32) -> CertificationSubmitted {
    CertificationSubmitted { check_status }
}

#[tonic::async_trait]
impl CertificationApi for Certifications {
    async fn auth_personal(
        &self,
        request: Request<AuthPersonalRequest>,
    ) -> Reply<CertificationSubmitted> {
        let (login_id, form) = signed_in(request)?;
        let form = Form::personal(&form, self.now_ms())?;
        reply(self.submit(&login_id, form).await.map(submitted))
    }

    async fn auth_enterprise(
        &self,
        request: Request<AuthEnterpriseRequest>,
    ) -> Reply<CertificationSubmitted> {
        let (login_id, form) = signed_in(request)?;
        let form = Form::enterprise(&form)?;
        reply(self.submit(&login_id, form).await.map(submitted))
    }

    async fn auth_developer(
        &self,
        request: Request<AuthDeveloperRequest>,
    ) -> Reply<CertificationSubmitted> {
        let (login_id, form) = signed_in(request)?;
        let form = Form::developer(&form)?;
        reply(self.submit(&login_id, form).await.map(submitted))
    }

    async fn my_certification(
        &self,
        request: Request<MyCertificationRequest>,
    ) -> Reply<MyCertificationReply> {
        let (login_id, _) = signed_in(request)?;
        reply(self.mine(&login_id).await)
    }

    async fn withdraw_certification(
        &self,
        request: Request<WithdrawCertificationRequest>,
    ) -> Reply<CertificationSubmitted> {
        let (login_id, request) = signed_in(request)?;
        reply(self.withdraw(&login_id, &request.id).await.map(submitted))
    }
}
