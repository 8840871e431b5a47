//! The calls of `IdentityApi`: signing in at a provider, and linking an account with one.

use chassis::db::begin_write;
use chassis::{BusinessError, Origin, ServiceError, SignedIn};
use proto::auth::v1::{
    BindThirdPartyAccountRequest, GetMyThirdPartyAccountRequest, IdentityCalls,
    LinkAuthorizeRequest, RelatedPhoneRequest, RemoveThirdPartyAccountByIdRequest,
    ThirdPartyAccount, ThirdPartyAuthorizeReply, ThirdPartyAuthorizeRequest,
    ThirdPartyCallbackReply, ThirdPartyCallbackRequest,
};
use proto::code;

use super::attempt::{Purpose, Vouched};
use super::{GONE, Returned, conflict, count, picture, provider_of, store};
use crate::calls::opening;
use crate::entity::identity;
use crate::entity::session::Method;
use crate::entity::sms_code::Purpose as CodePurpose;
use crate::security::Change;
use crate::service::Auth;
use crate::session::{Issued, Opening};
use crate::sms;
use crate::{events, messages, rules};

fn shown(row: identity::Model) -> ThirdPartyAccount {
    ThirdPartyAccount {
        id: row.id,
        r#type: row.provider.name().to_owned(),
        nickname: row.nickname,
        avatar: row.avatar,
        bind_time: row.created_at,
    }
}

