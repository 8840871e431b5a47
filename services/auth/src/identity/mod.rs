//! Identities of providers: WeChat and QQ sign people in, and accounts are linked with them.
//!
//! Who somebody is at a provider the server learns from the provider alone, for an attempt that it began itself.

mod attempt;
pub mod config;
mod grpc;
mod migration;
pub(crate) mod picture;
pub(crate) mod provider;
pub(crate) mod qq;
mod store;
mod wechat;

use std::time::Duration;

use chassis::db::begin_write;
use chassis::{BusinessError, Context, ServiceError};
use contentscan::Scanner;
use proto::code;
use serde::Deserialize;

pub(crate) use migration::identities;
pub use provider::Provider;

use crate::config::AuthConfig;
use crate::entity::identity;
use crate::events;
use crate::rules;
use crate::security::{Change, Own};
use crate::service::{Auth, PhoneAndCode};
use crate::session::{Issued, Opening};
use crate::sms::{self, Purpose as CodePurpose};
use attempt::{Attempt, Purpose, Vouched, Waiting};
use picture::Pictures;
use provider::{Application, Person, Protocol, ProviderError};

/// Page that providers send people back to.
const PAGE: &str = "/login";
/// Length of a verifier, in characters, and the most of a code.
const VERIFIER: std::ops::RangeInclusive<usize> = 32..=128;
const CODE_MAX: usize = 512;

const NOT_FINISHED: &str = "第三方登录没有完成，请重新发起";
const GONE: &str = "第三方登录已失效，请重新发起";

fn conflict(message: impl Into<String>) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

/// A provider that is set up here.
struct Connected {
    application: Application,
    protocol: &'static dyn Protocol,
}

/// The providers, and what waits for them.
pub struct ThirdParty {
    wechat: Option<Connected>,
    qq: Option<Connected>,
    waiting: Waiting,
    pictures: Pictures,
    words: Scanner,
    /// Origins of our own pages.
    origins: Vec<String>,
}

#[derive(Deserialize)]
struct Site {
    #[serde(default)]
    public_address: String,
}

impl ThirdParty {
    pub fn open(context: &Context, config: &AuthConfig) -> anyhow::Result<Self> {
        let wait = Duration::from_millis(config.third_party.wait_ms.clamp(100, 60_000));
        let connected = |name, of, protocol: &'static dyn Protocol| {
            let application = Application::open(name, of, wait)?;
            anyhow::Ok(application.map(|application| Connected {
                application,
                protocol,
            }))
        };
        let site: Site = context.settings.section("site")?;
        let mut origins = config.third_party.site_origins.clone();
        if origins.is_empty() {
            origins.push(site.public_address);
        }
        let bare = |origin: String| origin.trim_end_matches('/').to_owned();
        Ok(Self {
            wechat: connected("wechat", &config.wechat, &wechat::Wechat)?,
            qq: connected("qq", &config.qq, &qq::Qq)?,
            waiting: Waiting::new(&context.cache),
            pictures: Pictures::open()?,
            words: Scanner::new(""),
            origins: origins.into_iter().map(bare).collect(),
        })
    }

    fn connected(&self, provider: Provider) -> Result<&Connected, ServiceError> {
        let connected = match provider {
            Provider::Wechat => &self.wechat,
            Provider::Qq => &self.qq,
        };
        let missing = || conflict(format!("{}登录尚未开通", provider.title()));
        connected.as_ref().ok_or_else(missing)
    }

    /// Begins an attempt. Answers the provider's page and the state in it.
    async fn begin(
        &self,
        provider: Provider,
        purpose: Purpose,
        challenge: &str,
        origin: &str,
    ) -> Result<(String, String), ServiceError> {
        let connected = self.connected(provider)?;
        let hashed = challenge.len() == 64 && challenge.bytes().all(|b| b.is_ascii_hexdigit());
        if !hashed || !self.origins.iter().any(|own| own == origin) {
            return Err(BusinessError::invalid("登录请求不正确，请刷新页面后重试").into());
        }
        let redirect = format!("{origin}{PAGE}?provider={provider}");
        let attempt = Attempt {
            provider,
            purpose,
            challenge: challenge.to_ascii_lowercase(),
            redirect,
        };
        let state = self.waiting.begin(&attempt).await?;
        let application = &connected.application;
        let url = connected
            .protocol
            .authorize_url(application, &attempt.redirect, &state);
        Ok((url, state))
    }

    /// Whom the provider vouches for: for an attempt of ours, in the browser that began it.
    async fn vouched(
        &self,
        returned: &Returned<'_>,
        purpose: &Purpose,
    ) -> Result<Vouched, ServiceError> {
        let connected = self.connected(returned.provider)?;
        let attempt = self.waiting.attempt(returned.state).await?;
        let attempt = attempt.ok_or_else(|| conflict(GONE))?;
        if !attempt.fits(returned.provider, purpose, returned.verifier) {
            tracing::warn!(provider = %returned.provider, "a sign-in came back where it did not begin");
            count(returned.provider, "foreign");
            return Err(conflict(GONE));
        }
        if returned.code.is_empty() || returned.code.len() > CODE_MAX {
            return Err(conflict(NOT_FINISHED));
        }
        let application = &connected.application;
        let person = connected
            .protocol
            .person(application, returned.code, &attempt.redirect)
            .await
            .map_err(|error| failed(returned.provider, &error))?;
        Ok(self.kept_of(returned.provider, application, person).await)
    }

    /// What we keep of somebody: no forbidden name, no picture but one of our own making.
    async fn kept_of(
        &self,
        provider: Provider,
        application: &Application,
        person: Person,
    ) -> Vouched {
        let nickname = match self.words.find(&person.nickname) {
            Some(_) => String::new(),
            None => person.nickname,
        };
        let hosts = &application.picture_hosts;
        Vouched {
            provider,
            app_id: application.id.clone(),
            open_id: person.open_id,
            union_id: person.union_id,
            nickname,
            avatar: self.pictures.of(&person.picture, hosts).await,
        }
    }
}

