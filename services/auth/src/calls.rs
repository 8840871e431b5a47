//! The calls of `AuthApi` and `AuthInternal`: codes, sign-in, registration, recovery, tokens. Each validates in the order of the
//! contract, regardless of what the client has checked.

use chassis::db::begin_write;
use chassis::{Origin, ServiceError, SignedIn};
use proto::auth::v1::{
    AppUserInfoReply, AppUserInfoRequest, AuthCalls, AuthInternalCalls, FindPwdByPhoneRequest,
    GetAliyunAcsRequest, IntrospectOperatorReply, IntrospectOperatorRequest, IntrospectReply,
    IntrospectRequest, LoginByPhoneRequest, LogoutRequest, RefreshTokenRequest,
    RegisterPhoneRequest, SendSmsRequest, SliderChallengeReply, SliderChallengeRequest,
    TokenRequest, UserIsExistRequest,
};
use proto::code;

use crate::config::SliderRule;
use crate::console::freeze;
use crate::entity::session::Method;
use crate::entity::sign_in::Outcome;
use crate::entity::sms_code::{Lane, Purpose};
use crate::guesses::{self, Guesser};
use crate::risk::Lookups;
use crate::security::{Change, Changer};
use crate::service::{Auth, refused};
use crate::session::sign_in;
use crate::session::{self, Opening};
use crate::slider::Use;
use crate::sms;
use crate::{device, events, messages, risk, rules, secret, store};

const NO_SESSION: ServiceError = ServiceError::Absent("no such session");

pub(crate) fn opening<'a>(method: Method, from: &'a Origin, device: &'a str) -> Opening<'a> {
    Opening {
        method,
        remote_addr: from.remote_addr(),
        user_agent: from.user_agent(),
        device,
    }
}

impl AuthCalls<ServiceError> for Auth {
    /// Whether the phone number or e-mail address is free. An address that asks for many unknown names is probing: it must pass
    /// the slider for each further one, whether it exists or not.
    async fn user_is_exist(
        &self,
        from: &Origin,
        request: UserIsExistRequest,
    ) -> Result<bool, ServiceError> {
        let name = rules::account_name(&request.username)?;
        let (ticket, remote_addr) = (&request.nvc_ticket, from.remote_addr());
        let lookups = Lookups::new(&self.context.cache, &self.config.risk, remote_addr);
        let passed = self
            .slider_is_passed(ticket, lookups.are_many().await?, remote_addr, &Use::Lookup)
            .await?;
        if !passed {
            return refused(code::SLIDER_DEMANDED, messages::SLIDER_REQUIRED);
        }
        let absent = store::by_name(&self.context.db, &name).await?.is_none();
        if absent {
            lookups.note().await?;
        }
        Ok(absent)
    }

