//! The session of a token: looked up in `auth`, cached for a few seconds, dropped at once when revoked.

use std::sync::Arc;
use std::time::Duration;

use chassis::{Clock, Principals, limit};
use http::uri::PathAndQuery;
use prost::Message;
use proto::auth::v1::{
    IntrospectOperatorReply, IntrospectOperatorRequest, IntrospectReply, IntrospectRequest,
};
use proto::common::v1::Principal;
use tonic::Code;

use crate::refused::Refused;
use crate::upstream::{Outgoing, Upstreams, metadata};

/// The service that checks tokens, and its calls.
pub const SERVICE: &str = "auth";
const INTROSPECT: &str = "/xuanlan.auth.v1.AuthInternal/Introspect";
const INTROSPECT_OPERATOR: &str = "/xuanlan.auth.v1.AuthInternal/IntrospectOperator";
/// How long a response of `auth` is cached.
const LIFE: Duration = Duration::from_secs(5);
/// Most cached sessions.
const KEPT: u64 = 100_000;
/// How long revoked tokens are remembered, so that a response in flight does not restore one.
const REVOKED_LIFE: Duration = Duration::from_secs(60);
const WAIT: Duration = Duration::from_secs(5);

/// A session whose token was valid when looked up.
#[derive(Debug, PartialEq)]
pub struct Session {
    pub login_id: String,
    pub session_id: String,
    /// Unix time in milliseconds.
    pub expires_at_ms: i64,
    /// Set for the console; `None`: a user.
    pub operator: Option<Operator>,
    /// Lower-case hex SHA-256 of the token.
    pub token_hash: String,
}

/// Additional data of an operator's session; the login id of its [`Session`] is the operator's id.
#[derive(Debug, PartialEq)]
pub struct Operator {
    pub name: String,
    pub permissions: Vec<String>,
    pub fresh_until_ms: i64,
}

#[derive(Clone)]
pub struct Sessions {
    upstreams: Arc<Upstreams>,
    principals: Principals,
    clock: Clock,
    /// By token hash; `None`: there is no such session.
    known: moka::sync::Cache<String, Option<Arc<Session>>>,
    revoked: moka::sync::Cache<String, ()>,
    path: PathAndQuery,
}

impl Sessions {
    pub fn new(upstreams: Arc<Upstreams>, principals: Principals, clock: Clock) -> Self {
        Self {
            upstreams,
            principals,
            clock,
            known: moka::sync::Cache::builder()
                .max_capacity(KEPT)
                .time_to_live(LIFE)
                .support_invalidation_closures()
                .build(),
            revoked: moka::sync::Cache::builder()
                .max_capacity(KEPT)
                .time_to_live(REVOKED_LIFE)
                .build(),
            path: PathAndQuery::from_static(INTROSPECT),
        }
    }

    /// The session of a token; `None` if it is unknown, expired or revoked.
    /// Errors: `auth` is unavailable.
    pub async fn find(&self, token: &str) -> Result<Option<Arc<Session>>, Refused> {
        let hash = d3sig::token_hash(token);
        let session = match self.known.get(&hash) {
            Some(session) => session,
            None => {
                let session = self.ask(&hash).await?.map(Arc::new);
                self.known.insert(hash.clone(), session.clone());
                session
            }
        };
        let now_ms = self.clock.now_ms();
        // Checked last: a revocation may have come while `auth` was responding.
        Ok(session.filter(|s| s.expires_at_ms > now_ms && !self.revoked.contains_key(&hash)))
    }

    async fn ask(&self, hash: &str) -> Result<Option<Session>, Refused> {
        let request = IntrospectRequest {
            token_hash: hash.to_owned(),
        };
        let reply = self.introspect(self.path.clone(), &request).await?;
        let Some(reply): Option<IntrospectReply> = reply else {
            return Ok(None);
        };
        Ok(Some(Session {
            login_id: reply.login_id,
            session_id: reply.session_id,
            expires_at_ms: reply.expires_at_ms,
            operator: None,
            token_hash: hash.to_owned(),
        }))
    }

    /// The operator that a console token belongs to. Never cached: operators are few, and their permissions can change at any time.
    /// Errors: `auth` is unavailable.
    pub async fn operator(
        &self,
        token: &str,
        remote_addr: &str,
    ) -> Result<Option<Session>, Refused> {
        let token_hash = d3sig::token_hash(token);
        let request = IntrospectOperatorRequest {
            token_hash: token_hash.clone(),
            remote_addr: remote_addr.to_owned(),
        };
        let path = PathAndQuery::from_static(INTROSPECT_OPERATOR);
        let reply: Option<IntrospectOperatorReply> = self.introspect(path, &request).await?;
        Ok(reply.map(|reply| Session {
            login_id: reply.operator_id,
            session_id: reply.session_id,
            expires_at_ms: reply.expires_at_ms,
            operator: Some(Operator {
                name: reply.name,
                permissions: reply.permissions,
                fresh_until_ms: reply.fresh_until_ms,
            }),
            token_hash,
        }))
    }

    /// Asks `auth` about a token; `None` if it is unknown.
    async fn introspect<Reply: Message + Default>(
        &self,
        path: PathAndQuery,
        request: &impl Message,
    ) -> Result<Option<Reply>, Refused> {
        let auth = self.upstreams.get(SERVICE).ok_or(Refused::Unavailable)?;
        let call = Outgoing {
            path,
            body: request.encode_to_vec().into(),
            metadata: metadata(chassis::telemetry::traceparent()),
            principal: Principal {
                audience: SERVICE.to_owned(),
                ..Principal::default()
            },
            wait: limit::patient(WAIT),
            reads: true,
        };
        let reply = match auth.call(&self.principals, call).await {
            Ok(reply) => reply,
            Err(status) if status.code() == Code::NotFound => return Ok(None),
            Err(status) => {
                tracing::warn!(%status, "tokens cannot be checked");
                return Err(match status.code() {
                    Code::DeadlineExceeded => Refused::Timeout,
                    _ => Refused::Unavailable,
                });
            }
        };
        let decoded = Reply::decode(reply);
        decoded
            .map(Some)
            .map_err(|error| Refused::Internal(format!("introspection: {error}")))
    }

    /// Revokes tokens at once.
    pub fn revoke(&self, token_hashes: &[String]) {
        for hash in token_hashes {
            self.revoked.insert(hash.clone(), ());
            self.known.invalidate(hash);
        }
    }

    /// Drops the cached sessions of a user, so that `auth` is asked again.
    pub fn forget_user(&self, login_id: &str) {
        let login_id = login_id.to_owned();
        let of_user = move |_: &String, session: &Option<Arc<Session>>| {
            session.as_ref().is_some_and(|s| s.login_id == login_id)
        };
        if self.known.invalidate_entries_if(of_user).is_err() {
            self.known.invalidate_all();
        }
    }

    /// Drops everything, because revocations may have been missed.
    pub fn forget_all(&self) {
        self.known.invalidate_all();
    }
}
