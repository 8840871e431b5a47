//! Temporary credentials: who may write where, for how long.

mod embedded;
mod grantee;
mod quota;
mod remote;
mod sts;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

pub use embedded::EmbeddedIssuer;
pub(crate) use embedded::{Grant, GrantError, Revoker, hmac_sha256};
pub use grantee::{Grantee, MAX_LINK_LIFE};
pub use quota::Quota;
pub(crate) use remote::{REVOCATION, RemoteRevoker, Revocation};
pub use sts::StsIssuer;

use crate::error::{Result, StoreError};

/// Prefix of every temporary access key of our own store; not allowed for a root key.
pub const TEMPORARY_KEY_PREFIX: &str = "XT";

/// Longest lifetime of temporary credentials.
pub const MAX_LIFETIME: Duration = Duration::from_secs(30 * 60);

/// Credentials for one prefix of one bucket, until they expire.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemporaryCredentials {
    /// Access key id.
    pub access_key: String,
    /// Secret key for signing.
    pub secret_key: String,
    /// Sent as `x-amz-security-token` with every request.
    pub session_token: String,
    /// Expiry, UTC.
    #[serde(with = "time::serde::rfc3339")]
    pub expiration: OffsetDateTime,
}

impl fmt::Debug for TemporaryCredentials {
    // Logs must never contain the secret or the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemporaryCredentials")
            .field("access_key", &self.access_key)
            .field("expiration", &self.expiration)
            .finish_non_exhaustive()
    }
}

/// Issues temporary credentials.
#[async_trait]
pub trait CredentialIssuer: Send + Sync {
    /// Credentials for a user, limited to keys that start with `prefix` in the issuer's bucket.
    /// `prefix` is normally [`user_prefix`] of the user; it ends with `/`. `lifetime` is at most [`MAX_LIFETIME`]. They
    /// permit put, multipart upload, get and list below the prefix, within `quota`, but no delete, copy or bucket
    /// operation, and end with the session.
    async fn issue_within(
        &self,
        to: &Grantee<'_>,
        prefix: &str,
        lifetime: Duration,
        quota: &Quota,
    ) -> Result<TemporaryCredentials>;

    /// As [`CredentialIssuer::issue_within`], without limits of size, and of no session.
    async fn issue(
        &self,
        user_id: &str,
        prefix: &str,
        lifetime: Duration,
    ) -> Result<TemporaryCredentials> {
        let to = Grantee::without_session(user_id);
        self.issue_within(&to, prefix, lifetime, &Quota::default())
            .await
    }

    /// Ends all credentials and links of sessions that have ended, for good: transfers under way end with their next piece.
    /// Repeating it changes nothing. An external store does not know sessions: there this does nothing, and what was
    /// issued ends by its time.
    async fn revoke(&self, sessions: &[String]) -> Result<()>;

    /// The bucket the credentials give access to.
    fn bucket(&self) -> &str;
}

/// The prefix that a user's temporary credentials reach: `u/{userId}/`. Rejects ids that are not 1 to 64 of
/// `A-Z a-z 0-9 _ -`.
pub fn user_prefix(user_id: &str) -> Result<String> {
    prefix_of("u", user_id)
}

/// Readable without a signature: pictures that were checked and made anew, each under a name of its own.
pub const PUBLIC_PREFIX: &str = "p/";

/// Key of a public object: an unguessable name, and its extension.
pub fn public_key(name: &str, extension: &str) -> String {
    format!("{PUBLIC_PREFIX}{name}.{extension}")
}

/// The prefix of what services keep of a user's uploads: `s/{userId}/`. No temporary credentials reach it, and it counts
/// to the user's quota.
pub fn kept_prefix(user_id: &str) -> Result<String> {
    prefix_of("s", user_id)
}

fn prefix_of(root: &str, user_id: &str) -> Result<String> {
    let ok = (1..=64).contains(&user_id.len())
        && user_id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if !ok {
        return Err(StoreError::InvalidArgument(
            "user ids have 1 to 64 letters, digits, _ or -".into(),
        ));
    }
    Ok(format!("{root}/{user_id}/"))
}

/// Checks common to all issuers.
fn check_request(user_id: &str, prefix: &str, lifetime: Duration) -> Result<()> {
    let own = user_prefix(user_id)?;
    // A prefix wider than the user's own would be a hole, whatever the caller.
    if !prefix.starts_with(&own) || !prefix.ends_with('/') {
        return Err(StoreError::InvalidArgument(
            "the prefix lies inside u/{userId}/ and ends with a slash".into(),
        ));
    }
    // `*` and `?` are wildcards in STS policies.
    if prefix.contains(['*', '?', '$']) {
        return Err(StoreError::InvalidArgument(
            "the prefix has no wildcards".into(),
        ));
    }
    crate::name::check_key(prefix)?;
    if lifetime.is_zero() || lifetime > MAX_LIFETIME {
        return Err(StoreError::InvalidArgument(
            "temporary credentials live at most 30 minutes".into(),
        ));
    }
    Ok(())
}