    /// Sends a code and returns its key.
    async fn send_sms(
        &self,
        from: &Origin,
        request: SendSmsRequest,
    ) -> Result<String, ServiceError> {
        let phone = rules::phone(&request.phone)?;
        let purpose = Purpose::parse(&request.r#type)?;
        if !self.sender.is_configured() {
            return refused(code::SMS_NOT_SENT, "短信服务未配置，请联系管理员");
        }
        let db = &self.context.db;
        let account = store::by_phone(db, phone).await?;
        let exists = account.is_some();
        let (ticket, remote_addr) = (&request.nvc_ticket, from.remote_addr());
        let lookups = Lookups::new(&self.context.cache, &self.config.risk, remote_addr);
        let probes = lookups.are_many().await?;
        if probes && ticket.is_empty() {
            return refused(code::SMS_NOT_SENT, messages::SLIDER_REQUIRED);
        }
        if let Err(refusal) = purpose.check_existence(exists) {
            lookups.note().await?;
            let what = Use::Code { purpose, phone };
            if self.is_probe(probes, ticket, remote_addr, &what).await? {
                return refused(code::SMS_NOT_SENT, messages::SLIDER_REQUIRED);
            }
            return Err(refusal.into());
        }
        let lane = self.lane(account.as_ref(), &request.device, remote_addr);
        let mut asked = sms::Request {
            phone,
            purpose,
            remote_addr,
            lane: lane.await?,
        };
        let shown = (!request.password.is_empty()).then_some(&request.password);
        let shown = shown.map(|shown| rules::password(shown)).transpose()?;
        // Before the slider, so that no user solves a puzzle only to hear that it is too soon.
        let admitted = self.admit_code(&mut asked, account.as_ref(), shown.is_some());
        let recent = admitted.await?;
        let guesses = asked.lane == Lane::Pretender;
        let demanded = guesses
            || probes
            || risk::sms_needs_slider(self.config.risk.slider, &self.config.sms, &recent);
        let what = Use::Code { purpose, phone };
        if !self
            .slider_is_passed(ticket, demanded, remote_addr, &what)
            .await?
        {
            return refused(code::SMS_NOT_SENT, messages::SLIDER_REQUIRED);
        }
        if let (true, Some(account), Some(shown)) = (guesses, &account, shown) {
            let hash = &account.password_hash;
            if self.passwords.verify(shown, hash).await? {
                asked.lane = Lane::Knower;
            }
        }
        self.deliver(&asked, purpose != Purpose::Rebuild || exists)
            .await
    }

    /// Signs in by password.
    async fn token(&self, from: &Origin, request: TokenRequest) -> Result<String, ServiceError> {
        let name = rules::account_name(&request.username)?;
        let password = rules::password(&request.password)?;
        let db = &self.context.db;
        let (ticket, remote_addr) = (&request.nvc_ticket, from.remote_addr());
        let lookups = Lookups::new(&self.context.cache, &self.config.risk, remote_addr);
        let probes = lookups.are_many().await?;
        if probes && ticket.is_empty() && request.factor_ticket.is_empty() {
            return refused(code::SLIDER_DEMANDED, messages::SLIDER_REQUIRED);
        }
        let Some(account) = store::by_name(db, &name).await? else {
            lookups.note().await?;
            if self
                .is_probe(probes, ticket, remote_addr, &Use::Password)
                .await?
            {
                return refused(code::SLIDER_DEMANDED, messages::SLIDER_REQUIRED);
            }
            return refused(code::NOT_REGISTERED, messages::NOT_REGISTERED);
        };
        let opening = opening(Method::Password, from, &request.device);
        let known = self.known_lane(&account.id, opening.device, opening.remote_addr);
        let known = known.await?;
        let guesser = Guesser {
            login_id: &account.id,
            remote_addr: opening.remote_addr,
            device: &known,
        };
        let resumed = self.is_resumed(&request.factor_ticket, &account.id, &opening);
        let resumed = resumed.await?;
        if probes && !resumed && ticket.is_empty() {
            return refused(code::SLIDER_DEMANDED, messages::SLIDER_REQUIRED);
        }
        let ticket = (!resumed).then_some(ticket.as_str());
        if !self
            .try_password(&account, password, &guesser, ticket)
            .await?
        {
            let wrong = Outcome::WrongPassword;
            sign_in::note(db, &account.id, &opening, wrong, false, self.now_ms()).await?;
            return self.wrong_password(&guesser).await;
        }
        self.pass_second_factor(&account.id, &request.totp, &opening)
            .await?;
        let issued = self.open_after_password(&account, &guesser, &opening);
        Ok(issued.await?.datas())
    }

    /// Signs in by SMS code.
    async fn login_by_phone(
        &self,
        from: &Origin,
        request: LoginByPhoneRequest,
    ) -> Result<String, ServiceError> {
        let phone = rules::phone(&request.phoneno)?;
        rules::code(&request.sms_key, &request.verifycode)?;
        let db = &self.context.db;
        let answer = sms::Answer {
            phone,
            purpose: Purpose::Login,
            key: &request.sms_key,
            code: &request.verifycode,
        };
        // Before the account is looked for: only who has the number learns whether it has one.
        let right = self.check_code(&answer).await?;
        let Some(account) = store::by_phone(db, phone).await? else {
            return refused(code::NOT_REGISTERED, messages::NOT_REGISTERED);
        };
        let opening = opening(Method::Sms, from, &request.device);
        // Before the code is used up: a client that is asked for the second factor sends the same code again.
        self.pass_second_factor(&account.id, &request.totp, &opening)
            .await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        let issued = self.open_session(transaction, &account.id, &opening);
        Ok(issued.await?.datas())
    }

    /// Sets a new password by SMS code; every session of the account ends.
    async fn find_pwd_by_phone(
        &self,
        from: &Origin,
        request: FindPwdByPhoneRequest,
    ) -> Result<(), ServiceError> {
        let phone = rules::phone(&request.phoneno)?;
        let password = rules::new_password(&request.password, phone)?;
        rules::code(&request.sms_key, &request.verifycode)?;
        let db = &self.context.db;
        let (ticket, remote_addr) = (&request.nvc_ticket, from.remote_addr());
        let demanded = self.config.risk.slider == SliderRule::Always;
        let what = Use::Rebuild { phone };
        if !self
            .slider_is_passed(ticket, demanded, remote_addr, &what)
            .await?
        {
            return refused(code::SLIDER_DEMANDED, messages::SLIDER_REQUIRED);
        }
        let answer = sms::Answer {
            phone,
            purpose: Purpose::Rebuild,
            key: &request.sms_key,
            code: &request.verifycode,
        };
        let right = self.check_code(&answer).await?;
        let Some(account) = store::by_phone(db, phone).await? else {
            return refused(code::WRONG_CODE, messages::CODE_EXPIRED);
        };
        let password_hash = self.passwords.hash(password).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        store::set_password(&transaction, &account.id, &password_hash, self.now_ms()).await?;
        guesses::forget(&transaction, &account.id).await?;
        device::forget(&transaction, &account.id).await?;
        let ended = session::close_all(&transaction, &account.id).await?;
        let by = Changer {
            remote_addr,
            user_agent: from.user_agent(),
        };
        self.tell_change(&transaction, &account.id, Change::Password, &by)
            .await?;
        self.commit_revocation(transaction, &ended).await
    }

    /// Registers by SMS code and signs in.
    async fn register_phone(
        &self,
        from: &Origin,
        request: RegisterPhoneRequest,
    ) -> Result<String, ServiceError> {
        let phone = rules::phone(&request.phoneno)?;
        let password = rules::new_password(&request.password, phone)?;
        rules::code(&request.sms_key, &request.verifycode)?;
        let profession = rules::profession(&request.profession_code)?;
        let db = &self.context.db;
        let answer = sms::Answer {
            phone,
            purpose: Purpose::Register,
            key: &request.sms_key,
            code: &request.verifycode,
        };
        let right = self.check_code(&answer).await;
        // Whoever was sent a code, which this form may have used up the first time, has the number.
        let has_number = right.is_ok() || sms::was_sent(db, &answer).await?;
        if has_number && store::by_phone(db, phone).await?.is_some() {
            return refused(code::ACCOUNT_EXISTS, messages::USER_EXISTS);
        }
        let right = right?;
        let password_hash = self.passwords.hash(password).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        let new = store::NewAccount {
            phone,
            email: None,
            password_hash,
            profession,
        };
        let account = store::add(&transaction, new, self.now_ms()).await?;
        events::registered(&self.outbox, &transaction, &account).await?;
        metrics::counter!("auth_registrations_total").increment(1);
        let opening = opening(Method::Register, from, &request.device);
        let issued = self.open_session(transaction, &account.id, &opening);
        Ok(issued.await?.datas())
    }

    async fn slider_challenge(
        &self,
        from: &Origin,
        request: SliderChallengeRequest,
    ) -> Result<SliderChallengeReply, ServiceError> {
        self.slider
            .challenge(&request.kind, from.remote_addr())
            .await
    }

    async fn get_aliyun_acs(
        &self,
        from: &Origin,
        request: GetAliyunAcsRequest,
    ) -> Result<i32, ServiceError> {
        let verdict = self.verdict(&request.nvcdata, from.remote_addr()).await?;
        metrics::counter!("auth_slider_total", "code" => verdict.code().to_string()).increment(1);
        Ok(verdict.code())
    }

    /// Gives the calling session a new token. `access_token` may name the caller's own token and no other.
    async fn refresh_token(
        &self,
        caller: &SignedIn,
        request: RefreshTokenRequest,
    ) -> Result<String, ServiceError> {
        let (token, token_hash) = (&request.access_token, caller.token_hash());
        if !token.is_empty() && secret::sha256(token) != token_hash {
            return refused(code::FOREIGN, "只能刷新当前登录的凭证");
        }
        let now_ms = self.now_ms();
        let transaction = begin_write(&self.context.db).await?;
        let (issued, ended) = session::rotate(
            &transaction,
            &self.config.token,
            caller.login_id(),
            token_hash,
            now_ms,
        )
        .await?;
        self.commit_revocation(transaction, &ended).await?;
        Ok(issued.datas())
    }

    async fn app_user_info(
        &self,
        caller: &SignedIn,
        _: AppUserInfoRequest,
    ) -> Result<AppUserInfoReply, ServiceError> {
        let account = store::by_id(&self.context.db, caller.login_id()).await?;
        let account = account.ok_or(ServiceError::Unauthenticated)?;
        Ok(AppUserInfoReply {
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
        })
    }

    /// Ends the calling session.
    async fn logout(&self, caller: &SignedIn, _: LogoutRequest) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let (login_id, token_hash) = (caller.login_id(), caller.token_hash());
        let ended = session::close(&transaction, login_id, token_hash).await?;
        self.commit_revocation(transaction, &ended).await
    }
}

