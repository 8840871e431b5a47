//! The services behind the gateway, in this process or over HTTP/2; the caller does not see which.

mod breaker;
mod budget;
mod lost;
mod raw;
mod remote;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chassis::Principals;
use http::uri::PathAndQuery;
use proto::common::v1::Principal;
use tonic::client::Grpc;
use tonic::metadata::MetadataMap;
use tonic::service::Routes;
use tonic::{Code, Request, Status};

use breaker::Breaker;
use budget::Budget;
use lost::Lost;
pub use remote::Remote;

/// Largest reply of a service in bytes.
const REPLY_LIMIT: usize = 8 << 20;
/// How much later than we the service gives up.
const MARGIN: Duration = Duration::from_millis(250);
/// Times a call that reads is sent again at most.
const RETRIES: u32 = 2;
/// Times a call that reached nobody is sent again at most: one replica of two that is being replaced is met by half of
/// the tries.
const RETRIES_UNSENT: u32 = 8;

/// One service.
pub enum Upstream {
    /// In this process: a call is a function call, nothing goes over the network.
    Local(Routes),
    /// Somewhere else, on any number of addresses.
    Remote(Remote),
}

/// All services the gateway can reach, by name (`auth` …).
#[derive(Default)]
pub struct Upstreams {
    services: HashMap<String, Guarded>,
}

/// A service with what protects it and us from each other's failures.
pub struct Guarded {
    upstream: Upstream,
    breaker: Breaker,
    budget: Budget,
}

/// One call: where, what, in whose name, how long, and whether it may be sent twice.
pub struct Outgoing {
    pub path: PathAndQuery,
    pub body: Bytes,
    pub metadata: MetadataMap,
    /// In whose name.
    pub principal: Principal,
    pub wait: Duration,
    pub reads: bool,
}

/// A call on its way to another process, signed.
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

    /// Adds a service; one of the same name is replaced.
    pub fn add(&mut self, name: &str, upstream: Upstream) {
        let upstream = match upstream {
            Upstream::Local(routes) => Upstream::Local(routes.prepare()),
            remote => remote,
        };
        let guarded = Guarded {
            upstream,
            breaker: Breaker::default(),
            budget: Budget::default(),
        };
        self.services.insert(name.to_owned(), guarded);
    }

    /// Adds a service that runs in this process.
    pub fn local(mut self, service: chassis::Service) -> Self {
        self.add(service.name, Upstream::Local(service.routes));
        self
    }

    /// Adds a service that answers on `host:port`; the name is resolved again and again.
    pub fn remote(mut self, name: &str, target: &str) -> Self {
        self.add(name, Upstream::Remote(Remote::connect(target)));
        self
    }

    /// Adds every service that `[gateway.upstreams]` gives an address and that is not there yet.
    pub fn configured(mut self, settings: &chassis::Settings) -> anyhow::Result<Self> {
        let config: crate::config::GatewayConfig = settings.section("gateway")?;
        for (name, target) in &config.upstreams {
            if !target.is_empty() && !self.services.contains_key(name) {
                self = self.remote(name, target);
            }
        }
        Ok(self)
    }

    pub fn get(&self, service: &str) -> Option<&Guarded> {
        self.services.get(service)
    }

    /// Whether each service has an address at all, for `/readyz`.
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
    /// Sends a call and answers the encoded reply.
    ///
    /// A call that reads is sent again when the connection was lost, as long as the budget lasts; any call is when
    /// nothing of it was sent.
    /// Errors: `DEADLINE_EXCEEDED` after `wait`, `UNAVAILABLE` when nobody answers, else what the service says.
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
            if !remote.has_addresses() || !self.breaker.lets_through(Instant::now()) {
                return Err(Status::unavailable("service away"));
            }
            let answer = sent(remote, &call, end).await;
            let given_up = answer.as_ref().is_err_and(is_unsent);
            let answer = answer.map_err(lost::told);
            let failed = matches!(&answer, Err(status) if is_away(status));
            self.breaker.record(!failed, Instant::now());
            let reached = !matches!(&answer, Err(status) if status.code() == Code::Unavailable);
            if reached || given_up || !call.reads || tries == RETRIES || !self.budget.withdraw() {
                return answer;
            }
            tries += 1;
            tokio::time::sleep(pause(tries)).await;
        }
    }
}

/// Sends a call, and what reached nobody again: the breaker has let it through once, and takes note of one outcome.
async fn sent(remote: &Remote, call: &Sent, end: Instant) -> Result<Bytes, Status> {
    let mut unsent = 0;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let mut request = Request::new(call.request.get_ref().clone());
        *request.metadata_mut() = call.request.metadata().clone();
        let channel = Grpc::new(remote.channel());
        let answer = once(channel, request, call.path.clone(), left).await;
        if !answer.as_ref().is_err_and(is_unsent) || unsent == RETRIES_UNSENT {
            return answer;
        }
        unsent += 1;
        tokio::time::sleep(pause(unsent)).await;
    }
}

fn is_unsent(status: &Status) -> bool {
    lost::of(status) == Some(Lost::NotSent)
}

/// Whether a status says that the service itself is in trouble, not only this call.
fn is_away(status: &Status) -> bool {
    matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded)
}

/// 10 to 30 ms, then 20 to 60 ms: apart, so that callers do not come back all at once.
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
    // A little more than our own: tonic answers CANCELLED when its timer is first, which would say too little.
    request.set_timeout(wait + MARGIN);
    let work = async move {
        client.ready().await.map_err(|error| {
            let error: tonic::codegen::StdError = error.into();
            Status::unavailable(error.to_string())
        })?;
        let reply = client.unary(request, path, raw::RawCodec).await?;
        Ok(reply.into_inner())
    };
    match tokio::time::timeout(wait, work).await {
        Ok(answer) => answer,
        Err(_) => Err(Status::deadline_exceeded("no answer in time")),
    }
}
