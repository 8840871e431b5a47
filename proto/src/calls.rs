//! Calls: requests that the gateway makes to a service on behalf of a caller. Generated for each gRPC service except command sets:
//! a trait with a method per call, and a server that decodes, dispatches and encodes. The caller's type follows from the call's
//! `access`, so that a call for signed-in users cannot be written without one.

use std::ops::Deref;
use std::time::Duration;

use prost::Message;

use crate::catalogue::Call;
use crate::common::v1::Principal;

/// Origin of a call, regardless of the caller.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    remote_addr: String,
    user_agent: String,
    request_id: String,
    call: Option<&'static Call>,
}

impl Origin {
    /// The call; `None` for an RPC without an HTTP face.
    pub fn call(&self) -> Option<&'static Call> {
        self.call
    }

    /// Address of the browser as seen by the gateway.
    pub fn remote_addr(&self) -> &str {
        &self.remote_addr
    }

    /// User-Agent of the browser: for display only, never for a decision.
    pub fn user_agent(&self) -> &str {
        &self.user_agent
    }

    pub fn request_id(&self) -> &str {
        &self.request_id
    }
}

/// The caller as vouched for by the gateway: a user, an operator, or anonymous.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    origin: Origin,
    principal: Principal,
}

impl Caller {
    /// The caller named by a principal that has already been verified.
    pub fn new(mut principal: Principal) -> Self {
        Self {
            origin: Origin {
                remote_addr: std::mem::take(&mut principal.remote_addr),
                user_agent: std::mem::take(&mut principal.user_agent),
                request_id: std::mem::take(&mut principal.request_id),
                call: None,
            },
            principal,
        }
    }

    /// The same caller at a call; `None` for an RPC without an HTTP face.
    pub fn at(mut self, call: Option<&'static Call>) -> Self {
        self.origin.call = call;
        self
    }

    /// The service that the principal was issued for.
    pub fn audience(&self) -> &str {
        &self.principal.audience
    }

    /// Unix time in milliseconds.
    pub fn expires_at_ms(&self) -> i64 {
        self.principal.expires_at_ms
    }

    /// Login id of a user; `None` for operators and anonymous callers.
    pub fn user(&self) -> Option<&str> {
        Some(self.principal.login_id.as_str()).filter(|id| !id.is_empty())
    }

    /// Permissions of an operator; `None` for users and anonymous callers.
    pub fn rights(&self) -> Option<Rights<'_>> {
        self.principal.operator.then_some(Rights {
            permissions: &self.principal.permissions,
            fresh_until_ms: self.principal.fresh_until_ms,
        })
    }

    pub fn session_id(&self) -> &str {
        &self.principal.session_id
    }

    /// What is left of the session's life; `None`: not known.
    pub fn session_left(&self) -> Option<Duration> {
        let left = u64::try_from(self.principal.session_left_ms).unwrap_or(0);
        (left > 0).then(|| Duration::from_millis(left))
    }

    /// Lower-case hex SHA-256 of the bearer token; empty for an anonymous caller.
    pub fn token_hash(&self) -> &str {
        &self.principal.token_hash
    }
}

impl Deref for Caller {
    type Target = Origin;

    fn deref(&self) -> &Origin {
        &self.origin
    }
}

/// Permissions of an operator.
#[derive(Debug, Clone, Copy)]
pub struct Rights<'a> {
    pub permissions: &'a [String],
    /// Until when the second factor is fresh, Unix time in milliseconds.
    pub fresh_until_ms: i64,
}

/// A signed-in user: the caller of calls with `access: LOGIN`.
#[derive(Debug, Clone)]
pub struct SignedIn(Caller);

impl SignedIn {
    pub fn login_id(&self) -> &str {
        &self.principal.login_id
    }
}

impl TryFrom<Caller> for SignedIn {
    type Error = Refusal;

    fn try_from(caller: Caller) -> Result<Self, Refusal> {
        match caller.user() {
            Some(_) => Ok(Self(caller)),
            None => Err(Refusal::SignedOut),
        }
    }
}

impl Deref for SignedIn {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.0
    }
}

/// An operator of the console: the caller of calls with `access: OPERATOR`.
#[derive(Debug, Clone)]
pub struct Operator(Caller);

impl Operator {
    pub fn id(&self) -> &str {
        &self.principal.operator_id
    }

    pub fn name(&self) -> &str {
        &self.principal.operator_name
    }

    pub fn permissions(&self) -> &[String] {
        &self.principal.permissions
    }
}

impl TryFrom<Caller> for Operator {
    type Error = Refusal;

    fn try_from(caller: Caller) -> Result<Self, Refusal> {
        match caller.rights() {
            Some(_) => Ok(Self(caller)),
            None => Err(Refusal::SignedOut),
        }
    }
}

impl Deref for Operator {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.0
    }
}

/// Why a call did not reach its method.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The call is for users or operators, but the caller is not signed in.
    #[error("not signed in")]
    SignedOut,
    #[error("the body is not the message of the call")]
    Malformed(#[from] prost::DecodeError),
    #[error("the service has no such call")]
    Unknown,
    /// A field breaks its rule; user-facing sentence.
    #[error("{0}")]
    Invalid(String),
}

/// Answers the calls of one gRPC service: implemented by the generated `…CallsServer`.
pub trait Server<Error>: Send + Sync {
    /// Names of the RPCs, unique within the package.
    const METHODS: &'static [&'static str];

    /// Returns the encoded reply.
    fn answer(
        &self,
        method: &str,
        caller: Caller,
        body: &[u8],
    ) -> impl Future<Output = Result<Vec<u8>, Error>> + Send;
}

/// Decodes a request.
pub fn decode<M: Message + Default>(body: &[u8]) -> Result<M, Refusal> {
    Ok(M::decode(body)?)
}
