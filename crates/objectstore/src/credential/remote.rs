//! Ended sessions, reported to our own store in another process: a request of the root key.

use std::time::Duration;

use bytes::Bytes;
use http::Method;
use serde::{Deserialize, Serialize};

use super::Revoker;
use crate::client::http::{Call, Endpoint, whole};
use crate::error::{Result, StoreError};
use crate::sign::sha256_hex;

/// The query of the request, `POST /?revoke-sessions`: names no bucket, so no object can have it.
pub(crate) const REVOCATION: &str = "revoke-sessions";
/// Limit for the whole request; the caller tries again.
const WAIT: Duration = Duration::from_secs(10);

/// Its body, JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Revocation {
    pub sessions: Vec<String>,
}

/// A store that is reached over HTTP.
pub(crate) struct RemoteRevoker(pub Endpoint);

#[async_trait::async_trait]
impl Revoker for RemoteRevoker {
    async fn revoke(&self, sessions: Vec<String>) -> Result<()> {
        let body = serde_json::to_vec(&Revocation { sessions })
            .map_err(|error| StoreError::Damaged(error.to_string()))?;
        let body = Bytes::from(body);
        let call = Call {
            method: Method::POST,
            path: "/",
            query: &[(REVOCATION, "")],
            headers: &[],
            payload: &sha256_hex(&body),
            moves: 0,
            length: body.len() as u64,
            body: whole(body),
        };
        tokio::time::timeout(WAIT, self.0.send(call))
            .await
            .map_err(|_| StoreError::Connection("no answer in time".into()))??;
        Ok(())
    }
}
