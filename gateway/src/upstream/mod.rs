//! The services behind the gateway, in this process or over HTTP/2; transparent to the caller.

mod breaker;
mod budget;
mod lost;
mod remote;
mod replica;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chassis::Principals;
use chassis::raw::RawCodec;
use http::uri::PathAndQuery;
use proto::common::v1::Principal;
use tonic::client::Grpc;
use tonic::metadata::{AsciiMetadataValue, MetadataMap};
use tonic::service::Routes;
use tonic::{Code, Request, Status};

use budget::Budget;
use lost::Lost;
pub use remote::Remote;

/// Largest reply of a service in bytes.
const REPLY_LIMIT: usize = 8 << 20;
/// Grace added to the upstream's deadline beyond ours.
const MARGIN: Duration = Duration::from_millis(250);
/// Most retries of a call that reads.
const RETRIES: u32 = 2;

/// One service.
pub enum Upstream {
    /// In this process: a function call, without network.
    Local(Routes),
    /// On any number of remote addresses.
    Remote(Remote),
}

/// All reachable services by name (`auth` …).
#[derive(Default)]
pub struct Upstreams {
    services: HashMap<String, Guarded>,
}

/// A service with its retry budget.
pub struct Guarded {
    upstream: Upstream,
    budget: Budget,
}

/// One call: target, message, caller, deadline, and whether it may be repeated.
pub struct Outgoing {
    pub path: PathAndQuery,
    pub body: Bytes,
    pub metadata: MetadataMap,
    /// The caller.
    pub principal: Principal,
    pub wait: Duration,
    pub reads: bool,
}

/// A signed call to another process.
struct Sent {
    request: Request<Bytes>,
    path: PathAndQuery,
    wait: Duration,
    reads: bool,
}

impl Upstreams {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a service, replacing one with the same name.
    pub fn add(&mut self, name: &str, upstream: Upstream) {
        let upstream = match upstream {
            Upstream::Local(routes) => Upstream::Local(routes.prepare()),
            remote => remote,
        };
        let guarded = Guarded {
            upstream,
            budget: Budget::default(),
        };
        self.services.insert(name.to_owned(), guarded);
    }

    /// Adds a service in this process.
    pub fn local(mut self, service: chassis::Service) -> Self {
        self.add(service.name, Upstream::Local(service.routes));
        self
    }

    /// Adds a service at `host:port`; the name is resolved periodically.
    pub fn remote(mut self, name: &str, target: &str) -> Self {
        self.add(name, Upstream::Remote(Remote::connect(name, target)));
        self
    }

    /// Adds every service with an address in `[gateway.upstreams]` that has not been added yet.
    /// Errors: no service has that name.
    pub fn configured(mut self, settings: &chassis::Settings) -> anyhow::Result<Self> {
        let config: crate::config::GatewayConfig = settings.section("gateway")?;
        for (name, target) in &config.upstreams {
            anyhow::ensure!(
                proto::catalogue::has_service(name),
                "[gateway.upstreams]: there is no service {name:?}"
            );
            if !target.is_empty() && !self.services.contains_key(name) {
                self = self.remote(name, target);
            }
        }
        Ok(self)
    }

    pub fn get(&self, service: &str) -> Option<&Guarded> {
        self.services.get(service)
    }

    /// Whether each service has any address, for `/readyz`; one of this process always has.
    pub fn states(&self) -> impl Iterator<Item = (&str, bool)> {
        self.services.iter().map(|(name, guarded)| {
            let known = match &guarded.upstream {
                Upstream::Local(_) => true,
                Upstream::Remote(remote) => remote.has_addresses(),
            };
            (name.as_str(), known)
        })
    }
}

impl Guarded {
    /// Sends a call and returns the encoded reply.
    /// A call that reads is retried when the connection was lost, within the retry budget; any call is when it was not
    /// sent. Errors: `DEADLINE_EXCEEDED` after `wait`, `UNAVAILABLE` when no replica responds, else the service's
    /// status.
    pub async fn call(&self, principals: &Principals, call: Outgoing) -> Result<Bytes, Status> {
        let mut request = Request::new(call.body);
        *request.metadata_mut() = call.metadata;
        match &self.upstream {
            Upstream::Local(routes) => {
                let vouched = principals.vouch(call.principal)?;
                request.extensions_mut().insert(vouched);
                once(Grpc::new(routes.clone()), request, call.path, call.wait).await
            }
            Upstream::Remote(remote) => {
                principals.attach(call.principal, request.metadata_mut())?;
                let sent = Sent {
                    request,
                    path: call.path,
                    wait: call.wait,
                    reads: call.reads,
                };
                self.call_remote(remote, sent).await
            }
        }
    }

    async fn call_remote(&self, remote: &Remote, call: Sent) -> Result<Bytes, Status> {
        let end = Instant::now() + call.wait;
        let mut tries = 0;
        self.budget.deposit();
        loop {
            let answer = remote.send(&call, end, &self.budget).await;
            let given_up = answer.as_ref().is_err_and(is_unsent);
            let answer = answer.map_err(lost::for_callers);
            let reached = !matches!(&answer, Err(status) if status.code() == Code::Unavailable);
            if reached || given_up || !call.reads || tries == RETRIES || !self.budget.withdraw() {
                return answer;
            }
            tries += 1;
            tokio::time::sleep(pause(tries)).await;
        }
    }
}

fn is_unsent(status: &Status) -> bool {
    lost::of(status) == Some(Lost::NotSent)
}

/// Whether a status means that the replica itself is in trouble, not only this call.
fn is_away(status: &Status) -> bool {
    let code = match lost::of(status) {
        Some(_) => Code::Unavailable,
        None => status.code(),
    };
    matches!(code, Code::Unavailable | Code::DeadlineExceeded)
}

/// 10 to 30 ms, then 20 to 60 ms: with jitter, so that callers do not retry in step.
fn pause(tries: u32) -> Duration {
    let base = 10 * u64::from(tries);
    Duration::from_millis(base + rand::random_range(0..=2 * base))
}

async fn once<T>(
    client: Grpc<T>,
    mut request: Request<Bytes>,
    path: PathAndQuery,
    wait: Duration,
) -> Result<Bytes, Status>
where
    T: tonic::client::GrpcService<tonic::body::Body>,
    T::Error: Into<tonic::codegen::StdError>,
    T::ResponseBody: tonic::codegen::Body<Data = Bytes> + Send + 'static,
    <T::ResponseBody as tonic::codegen::Body>::Error: Into<tonic::codegen::StdError> + Send,
{
    let mut client = client.max_decoding_message_size(REPLY_LIMIT);
    // Slightly longer than our own: tonic returns CANCELLED if its timer fires first, which would be less specific.
    request.set_timeout(wait + MARGIN);
    let work = async move {
        client.ready().await.map_err(|error| {
            let error: tonic::codegen::StdError = error.into();
            Status::unavailable(error.to_string())
        })?;
        let reply = client.unary(request, path, RawCodec).await?;
        Ok(reply.into_inner())
    };
    match tokio::time::timeout(wait, work).await {
        Ok(answer) => answer,
        Err(_) => Err(Status::deadline_exceeded("no answer in time")),
    }
}

/// The call's trace context; empty if there is none.
pub fn metadata(traceparent: String) -> MetadataMap {
    let mut metadata = MetadataMap::new();
    if let Ok(value) = AsciiMetadataValue::try_from(traceparent)
        && !value.is_empty()
    {
        metadata.insert("traceparent", value);
    }
    metadata
}