impl AuthInternalCalls<ServiceError> for Auth {
    async fn introspect(
        &self,
        _: &Origin,
        request: IntrospectRequest,
    ) -> Result<IntrospectReply, ServiceError> {
        let now_ms = self.now_ms();
        let db = &self.context.db;
        let config = &self.config.token;
        let found = session::find(db, config, &request.token_hash, now_ms).await?;
        let session = found.ok_or(NO_SESSION)?;
        let owner = store::by_id(db, &session.login_id).await?;
        let owner = owner.ok_or(NO_SESSION)?;
        if freeze::of(db, &owner.id, now_ms).await?.is_some() {
            return Err(ServiceError::Absent("the account is frozen"));
        }
        Ok(IntrospectReply {
            expires_at_ms: session::ends_at(&session, config),
            login_id: session.login_id,
            session_id: session.id,
            operator: false,
        })
    }

    async fn introspect_operator(
        &self,
        _: &Origin,
        request: IntrospectOperatorRequest,
    ) -> Result<IntrospectOperatorReply, ServiceError> {
        let found = self
            .operators
            .of_token(&request.token_hash, &request.remote_addr)
            .await?;
        let (operator, session) = found.ok_or(NO_SESSION)?;
        let roles: Vec<String> = serde_json::from_str(&operator.roles).unwrap_or_default();
        let db = &self.context.db;
        Ok(IntrospectOperatorReply {
            permissions: self.operators.permitted(db, &roles).await?,
            operator_id: operator.id,
            name: operator.name,
            session_id: session.id,
            expires_at_ms: session.expires_at,
            fresh_until_ms: session.fresh_until,
        })
    }
}