impl IdentityCalls<ServiceError> for Auth {
    async fn third_party_authorize(
        &self,
        _: &Origin,
        request: ThirdPartyAuthorizeRequest,
    ) -> Result<ThirdPartyAuthorizeReply, ServiceError> {
        let purpose = Purpose::SignIn;
        let (challenge, origin) = (&request.challenge, &request.origin);
        self.authorize(&request.r#type, purpose, challenge, origin)
            .await
    }

    async fn link_authorize(
        &self,
        caller: &SignedIn,
        request: LinkAuthorizeRequest,
    ) -> Result<ThirdPartyAuthorizeReply, ServiceError> {
        let purpose = Purpose::Link(caller.login_id().to_owned());
        let (challenge, origin) = (&request.challenge, &request.origin);
        self.authorize(&request.r#type, purpose, challenge, origin)
            .await
    }

    /// Signs in with a code of a provider; a new user gets a ticket.
    async fn third_party_callback(
        &self,
        from: &Origin,
        request: ThirdPartyCallbackRequest,
    ) -> Result<ThirdPartyCallbackReply, ServiceError> {
        let opening = opening(Method::Unknown, from, &request.device);
        let issued = if request.factor_ticket.is_empty() {
            let (code, state) = (&request.code, &request.state);
            let returned = Returned::of(&request.r#type, code, state, &request.verifier)?;
            let purpose = Purpose::SignIn;
            let vouched = self.third_party.vouched(&returned, &purpose).await?;
            let Some(known) = store::find(&self.context.db, &vouched).await? else {
                count(vouched.provider, "new");
                return Ok(ThirdPartyCallbackReply {
                    bind_ticket: self.third_party.waiting.issue_ticket(&vouched).await?,
                    open_id: vouched.open_id,
                    avatar: vouched.avatar,
                    nickname: vouched.nickname,
                    ..Default::default()
                });
            };
            self.open_known(&vouched, &known, "", &opening).await?
        } else {
            self.resume(&request, &opening).await?
        };
        Ok(ThirdPartyCallbackReply {
            token: issued.datas(),
            ..Default::default()
        })
    }

    /// Creates an account for a new identity, and signs in.
    async fn related_phone(
        &self,
        from: &Origin,
        request: RelatedPhoneRequest,
    ) -> Result<String, ServiceError> {
        let phone = rules::phone(&request.phoneno)?;
        rules::code(&request.sms_key, &request.verifycode)?;
        let waiting = &self.third_party.waiting;
        let vouched = waiting.ticket(&request.bind_ticket).await?;
        let vouched = vouched.ok_or_else(|| conflict(GONE))?;
        let db = &self.context.db;
        if crate::store::by_phone(db, phone).await?.is_some() {
            return Err(BusinessError::new(code::ACCOUNT_EXISTS, messages::PHONE_EXISTS).into());
        }
        let answer = sms::Answer {
            phone,
            purpose: CodePurpose::BindPhone,
            key: &request.sms_key,
            code: &request.verifycode,
        };
        let right = self.check_code(&answer).await?;
        if !waiting.redeem(&request.bind_ticket).await? {
            return Err(conflict(GONE));
        }
        let now_ms = self.now_ms();
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, now_ms).await?;
        let new = crate::store::NewAccount {
            phone,
            email: None,
            // None yet: a password is set later, after the identity is confirmed.
            password_hash: String::new(),
            profession: rules::profession("")?,
        };
        let account = crate::store::add(&transaction, new, now_ms).await?;
        store::link(&transaction, &vouched, &account.id, now_ms).await?;
        events::registered(&self.outbox, &transaction, &account).await?;
        let picture = picture::bytes_of(&vouched.avatar);
        if !vouched.nickname.is_empty() || !picture.is_empty() {
            let name = &vouched.nickname;
            events::introduced(&self.outbox, &transaction, &account, name, picture).await?;
        }
        metrics::counter!("auth_registrations_total").increment(1);
        count(vouched.provider, "registered");
        let opening = opening(vouched.provider.method(), from, &request.device);
        let issued = self.open_session(transaction, &account.id, &opening);
        Ok(issued.await?.datas())
    }

    /// Links the identity behind a code to the caller's account.
    async fn bind_third_party_account(
        &self,
        caller: &SignedIn,
        request: BindThirdPartyAccountRequest,
    ) -> Result<(), ServiceError> {
        let own = self.own(caller).await?;
        let (code, state) = (&request.code, &request.state);
        let returned = Returned::of(&request.r#type, code, state, &request.verifier)?;
        own.must_be_confirmed(self.now_ms())?;
        let login_id = own.account.id.as_str();
        let purpose = Purpose::Link(login_id.to_owned());
        let vouched = self.third_party.vouched(&returned, &purpose).await?;
        let transaction = begin_write(&self.context.db).await?;
        match store::find(&transaction, &vouched).await? {
            Some(linked) if linked.login_id == login_id => {
                store::refresh(&transaction, &linked, &vouched).await?;
                transaction.commit().await?;
                return Ok(());
            }
            Some(_) => return Err(store::taken(vouched.provider)),
            None => store::link(&transaction, &vouched, login_id, self.now_ms()).await?,
        }
        self.secured(transaction, &own, Change::IdentityLinked)
            .await?;
        count(vouched.provider, "linked");
        Ok(())
    }

    async fn get_my_third_party_account(
        &self,
        caller: &SignedIn,
        _: GetMyThirdPartyAccountRequest,
    ) -> Result<Vec<ThirdPartyAccount>, ServiceError> {
        let rows = store::of_account(&self.context.db, caller.login_id()).await?;
        Ok(rows.into_iter().map(shown).collect())
    }

    /// Unlinks an identity, unless it is the owner's only way to sign in.
    async fn remove_third_party_account_by_id(
        &self,
        caller: &SignedIn,
        request: RemoveThirdPartyAccountByIdRequest,
    ) -> Result<(), ServiceError> {
        let own = self.own(caller).await?;
        own.must_be_confirmed(self.now_ms())?;
        let (login_id, id) = (own.account.id.as_str(), &request.id);
        let transaction = begin_write(&self.context.db).await?;
        let identities = store::lock(&transaction, login_id).await?;
        let Some(leaving) = identities.iter().find(|identity| identity.id == *id) else {
            return Err(BusinessError::not_found("没有找到这个绑定").into());
        };
        let account = crate::store::by_id(&transaction, login_id).await?;
        let account = account.ok_or(ServiceError::Unauthenticated)?;
        if store::is_last_way(&account, &identities) {
            return Err(conflict("这是唯一的登录方式，请先绑定手机号"));
        }
        store::unlink(&transaction, login_id, id).await?;
        self.secured(transaction, &own, Change::IdentityUnlinked)
            .await?;
        count(leaving.provider, "unlinked");
        Ok(())
    }
}

impl Auth {
    /// Begins a sign-in at a provider.
    async fn authorize(
        &self,
        provider: &str,
        purpose: Purpose,
        challenge: &str,
        origin: &str,
    ) -> Result<ThirdPartyAuthorizeReply, ServiceError> {
        let provider = provider_of(provider)?;
        let begun = self.third_party.begin(provider, purpose, challenge, origin);
        let (url, state) = begun.await?;
        Ok(ThirdPartyAuthorizeReply { url, state })
    }

    /// Resumes a sign-in that was asked for its second factor: the provider's code is used up.
    async fn resume(
        &self,
        request: &ThirdPartyCallbackRequest,
        opening: &Opening<'_>,
    ) -> Result<Issued, ServiceError> {
        let (ticket, totp) = (&request.factor_ticket, &request.totp);
        let waiting = &self.third_party.waiting;
        let vouched = waiting.asked(ticket).await?;
        let vouched = vouched.filter(|vouched| vouched.provider.name() == request.r#type);
        let vouched = vouched.ok_or_else(|| conflict(GONE))?;
        let known = store::find(&self.context.db, &vouched).await?;
        let known = known.ok_or_else(|| conflict(GONE))?;
        let issued = self.open_known(&vouched, &known, totp, opening).await?;
        waiting.forget_asked(ticket).await?;
        Ok(issued)
    }

    async fn open_known(
        &self,
        vouched: &Vouched,
        known: &identity::Model,
        totp: &str,
        opening: &Opening<'_>,
    ) -> Result<Issued, ServiceError> {
        let opening = Opening {
            method: vouched.provider.method(),
            ..*opening
        };
        let passed = self
            .pass_second_factor(&known.login_id, totp, &opening)
            .await;
        if let Err(ServiceError::Business(error)) = passed {
            if error.code != code::SECOND_FACTOR {
                return Err(error.into());
            }
            let ticket = self.third_party.waiting.ask(vouched).await?;
            let datas = serde_json::json!({"factorTicket": ticket});
            return Err(error.with_datas(&datas).into());
        }
        passed?;
        let transaction = begin_write(&self.context.db).await?;
        store::refresh(&transaction, known, vouched).await?;
        let issued = self
            .open_session(transaction, &known.login_id, &opening)
            .await?;
        count(vouched.provider, "known");
        Ok(issued)
    }
}
