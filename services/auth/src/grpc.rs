//! The generated traits: request, domain, reply.

use chassis::rpc::Reply;
use chassis::{Caller, ServiceError};
use proto::auth::v1::auth_api_server::AuthApi;
use proto::auth::v1::auth_internal_server::AuthInternal;
use proto::auth::v1::{
    AppUserInfoReply, AppUserInfoRequest, FindPwdByPhoneRequest, GetAliyunAcsReply,
    GetAliyunAcsRequest, IntrospectOperatorReply, IntrospectOperatorRequest, IntrospectReply,
    IntrospectRequest, LoginByPhoneRequest, LogoutRequest, RefreshTokenRequest,
    RegisterPhoneRequest, SendSmsReply, SendSmsRequest, SliderChallengeReply,
    SliderChallengeRequest, TokenReply, TokenRequest, UserIsExistReply, UserIsExistRequest,
};
use proto::common::v1::Empty;
use tonic::{Request, Response, Status};

use crate::console::freeze;
use crate::service::{Auth, PasswordSignIn, PhoneAndCode};
use crate::session::{self, Issued, Method, Opening};
use crate::{rules, store};

fn token_reply(issued: &Issued) -> Response<TokenReply> {
    Response::new(TokenReply {
        token: issued.datas(),
    })
}

pub(crate) fn opening<'a>(method: Method, caller: &'a Caller, device: &'a str) -> Opening<'a> {
    Opening {
        method,
        remote_addr: caller.remote_addr(),
        user_agent: caller.user_agent(),
        device,
    }
}

#[tonic::async_trait]
impl AuthApi for Auth {
    async fn user_is_exist(&self, request: Request<UserIsExistRequest>) -> Reply<UserIsExistReply> {
        let caller = Caller::of(&request)?;
        let body = request.get_ref();
        let absent = self.is_absent(&body.username, &body.nvc_ticket, caller.remote_addr());
        let absent = absent.await?;
        Ok(Response::new(UserIsExistReply { absent }))
    }

    async fn send_sms(&self, request: Request<SendSmsRequest>) -> Reply<SendSmsReply> {
        let caller = Caller::of(&request)?;
        let body = request.get_ref();
        let sms_key = Auth::send_sms(
            self,
            &body.phone,
            &body.r#type,
            &body.nvc_ticket,
            caller.remote_addr(),
        )
        .await?;
        Ok(Response::new(SendSmsReply { sms_key }))
    }

    async fn token(&self, request: Request<TokenRequest>) -> Reply<TokenReply> {
        let caller = Caller::of(&request)?;
        let body = request.get_ref();
        let form = PasswordSignIn {
            username: &body.username,
            password: &body.password,
            ticket: &body.nvc_ticket,
            totp: &body.totp,
            factor_ticket: &body.factor_ticket,
            opening: opening(Method::Password, &caller, &body.device),
        };
        Ok(token_reply(&self.sign_in(&form).await?))
    }

    async fn login_by_phone(&self, request: Request<LoginByPhoneRequest>) -> Reply<TokenReply> {
        let caller = Caller::of(&request)?;
        let body = request.get_ref();
        let form = PhoneAndCode {
            phone: &body.phoneno,
            key: &body.sms_key,
            code: &body.verifycode,
            totp: &body.totp,
            opening: opening(Method::Sms, &caller, &body.device),
        };
        Ok(token_reply(&self.sign_in_by_phone(&form).await?))
    }

