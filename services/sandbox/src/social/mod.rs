//! The open platforms of WeChat and QQ from a website's view: the consent page, the calls behind it, and faults on demand.

mod api;
mod faults;
mod pages;
mod picture;
mod qq;
mod wechat;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::web::ServiceConfig;
use chassis::Clock;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toml::Table;

use faults::{Faults, Rule};

/// The website's application at each. The secrets need not be kept: anyone who reaches a sandbox sees everything in it.
pub const WECHAT_APP: &str = "wx0sandbox0000001";
pub const WECHAT_SECRET: &str = "sandbox-wechat-secret";
pub const QQ_APP: &str = "100000001";
pub const QQ_SECRET: &str = "sandbox-qq-secret";

/// Life of a code.
const CODE_LIFE_MS: i64 = 600_000;
/// Most codes, and most tokens, kept; a full map is cleared.
const MOST: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Provider {
    Wechat,
    Qq,
}

impl Provider {
    fn app(self) -> &'static str {
        match self {
            Self::Wechat => WECHAT_APP,
            Self::Qq => QQ_APP,
        }
    }
}

/// A user's consent, which a code, and later a token, refers to.
#[derive(Debug, Clone)]
struct Grant {
    provider: Provider,
    /// Name of the person, which also identifies them.
    name: String,
    redirect: String,
    at_ms: i64,
    used: bool,
    faults: Faults,
}

impl Grant {
    fn open_id(&self) -> String {
        let turn = if self.faults.changed_openid { "2" } else { "1" };
        named("o", &[self.provider.app(), turn, &self.name])
    }

    fn union_id(&self) -> String {
        named("u", &[&self.name])
    }

    fn nickname(&self) -> &str {
        self.faults.nickname.as_deref().unwrap_or(&self.name)
    }
}

/// An id derived from its parts: the same in every run.
fn named(head: &str, parts: &[&str]) -> String {
    let digest = hex::encode(Sha256::digest(parts.join("\n")));
    format!("{head}{}", &digest[..27])
}

#[derive(Default)]
struct Granted {
    codes: HashMap<String, Grant>,
    tokens: HashMap<String, Grant>,
    rules: Vec<Rule>,
}

/// Both platforms; clones share the state.
#[derive(Clone)]
pub struct Platforms {
    granted: Arc<Mutex<Granted>>,
    clock: Clock,
    /// URL of the sandbox, for pictures.
    address: String,
}

/// Why a code yields no token.
#[derive(Debug, PartialEq, Eq)]
enum Bad {
    Unknown,
    Used,
}

impl Platforms {
    pub fn new(clock: Clock, address: &str) -> Self {
        Self {
            granted: Arc::default(),
            clock,
            address: address.to_owned(),
        }
    }

    fn granted(&self) -> MutexGuard<'_, Granted> {
        // A poisoned lock still holds complete entries.
        self.granted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a user's consent; returns the code for the website.
    fn agree(&self, provider: Provider, name: &str, redirect: &str) -> String {
        let mut granted = self.granted();
        let faults = faults::take(&mut granted.rules, provider);
        let grant = Grant {
            provider,
            name: name.to_owned(),
            redirect: redirect.to_owned(),
            at_ms: self.clock.now_ms(),
            used: faults.used_code,
            faults,
        };
        let code = fresh();
        if granted.codes.len() >= MOST {
            granted.codes.clear();
        }
        granted.codes.insert(code.clone(), grant);
        code
    }

    /// Exchanges a code for a token, once.
    fn exchange(&self, provider: Provider, code: &str) -> Result<(String, Grant), Bad> {
        let now_ms = self.clock.now_ms();
        let mut granted = self.granted();
        let grant = granted.codes.get_mut(code).ok_or(Bad::Unknown)?;
        if grant.provider != provider || grant.at_ms + CODE_LIFE_MS < now_ms {
            return Err(Bad::Unknown);
        }
        if std::mem::replace(&mut grant.used, true) {
            return Err(Bad::Used);
        }
        let grant = grant.clone();
        let token = fresh();
        if granted.tokens.len() >= MOST {
            granted.tokens.clear();
        }
        granted.tokens.insert(token.clone(), grant.clone());
        Ok((token, grant))
    }

    fn token(&self, provider: Provider, token: &str) -> Option<Grant> {
        let granted = self.granted();
        let grant = granted.tokens.get(token)?;
        (grant.provider == provider).then(|| grant.clone())
    }

    fn picture(&self, grant: &Grant) -> String {
        match &grant.faults.picture {
            Some(address) => address.clone(),
            None => {
                let name = named("p", &[&grant.name]);
                format!("{}/social/picture/{name}.png", self.address)
            }
        }
    }
}

fn fresh() -> String {
    hex::encode(rand::random::<[u8; 16]>())
}

/// The section `[auth.wechat]` for a sandbox at this address.
pub fn wechat(address: &str) -> Table {
    let page = format!("{address}/social/wechat/connect/qrconnect");
    section(address, WECHAT_APP, WECHAT_SECRET, page, "/social/wechat")
}

/// The section `[auth.qq]` for a sandbox at this address.
pub fn qq(address: &str) -> Table {
    let page = format!("{address}/social/qq/oauth2.0/authorize");
    section(address, QQ_APP, QQ_SECRET, page, "/social/qq")
}

fn section(address: &str, app: &str, secret: &str, page: String, path: &str) -> Table {
    let host = address.split("://").last().unwrap_or(address);
    Table::from_iter([
        ("app_id".to_owned(), app.into()),
        ("secret".to_owned(), secret.into()),
        ("secret_file".to_owned(), "".into()),
        ("authorize_url".to_owned(), page.into()),
        ("api".to_owned(), format!("{address}{path}").into()),
        ("picture_hosts".to_owned(), vec![host.to_owned()].into()),
    ])
}

/// Adds the pages and endpoints of both.
pub fn routes(service: &mut ServiceConfig) {
    wechat::routes(service);
    qq::routes(service);
    api::routes(service);
    picture::routes(service);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_good_once_for_its_platform_and_ten_minutes() {
        let clock = Clock::system();
        let platforms = Platforms::new(clock.clone(), "http://x");
        let agree = || platforms.agree(Provider::Wechat, "小明", "http://back");
        let code = agree();
        let exchange = |code: &str| platforms.exchange(Provider::Wechat, code);
        assert_eq!(
            platforms.exchange(Provider::Qq, &code).unwrap_err(),
            Bad::Unknown
        );
        let (token, grant) = exchange(&code).unwrap();
        assert_eq!(exchange(&code).unwrap_err(), Bad::Used);
        assert!(platforms.token(Provider::Qq, &token).is_none());
        assert_eq!(
            platforms.token(Provider::Wechat, &token).unwrap().open_id(),
            grant.open_id()
        );
        let late = agree();
        clock.advance_ms(CODE_LIFE_MS + 1);
        assert_eq!(exchange(&late).unwrap_err(), Bad::Unknown);
    }
}
