//! Temporary credentials of our own store: none is stored, everything is derived from the root secret. What the store keeps
//! is the sessions that have ended, whose credentials it refuses.
//! The session token is a JSON grant and its HMAC; the secret key is an HMAC of the access key. The grant names its
//! access key, so a token cannot be used with another key pair, even when a client leaves the token unsigned.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use time::OffsetDateTime;

use super::{
    CredentialIssuer, Grantee, Quota, TEMPORARY_KEY_PREFIX, TemporaryCredentials, check_request,
};
use crate::error::{Result, StoreError};

/// Longer tokens are rejected without parsing.
const MAX_TOKEN_BYTES: usize = 4096;

/// Content of a session token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Grant {
    /// Format version, 1.
    v: u8,
    /// Access key this grant belongs to.
    k: String,
    /// User id.
    pub(crate) u: String,
    /// Bucket.
    pub(crate) b: String,
    /// Prefix, ends with `/`; of a link it may be empty.
    pub(crate) p: String,
    /// Expiry, Unix time in seconds.
    e: i64,
    /// Limits; none in those of an earlier version.
    #[serde(default, skip_serializing_if = "Quota::is_unlimited")]
    pub(crate) q: Quota,
    /// Session; empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) s: String,
    /// Of a link: what follows the prefix in the key of the one object that it reads. A store of an earlier version sees the
    /// prefix alone; there the signature, which covers method and key, is the only limit.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) o: String,
}

/// Why a session token was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GrantError {
    Invalid,
    Expired,
}

/// Reports to the store which sessions have ended.
#[async_trait]
pub(crate) trait Revoker: Send + Sync {
    async fn revoke(&self, sessions: Vec<String>) -> Result<()>;
}

/// Issuer for our own store; needs only the root secret, so any process that has it can issue.
#[derive(Clone)]
pub struct EmbeddedIssuer {
    token_key: [u8; 32],
    secret_key: [u8; 32],
    bucket: String,
    revoker: Option<Arc<dyn Revoker>>,
}

impl EmbeddedIssuer {
    /// `root_secret` is the store's root secret, `bucket` the bucket the credentials give access to. It revokes nothing, for
    /// it does not know where the store is: [`crate::connect`] does.
    pub fn new(root_secret: &str, bucket: &str) -> Result<Self> {
        crate::name::check_bucket(bucket)?;
        if root_secret.len() < 16 {
            return Err(StoreError::Config(
                "root secret has fewer than 16 characters".into(),
            ));
        }
        Ok(Self {
            token_key: hmac_sha256(
                root_secret.as_bytes(),
                b"xuanlan objectstore session token 1",
            ),
            secret_key: hmac_sha256(
                root_secret.as_bytes(),
                b"xuanlan objectstore temporary secret 1",
            ),
            bucket: bucket.to_owned(),
            revoker: None,
        })
    }

    /// The same, which revokes.
    pub(crate) fn revoking(self, revoker: Arc<dyn Revoker>) -> Self {
        let revoker = Some(revoker);
        Self { revoker, ..self }
    }

    /// The secret that belongs to a temporary access key.
    pub(crate) fn secret_of(&self, access_key: &str) -> String {
        URL_SAFE_NO_PAD.encode(hmac_sha256(&self.secret_key, access_key.as_bytes()))
    }