/// What a page tells after a provider has sent the person back.
pub struct Returned<'a> {
    pub provider: Provider,
    pub code: &'a str,
    pub state: &'a str,
    pub verifier: &'a str,
}

impl<'a> Returned<'a> {
    fn of(
        provider: &str,
        code: &'a str,
        state: &'a str,
        verifier: &'a str,
    ) -> Result<Self, ServiceError> {
        if state.is_empty() || state.len() > 128 || !VERIFIER.contains(&verifier.len()) {
            return Err(conflict(GONE));
        }
        Ok(Self {
            provider: provider_of(provider)?,
            code,
            state,
            verifier,
        })
    }
}

fn provider_of(name: &str) -> Result<Provider, ServiceError> {
    Provider::of(name).ok_or_else(|| BusinessError::invalid("不支持这种登录方式").into())
}

fn count(provider: Provider, outcome: &'static str) {
    metrics::counter!("auth_third_party_total", "provider" => provider.name(), "outcome" => outcome)
        .increment(1);
}

fn failed(provider: Provider, error: &ProviderError) -> ServiceError {
    tracing::warn!(%provider, %error, "a provider vouched for nobody");
    let title = provider.title();
    match error {
        ProviderError::Refused(_) => {
            count(provider, "refused");
            conflict(format!("{title}没有确认这次登录，请重新发起"))
        }
        ProviderError::Silent(_) => {
            count(provider, "silent");
            conflict(format!("{title}暂时没有响应，请稍后再试"))
        }
        ProviderError::Odd(_) => {
            count(provider, "odd");
            conflict(NOT_FINISHED)
        }
    }
}

/// What became of a sign-in.
pub enum SignedIn {
    Known(Issued),
    New { ticket: String, identity: Vouched },
}

impl Auth {
    /// Signs in with a code of a provider; who is new here gets a ticket.
    pub async fn sign_in_by_identity(
        &self,
        returned: &Returned<'_>,
        opening: &Opening<'_>,
    ) -> Result<SignedIn, ServiceError> {
        let vouched = self.third_party.vouched(returned, &Purpose::SignIn).await?;
        let Some(known) = store::find(&self.context.db, &vouched).await? else {
            count(vouched.provider, "new");
            let ticket = self.third_party.waiting.issue_ticket(&vouched).await?;
            return Ok(SignedIn::New {
                ticket,
                identity: vouched,
            });
        };
        let issued = self.open_known(&vouched, &known, "", opening).await?;
        Ok(SignedIn::Known(issued))
    }

