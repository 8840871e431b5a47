//! Identities of providers: WeChat and QQ sign users in, and accounts are linked with them.
//!
//! The server learns an identity from the provider alone, for an attempt that it began itself.

mod attempt;
mod calls;
pub mod config;
mod migration;
pub(crate) mod picture;
pub(crate) mod provider;
pub(crate) mod qq;
pub(crate) mod store;
mod wechat;

use std::time::Duration;

use chassis::{BusinessError, Context, ServiceError};
use contentscan::Scanner;
use proto::code;
use serde::Deserialize;

pub(crate) use migration::identities;
pub use provider::Provider;

use crate::config::AuthConfig;
use attempt::{Attempt, Purpose, Vouched, Waiting};
use picture::Pictures;
use provider::{Application, Person, Protocol, ProviderError};

/// Page that providers redirect to.
const PAGE: &str = "/login";
/// Length of a verifier in characters, and the longest code.
const VERIFIER: std::ops::RangeInclusive<usize> = 32..=128;
const CODE_MAX: usize = 512;

const NOT_FINISHED: &str = "第三方登录没有完成，请重新发起";
const GONE: &str = "第三方登录已失效，请重新发起";

fn conflict(message: impl Into<String>) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

/// A configured provider.
struct Connected {
    application: Application,
    protocol: &'static dyn Protocol,
}

/// The providers, and the attempts waiting for them.
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

    /// Begins an attempt. Returns the provider's page and the state in it.
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

    /// The identity the provider vouches for: for an attempt of ours, in the browser that began it.
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

    /// What is stored of a person: no forbidden name, no picture but one of our own making.
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

/// What a page sends after a provider's redirect.
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