    /// Verifies the session token of a request signed by `access_key`.
    pub(crate) fn verify(
        &self,
        access_key: &str,
        token: &str,
        now: OffsetDateTime,
    ) -> Result<Grant, GrantError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(GrantError::Invalid);
        }
        let (payload, tag) = token.split_once('.').ok_or(GrantError::Invalid)?;
        let tag = URL_SAFE_NO_PAD
            .decode(tag)
            .map_err(|_| GrantError::Invalid)?;
        let mut mac = new_hmac(&self.token_key);
        mac.update(payload.as_bytes());
        // Constant-time comparison.
        mac.verify_slice(&tag).map_err(|_| GrantError::Invalid)?;
        let payload = URL_SAFE_NO_PAD
            .decode(payload)
            .map_err(|_| GrantError::Invalid)?;
        let grant: Grant = serde_json::from_slice(&payload).map_err(|_| GrantError::Invalid)?;
        if grant.v != 1 || grant.k != access_key {
            return Err(GrantError::Invalid);
        }
        if now.unix_timestamp() >= grant.e {
            return Err(GrantError::Expired);
        }
        Ok(grant)
    }

    /// What signs a link to one object.
    pub(crate) fn link(
        &self,
        to: &Grantee<'_>,
        key: &str,
        life: Duration,
    ) -> Result<TemporaryCredentials> {
        let expiration = this_second()? + life;
        self.grant(to, Reach::Reading(key), expiration, &Quota::default())
    }

    /// Credentials that expire at `expiration`, which may be in the past (for tests of the expiry).
    fn grant(
        &self,
        to: &Grantee<'_>,
        reach: Reach<'_>,
        expiration: OffsetDateTime,
        quota: &Quota,
    ) -> Result<TemporaryCredentials> {
        let (prefix, object) = match reach {
            Reach::Below(prefix) => (prefix, ""),
            Reach::Reading(key) => key.split_at(key.rfind('/').map_or(0, |slash| slash + 1)),
        };
        if matches!(reach, Reach::Reading(_)) && object.is_empty() {
            return Err(StoreError::InvalidArgument(
                "a link is for an object, not for a folder".into(),
            ));
        }
        let access_key =
            format!("{TEMPORARY_KEY_PREFIX}{}", uuid::Uuid::new_v4().simple()).to_ascii_uppercase();
        let grant = Grant {
            v: 1,
            k: access_key.clone(),
            u: to.user.to_owned(),
            b: self.bucket.clone(),
            p: prefix.to_owned(),
            e: expiration.unix_timestamp(),
            q: quota.clone(),
            s: to.session.to_owned(),
            o: object.to_owned(),
        };
        let json = serde_json::to_vec(&grant).map_err(|e| StoreError::Damaged(e.to_string()))?;
        let payload = URL_SAFE_NO_PAD.encode(json);
        let tag = URL_SAFE_NO_PAD.encode(hmac_sha256(&self.token_key, payload.as_bytes()));
        Ok(TemporaryCredentials {
            secret_key: self.secret_of(&access_key),
            access_key,
            session_token: format!("{payload}.{tag}"),
            expiration,
        })
    }
}

#[async_trait]
impl CredentialIssuer for EmbeddedIssuer {
    async fn issue_within(
        &self,
        to: &Grantee<'_>,
        prefix: &str,
        lifetime: Duration,
        quota: &Quota,
    ) -> Result<TemporaryCredentials> {
        check_request(to.user, prefix, lifetime)?;
        let expiration = this_second()? + to.life(lifetime);
        self.grant(to, Reach::Below(prefix), expiration, quota)
    }

    async fn revoke(&self, sessions: &[String]) -> Result<()> {
        match &self.revoker {
            Some(revoker) => revoker.revoke(sessions.to_vec()).await,
            None => Err(StoreError::Config("this issuer has no store".into())),
        }
    }

    fn bucket(&self) -> &str {
        &self.bucket
    }
}

/// What a grant is for.
#[derive(Clone, Copy)]
enum Reach<'a> {
    /// Uploads below a prefix.
    Below(&'a str),
    /// One object, to be read.
    Reading(&'a str),
}

/// Now, in whole seconds: the grant stores no more, and the expiration returned must be the one enforced.
fn this_second() -> Result<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp(OffsetDateTime::now_utc().unix_timestamp())
        .map_err(|e| StoreError::Config(e.to_string()))
}

fn new_hmac(key: &[u8]) -> Hmac<Sha256> {
    // HMAC accepts keys of any length; the error exists only because the trait is shared with ciphers.
    match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        Err(_) => unreachable!("HMAC takes keys of any length"),
    }
}