    /// Goes on with a sign-in that was asked for its second factor: the provider's code has been used up.
    pub async fn resume_identity(
        &self,
        ticket: &str,
        totp: &str,
        opening: &Opening<'_>,
    ) -> Result<SignedIn, ServiceError> {
        let waiting = &self.third_party.waiting;
        let vouched = waiting.asked(ticket).await?;
        let vouched = vouched.ok_or_else(|| conflict(GONE))?;
        let known = store::find(&self.context.db, &vouched).await?;
        let known = known.ok_or_else(|| conflict(GONE))?;
        let issued = self.open_known(&vouched, &known, totp, opening).await?;
        waiting.forget_asked(ticket).await?;
        Ok(SignedIn::Known(issued))
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

    /// Makes an account for an identity that is new here, and signs in.
    pub async fn register_identity(
        &self,
        form: &PhoneAndCode<'_>,
        ticket: &str,
    ) -> Result<Issued, ServiceError> {
        rules::phone(form.phone)?;
        rules::code(form.key, form.code)?;
        let waiting = &self.third_party.waiting;
        let vouched = waiting.ticket(ticket).await?;
        let vouched = vouched.ok_or_else(|| conflict(GONE))?;
        let db = &self.context.db;
        if crate::store::by_phone(db, form.phone).await?.is_some() {
            return Err(BusinessError::new(code::ACCOUNT_EXISTS, rules::PHONE_EXISTS).into());
        }
        let right = self.check_code(form, CodePurpose::BindPhone).await?;
        if !waiting.redeem(ticket).await? {
            return Err(conflict(GONE));
        }
        let now_ms = self.now_ms();
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, now_ms).await?;
        let new = crate::store::NewAccount {
            phone: form.phone,
            email: None,
            // None yet: a password is set later, after proof of oneself.
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
        let opening = Opening {
            method: vouched.provider.method(),
            ..form.opening
        };
        self.open_session(transaction, &account.id, &opening).await
    }

    /// Links the identity behind a code to the caller's account.
    pub async fn link_identity(
        &self,
        own: &Own<'_>,
        returned: &Returned<'_>,
    ) -> Result<(), ServiceError> {
        own.must_be_confirmed(self.now_ms())?;
        let login_id = own.account.id.as_str();
        let purpose = Purpose::Link(login_id.to_owned());
        let vouched = self.third_party.vouched(returned, &purpose).await?;
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
        self.secured(transaction, own, Change::IdentityLinked)
            .await?;
        count(vouched.provider, "linked");
        Ok(())
    }

    /// The identities that an account is linked with.
    pub async fn identities(&self, login_id: &str) -> Result<Vec<identity::Model>, ServiceError> {
        Ok(store::of_account(&self.context.db, login_id).await?)
    }

    /// Unlinks an identity, unless nothing else signs its owner in.
    pub async fn unlink_identity(&self, own: &Own<'_>, id: &str) -> Result<(), ServiceError> {
        own.must_be_confirmed(self.now_ms())?;
        let login_id = own.account.id.as_str();
        let transaction = begin_write(&self.context.db).await?;
        let identities = store::lock(&transaction, login_id).await?;
        let Some(leaving) = identities.iter().find(|identity| identity.id == id) else {
            return Err(BusinessError::not_found("没有找到这个绑定").into());
        };
        let account = crate::store::by_id(&transaction, login_id).await?;
        let account = account.ok_or(ServiceError::Unauthenticated)?;
        // A phone gets codes; a password needs a name to go with it, which is phone or e-mail address.
        let by_password = !account.password_hash.is_empty() && account.email.is_some();
        if account.phone.is_empty() && !by_password && identities.len() == 1 {
            return Err(conflict("这是唯一的登录方式，请先绑定手机号"));
        }
        store::unlink(&transaction, id).await?;
        self.secured(transaction, own, Change::IdentityUnlinked)
            .await?;
        count(leaving.provider, "unlinked");
        Ok(())
    }

    /// Begins a sign-in at a provider.
    pub async fn authorize(
        &self,
        provider: &str,
        login_id: Option<&str>,
        challenge: &str,
        origin: &str,
    ) -> Result<(String, String), ServiceError> {
        let purpose = match login_id {
            Some(login_id) => Purpose::Link(login_id.to_owned()),
            None => Purpose::SignIn,
        };
        let provider = provider_of(provider)?;
        self.third_party
            .begin(provider, purpose, challenge, origin)
            .await
    }
}
