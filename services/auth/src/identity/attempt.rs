//! Attempts that wait for a provider's redirect, and tickets of new users. Both are stored in the cache: losing one costs a user
//! another click.

use std::time::Duration;

use chassis::{Cache, ServiceError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::provider::Provider;
use crate::secret;

/// Life of both.
const LIFE: Duration = Duration::from_secs(600);

/// Purpose of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    SignIn,
    /// Linking to this account.
    Link(String),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Attempt {
    pub provider: Provider,
    pub purpose: Purpose,
    /// Lower-case hex SHA-256 of the verifier that the page keeps.
    pub challenge: String,
    /// Where the provider redirects to.
    pub redirect: String,
}

impl Attempt {
    /// Whether a redirect belongs to this attempt, in the browser that began it.
    pub fn fits(&self, provider: Provider, purpose: &Purpose, verifier: &str) -> bool {
        self.provider == provider
            && &self.purpose == purpose
            && self.challenge == secret::sha256(verifier)
    }
}

/// An identity that the provider vouched for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Vouched {
    pub provider: Provider,
    pub app_id: String,
    pub open_id: String,
    pub union_id: Option<String>,
    pub nickname: String,
    pub avatar: String,
}

/// Stores attempts and tickets, each under the hash of its name.
#[derive(Clone)]
pub struct Waiting {
    cache: Cache,
}

impl Waiting {
    pub fn new(cache: &Cache) -> Self {
        Self {
            cache: cache.scoped("auth:identity"),
        }
    }

    /// Stores an attempt and returns its state.
    pub async fn begin(&self, attempt: &Attempt) -> Result<String, ServiceError> {
        self.keep("state", attempt).await
    }

    /// The attempt of a state, once.
    pub async fn attempt(&self, state: &str) -> Result<Option<Attempt>, ServiceError> {
        let found = self.cache.take(&key("state", state)).await?;
        Ok(read(found))
    }

    pub async fn issue_ticket(&self, identity: &Vouched) -> Result<String, ServiceError> {
        self.keep("ticket", identity).await
    }

    /// The identity of a ticket, which stays valid: a wrong SMS code does not send the user to the provider again.
    pub async fn ticket(&self, ticket: &str) -> Result<Option<Vouched>, ServiceError> {
        let found = self.cache.get(&key("ticket", ticket)).await?;
        Ok(read(found))
    }

    /// Uses a ticket up: of concurrent callers one gets `true`.
    pub async fn redeem(&self, ticket: &str) -> Result<bool, ServiceError> {
        let found = self.cache.take(&key("ticket", ticket)).await?;
        Ok(found.is_some())
    }

    /// Stores an identity whose account has a second factor, until the code arrives.
    pub async fn ask(&self, identity: &Vouched) -> Result<String, ServiceError> {
        self.keep("factor", identity).await
    }

    pub async fn asked(&self, ticket: &str) -> Result<Option<Vouched>, ServiceError> {
        let found = self.cache.get(&key("factor", ticket)).await?;
        Ok(read(found))
    }

    pub async fn forget_asked(&self, ticket: &str) -> Result<(), ServiceError> {
        Ok(self.cache.remove(&key("factor", ticket)).await?)
    }

    async fn keep(&self, kind: &str, value: &impl Serialize) -> Result<String, ServiceError> {
        let name = secret::token();
        let value = serde_json::to_vec(value).map_err(anyhow::Error::from)?;
        self.cache.put(&key(kind, &name), &value, LIFE).await?;
        Ok(name)
    }
}

fn key(kind: &str, name: &str) -> String {
    format!("{kind}:{}", secret::sha256(name))
}

/// An entry of an older version that cannot be parsed counts as missing.
fn read<T: DeserializeOwned>(found: Option<Vec<u8>>) -> Option<T> {
    found.and_then(|bytes| serde_json::from_slice(&bytes).ok())
}
