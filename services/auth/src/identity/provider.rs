//! Requests to a provider, and its responses.

use std::time::Duration;

use http::Uri;
use outbound::{Bounds, Http, OutboundError, Reach};
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::Value;

use super::config::{ApplicationConfig, secret};
use crate::entity::session::Method;

/// Largest response: only a few hundred bytes are used.
const MAX_ANSWER: usize = 64 * 1024;
/// Longest id stored.
const ID_MAX: usize = 64;
pub const NICKNAME_MAX: usize = 32;

chassis::column_enum! {
    /// The provider of an identity.
    pub enum Provider {
        Wechat = "wechat",
        Qq = "qq",
    }
}

impl Provider {
    /// Method of sessions opened with it.
    pub fn method(self) -> Method {
        match self {
            Self::Wechat => Method::WeChat,
            Self::Qq => Method::Qq,
        }
    }

    /// Display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Wechat => "微信",
            Self::Qq => "QQ",
        }
    }
}

impl<'de> Deserialize<'de> for Provider {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::of(&name).ok_or_else(|| D::Error::custom("no such provider"))
    }
}

/// A person at a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub open_id: String,
    pub union_id: Option<String>,
    /// Without control characters, at most 32 characters; may be empty.
    pub nickname: String,
    /// Address of the picture as the provider names it.
    pub picture: String,
}

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// Refused by the provider, with its own text.
    #[error("refused: {0}")]
    Refused(String),
    #[error("no answer: {0}")]
    Silent(String),
    /// A response that violates the protocol, or is not about us.
    #[error("odd answer: {0}")]
    Odd(String),
}

impl From<OutboundError> for ProviderError {
    fn from(error: OutboundError) -> Self {
        Self::Silent(error.to_string())
    }
}

/// The protocol of one provider.
#[async_trait::async_trait]
pub trait Protocol: Send + Sync {
    /// Address of the authorisation page.
    fn authorize_url(&self, application: &Application, redirect: &str, state: &str) -> String;

    /// The person behind a code that came back to `redirect`.
    async fn person(
        &self,
        application: &Application,
        code: &str,
        redirect: &str,
    ) -> Result<Person, ProviderError>;
}

/// Our application at a provider, and its addresses.
pub struct Application {
    pub id: String,
    pub secret: String,
    pub authorize_url: String,
    api: String,
    pub picture_hosts: Vec<String>,
    http: Http,
}

impl Application {
    /// `None` without an id. Errors: the secret is missing, an address is invalid.
    pub fn open(
        name: &str,
        config: &ApplicationConfig,
        wait: Duration,
    ) -> anyhow::Result<Option<Self>> {
        if config.app_id.is_empty() {
            return Ok(None);
        }
        let key = secret(
            &format!("auth.{name}.secret"),
            &config.secret,
            &config.secret_file,
        )?;
        anyhow::ensure!(!key.is_empty(), "auth.{name}.secret is missing");
        for address in [&config.authorize_url, &config.api] {
            let uri: Uri = address.parse()?;
            anyhow::ensure!(uri.host().is_some(), "auth.{name}: {address} is no address");
        }
        let bounds = Bounds {
            wait,
            most: MAX_ANSWER,
            reach: Reach::Any,
        };
        Ok(Some(Self {
            id: config.app_id.clone(),
            secret: key,
            authorize_url: config.authorize_url.clone(),
            api: config.api.trim_end_matches('/').to_owned(),
            picture_hosts: config.picture_hosts.clone(),
            http: Http::open(config.api.starts_with("https://"), bounds)?,
        }))
    }

    /// Calls the provider's API. Providers report errors with status 200 and text/plain: the caller reads the text.
    pub async fn ask(&self, path: &str, query: &[(&str, &str)]) -> Result<String, ProviderError> {
        let address = with_query(&format!("{}{path}", self.api), query);
        let address: Uri = address
            .parse()
            .map_err(|_| ProviderError::Odd("a value makes no address".to_owned()))?;
        let answer = self.http.get(address).await?;
        if answer.status != 200 {
            return Err(ProviderError::Silent(format!("status {}", answer.status)));
        }
        String::from_utf8(answer.body.to_vec())
            .map_err(|_| ProviderError::Odd("not UTF-8".to_owned()))
    }
}

/// The address with these fields appended to its query.
pub fn with_query(address: &str, query: &[(&str, &str)]) -> String {
    let mut fields = form_urlencoded::Serializer::new(String::new());
    fields.extend_pairs(query);
    let join = if address.contains('?') { '&' } else { '?' };
    format!("{address}{join}{}", fields.finish())
}

pub fn json(text: &str) -> Result<Value, ProviderError> {
    let value = serde_json::from_str(text.trim());
    value.map_err(|_| ProviderError::Odd("not JSON".to_owned()))
}

/// A text field; empty when it is absent or something else.
pub fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// An id of a provider.
pub fn id(value: &Value, name: &str) -> Result<String, ProviderError> {
    let id = text(value, name);
    let fits = (1..=ID_MAX).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic());
    match fits {
        true => Ok(id.to_owned()),
        false => Err(ProviderError::Odd(format!("no usable {name}"))),
    }
}

/// An optional id.
pub fn id_if_any(value: &Value, name: &str) -> Result<Option<String>, ProviderError> {
    match text(value, name) {
        "" => Ok(None),
        _ => id(value, name).map(Some),
    }
}

/// A displayable name: no control or direction characters, truncated to fit.
pub fn nickname(text: &str) -> String {
    let shown = text.chars().filter(|letter| {
        let steers = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        !letter.is_control() && !steers
    });
    let short: String = shown.take(NICKNAME_MAX).collect();
    short.trim().to_owned()
}