pub(crate) fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac = new_hmac(key);
    mac.update(message);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issuer() -> EmbeddedIssuer {
        EmbeddedIssuer::new("a root secret of some length", "xuanlan-private").unwrap()
    }

    #[test]
    fn a_grant_holds_until_it_expires_and_only_for_its_own_key() {
        let now = OffsetDateTime::now_utc();
        let made = issuer()
            .grant(
                &Grantee::without_session("7"),
                Reach::Below("u/7/"),
                now + Duration::from_secs(10),
                &Quota::default(),
            )
            .unwrap();
        let grant = issuer()
            .verify(&made.access_key, &made.session_token, now)
            .unwrap();
        assert_eq!(
            (grant.u.as_str(), grant.b.as_str(), grant.p.as_str()),
            ("7", "xuanlan-private", "u/7/")
        );
        let late = now + Duration::from_secs(11);
        assert_eq!(
            issuer().verify(&made.access_key, &made.session_token, late),
            Err(GrantError::Expired)
        );
        let other = issuer()
            .grant(
                &Grantee::without_session("8"),
                Reach::Below("u/8/"),
                now + Duration::from_secs(10),
                &Quota::default(),
            )
            .unwrap();
        assert_eq!(
            issuer().verify(&made.access_key, &other.session_token, now),
            Err(GrantError::Invalid)
        );
        assert_eq!(issuer().secret_of(&made.access_key), made.secret_key);
        assert_ne!(made.secret_key, other.secret_key);
    }

    #[test]
    fn a_link_names_one_object() {
        let to = Grantee::without_session("7");
        let reach = |key: &str| {
            let made = issuer().link(&to, key, Duration::from_secs(10))?;
            let now = OffsetDateTime::now_utc();
            let grant = issuer().verify(&made.access_key, &made.session_token, now);
            let grant = grant.unwrap();
            Ok::<_, StoreError>((grant.p, grant.o))
        };
        assert_eq!(reach("d/7/a.glb").unwrap(), ("d/7/".into(), "a.glb".into()));
        assert_eq!(reach("a.glb").unwrap(), (String::new(), "a.glb".into()));
        // It would be one for all that lies below.
        assert!(reach("d/7/").is_err());
    }

    #[test]
    fn a_changed_or_foreign_token_is_refused() {
        let now = OffsetDateTime::now_utc();
        let made = issuer()
            .grant(
                &Grantee::without_session("7"),
                Reach::Below("u/7/"),
                now + Duration::from_secs(10),
                &Quota::default(),
            )
            .unwrap();
        let (payload, tag) = made.session_token.split_once('.').unwrap();
        let json = String::from_utf8(URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap();
        let widened = URL_SAFE_NO_PAD.encode(json.replace("u/7/", "u/8/"));
        for token in [
            format!("{widened}.{tag}"),
            payload.to_owned(),
            String::new(),
            "x".repeat(5000),
        ] {
            assert_eq!(
                issuer().verify(&made.access_key, &token, now),
                Err(GrantError::Invalid)
            );
        }
        let foreign =
            EmbeddedIssuer::new("another secret of some length", "xuanlan-private").unwrap();
        assert_eq!(
            foreign.verify(&made.access_key, &made.session_token, now),
            Err(GrantError::Invalid)
        );
    }

    #[tokio::test]
    async fn scope_and_lifetime_are_bounded() {
        let issuer = issuer();
        let minute = Duration::from_secs(60);
        assert!(issuer.issue("7", "u/7/", minute).await.is_ok());
        assert!(issuer.issue("7", "u/7/models/", minute).await.is_ok());
        for prefix in ["u/8/", "u/7", "u/", "", "/", "u/7/../8/", "u/70/", "u/7/*/"] {
            assert!(issuer.issue("7", prefix, minute).await.is_err(), "{prefix}");
        }
        for user in ["", "7/8", "..", "七"] {
            assert!(issuer.issue(user, "u/7/", minute).await.is_err(), "{user}");
        }
        assert!(
            issuer
                .issue("7", "u/7/", Duration::from_secs(1801))
                .await
                .is_err()
        );
        assert!(issuer.issue("7", "u/7/", Duration::ZERO).await.is_err());
    }
}