    async fn find_pwd_by_phone(&self, request: Request<FindPwdByPhoneRequest>) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let body = request.get_ref();
        let form = PhoneAndCode {
            phone: &body.phoneno,
            key: &body.sms_key,
            code: &body.verifycode,
            totp: "",
            opening: opening(Method::Sms, &caller, ""),
        };
        self.recover(&form, &body.password, &body.nvc_ticket)
            .await?;
        Ok(Response::new(Empty {}))
    }

    async fn register_phone(&self, request: Request<RegisterPhoneRequest>) -> Reply<TokenReply> {
        let caller = Caller::of(&request)?;
        let body = request.get_ref();
        let form = PhoneAndCode {
            phone: &body.phoneno,
            key: &body.sms_key,
            code: &body.verifycode,
            totp: "",
            opening: opening(Method::Register, &caller, &body.device),
        };
        let issued = self.register(&form, &body.password, &body.profession_code);
        Ok(token_reply(&issued.await?))
    }

    async fn slider_challenge(
        &self,
        request: Request<SliderChallengeRequest>,
    ) -> Reply<SliderChallengeReply> {
        let caller = Caller::of(&request)?;
        let kind = &request.get_ref().kind;
        let reply = self.slider.challenge(kind, caller.remote_addr()).await?;
        Ok(Response::new(reply))
    }

    async fn get_aliyun_acs(
        &self,
        request: Request<GetAliyunAcsRequest>,
    ) -> Reply<GetAliyunAcsReply> {
        let caller = Caller::of(&request)?;
        let text = &request.get_ref().nvcdata;
        let verdict = self.verdict(text, caller.remote_addr()).await?;
        metrics::counter!("auth_slider_total", "code" => verdict.code().to_string()).increment(1);
        Ok(Response::new(GetAliyunAcsReply {
            code: verdict.code(),
        }))
    }

    async fn refresh_token(&self, request: Request<RefreshTokenRequest>) -> Reply<TokenReply> {
        let caller = Caller::of(&request)?;
        let token = &request.get_ref().access_token;
        let issued = self.refresh(caller.login_id()?, caller.token_hash(), token);
        Ok(token_reply(&issued.await?))
    }

    async fn app_user_info(&self, request: Request<AppUserInfoRequest>) -> Reply<AppUserInfoReply> {
        let caller = Caller::of(&request)?;
        let login_id = caller.login_id()?;
        let found = store::by_id(&self.context.db, login_id).await;
        let account = found.map_err(ServiceError::from)?;
        let account = account.ok_or(ServiceError::Unauthenticated)?;
        Ok(Response::new(AppUserInfoReply {
            login_id: account.id.clone(),
            new_login_id: account.id,
            username: account.username,
            phone: rules::masked(&account.phone),
            avatar: account.avatar,
            nickname: account.nickname,
            uploader_type: account.uploader_type,
            loginstate: true,
            open_id: None,
            email: account.email,
            profession_code: account.profession_code,
            create_time: account.created_at,
        }))
    }

    async fn logout(&self, request: Request<LogoutRequest>) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        self.sign_out(caller.login_id()?, caller.token_hash())
            .await?;
        Ok(Response::new(Empty {}))
    }
}

#[tonic::async_trait]
impl AuthInternal for Auth {
    async fn introspect(&self, request: Request<IntrospectRequest>) -> Reply<IntrospectReply> {
        let token_hash = &request.get_ref().token_hash;
        let now_ms = self.context.clock.now_ms();
        let db = &self.context.db;
        let config = &self.config.token;
        let found = session::find(db, config, token_hash, now_ms).await;
        let session = found.map_err(ServiceError::from)?;
        let session = session.ok_or_else(|| Status::not_found("no such session"))?;
        let owner = store::by_id(db, &session.login_id).await;
        let owner = owner.map_err(ServiceError::from)?;
        let owner = owner.ok_or_else(|| Status::not_found("no such session"))?;
        let freeze = freeze::of(db, &owner.id, now_ms).await;
        if freeze.map_err(ServiceError::from)?.is_some() {
            return Err(Status::not_found("the account is frozen"));
        }
        Ok(Response::new(IntrospectReply {
            expires_at_ms: session::ends_at(&session, config),
            login_id: session.login_id,
            session_id: session.id,
            operator: false,
        }))
    }

    async fn introspect_operator(
        &self,
        request: Request<IntrospectOperatorRequest>,
    ) -> Reply<IntrospectOperatorReply> {
        let form = request.get_ref();
        let found = self.operators.of_token(&form.token_hash, &form.remote_addr);
        let (operator, session) = found
            .await?
            .ok_or_else(|| Status::not_found("no such session"))?;
        let roles: Vec<String> = serde_json::from_str(&operator.roles).unwrap_or_default();
        let db = &self.context.db;
        Ok(Response::new(IntrospectOperatorReply {
            permissions: self.operators.permitted(db, &roles).await?,
            operator_id: operator.id,
            name: operator.name,
            session_id: session.id,
            expires_at_ms: session.expires_at,
            fresh_until_ms: session.fresh_until,
        }))
    }
}
