//! Serving calls over gRPC: every service answers on a `Routes`, in-process or over HTTP/2, and only with a valid principal.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::Instant;

use bytes::Bytes;
use futures::future::BoxFuture;
use proto::calls;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::metadata::MetadataMap;
use tonic::server::{Grpc, UnaryService};
use tonic::service::Routes;
use tower::Service as TowerService;
use tracing::Instrument;

use crate::principal::Vouched;
use crate::raw::RawCodec;
use crate::telemetry::{self, SPANS};
use crate::{Caller, Principals, ServiceError, Shutdown, operator};

/// A started service: what the gateway talks to.
#[derive(Clone)]
pub struct Service {
    /// For example `auth`; the second part of its proto package and the audience of its principals.
    pub name: &'static str,
    pub routes: Routes,
}

/// The calls of a service, each for callers with a principal for this service only.
///
/// `Calls::of(NAME, &context.principals).with(ProfileCallsServer(personal)).finish()`
#[derive(Clone)]
pub struct Calls {
    service: &'static str,
    principals: Principals,
    answers: HashMap<&'static str, Arc<dyn Answer>>,
}

impl Calls {
    pub fn of(service: &'static str, principals: &Principals) -> Self {
        Self {
            service,
            principals: principals.clone(),
            answers: HashMap::new(),
        }
    }

    /// Adds a generated server.
    pub fn with(mut self, server: impl calls::Server<ServiceError> + 'static) -> Self {
        let methods = methods_of(&server);
        let server: Arc<dyn Answer> = Arc::new(Answers(server));
        for method in methods {
            self.answers.insert(method, server.clone());
        }
        self
    }

    pub fn finish(self) -> Service {
        let (name, calls) = (self.service, Shared(Arc::new(self)));
        // Package and RPC decide; an RPC keeps its address when it moves to another gRPC service of its package, because
        // during an upgrade gateways and services of two versions call each other.
        let router = axum::Router::new().route_service("/{service}/{method}", calls);
        Service {
            name,
            routes: Routes::from(router),
        }
    }

    /// The RPCs of the service's package that nothing answers.
    pub fn missing(&self) -> Vec<String> {
        proto::catalogue::methods(self.service)
            .filter(|method| !self.answers.contains_key(method.name()))
            .map(|method| method.full_name().to_owned())
            .collect()
    }

    /// The method that a path names, and what answers it.
    fn find(&self, path: &str) -> Option<(&'static str, &Arc<dyn Answer>)> {
        let (grpc_service, method) = path.strip_prefix('/')?.split_once('/')?;
        let package = grpc_service.rsplit_once('.')?.0;
        if proto::catalogue::service_of(package) != self.service {
            return None;
        }
        let (method, answer) = self.answers.get_key_value(method)?;
        Some((*method, answer))
    }

    /// The verified caller, who may make the call: the second of the two locks of calls for operators, after the gateway's.
    fn caller(&self, request: &mut Request<Body>, method: &str) -> Result<Caller, Status> {
        let caller = match request.extensions_mut().remove::<Vouched>() {
            Some(vouched) => self.principals.accept(vouched, self.service),
            None => {
                let metadata = MetadataMap::from_headers(request.headers().clone());
                self.principals.verify(&metadata, self.service)
            }
        }?;
        let call = proto::catalogue::of_method(self.service, method);
        if let Some(call) = call {
            let now_ms = self.principals.now_ms();
            operator::may_call(call, caller.user(), caller.rights(), now_ms)?;
        }
        Ok(caller.at(call))
    }

    async fn respond(&self, mut request: Request<Body>) -> Response<Body> {
        let Some((method, answer)) = self.find(request.uri().path()) else {
            return Status::unimplemented("no such call").into_http();
        };
        let caller = match self.caller(&mut request, method) {
            Ok(caller) => caller,
            Err(status) => {
                count(self.service, "none", status.code() as i32);
                return status.into_http();
            }
        };
        let served = Served::begin(self.service, method, &request, &caller);
        let span = served.span.clone();
        let work = async {
            let one = One {
                method,
                caller: Some(caller),
                answer: answer.clone(),
            };
            let response = Grpc::new(RawCodec).unary(one, request).await;
            served.end(&response);
            response
        };
        work.instrument(span).await
    }
}

fn methods_of<S: calls::Server<ServiceError>>(_: &S) -> &'static [&'static str] {
    S::METHODS
}

/// [`calls::Server`] for any handler.
trait Answer: Send + Sync {
    fn answer<'a>(
        &'a self,
        method: &'static str,
        caller: Caller,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<Vec<u8>, ServiceError>>;
}

struct Answers<S>(S);

impl<S: calls::Server<ServiceError>> Answer for Answers<S> {
    fn answer<'a>(
        &'a self,
        method: &'static str,
        caller: Caller,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<Vec<u8>, ServiceError>> {
        Box::pin(self.0.answer(method, caller, body))
    }
}

/// One call, as tonic's server passes it on.
struct One {
    method: &'static str,
    /// Taken by the one message that it has.
    caller: Option<Caller>,
    answer: Arc<dyn Answer>,
}

impl UnaryService<Bytes> for One {
    type Response = Bytes;
    type Future = BoxFuture<'static, Result<tonic::Response<Bytes>, Status>>;

    fn call(&mut self, request: tonic::Request<Bytes>) -> Self::Future {
        let (method, answer) = (self.method, self.answer.clone());
        let caller = self.caller.take().unwrap_or_default();
        Box::pin(async move {
            let body = request.into_inner();
            let reply = answer.answer(method, caller, &body).await?;
            Ok(tonic::Response::new(reply.into()))
        })
    }
}

/// [`Calls`] as a service of tower's.
#[derive(Clone)]
struct Shared(Arc<Calls>);

impl TowerService<axum::extract::Request> for Shared {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: axum::extract::Request) -> Self::Future {
        let calls = self.0.clone();
        Box::pin(async move { Ok(calls.respond(request.map(Body::new)).await) })
    }
}

/// A call under way: its span, and what is measured of it.
struct Served {
    service: &'static str,
    method: &'static str,
    began: Instant,
    span: tracing::Span,
}

impl Served {
    fn begin(
        service: &'static str,
        method: &'static str,
        request: &Request<Body>,
        caller: &Caller,
    ) -> Self {
        let span = tracing::info_span!(
            target: SPANS,
            "rpc",
            otel.name = format!("{service}/{method}"),
            otel.kind = "server",
            rpc = method,
            request = caller.request_id(),
            code = tracing::field::Empty,
        );
        let trace = request.headers().get("traceparent");
        let trace = trace.and_then(|value| value.to_str().ok());
        telemetry::continue_trace(&span, trace.unwrap_or_default());
        Self {
            service,
            method,
            began: Instant::now(),
            span,
        }
    }

    fn end(self, answer: &Response<Body>) {
        // Trailers-only responses carry grpc-status in the headers.
        let status = answer.headers().get("grpc-status");
        let code = status.map_or(tonic::Code::Ok, |status| {
            tonic::Code::from_bytes(status.as_bytes())
        }) as i32;
        self.span.record("code", code);
        tracing::debug!(us = self.began.elapsed().as_micros() as u64, "answered");
        let labels = [
            ("service", self.service.to_owned()),
            ("method", self.method.to_owned()),
        ];
        metrics::histogram!("rpc_server_seconds", &labels)
            .record(self.began.elapsed().as_secs_f64());
        count(self.service, self.method, code);
    }
}

/// Counts a call under gRPC's number of how it ended.
fn count(service: &'static str, method: &str, code: i32) {
    let labels = [
        ("service", service.to_owned()),
        ("method", method.to_owned()),
        ("code", code.to_string()),
    ];
    metrics::counter!("rpc_server_total", &labels).increment(1);
}

/// Serves a service over HTTP/2 until shutdown is requested; calls in flight are finished.
pub async fn serve(
    service: Service,
    address: SocketAddr,
    shutdown: Shutdown,
) -> anyhow::Result<()> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    serve_on(service, listener, shutdown).await
}

/// As [`serve`], on an open listener (port 0 in tests).
pub async fn serve_on(
    service: Service,
    listener: tokio::net::TcpListener,
    shutdown: Shutdown,
) -> anyhow::Result<()> {
    tracing::info!(what = service.name, address = %listener.local_addr()?, "serving");
    let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
    tonic::transport::Server::builder()
        // For the HTTP/1 endpoints of crate::ops.
        .accept_http1(true)
        .add_routes(service.routes)
        .serve_with_incoming_shutdown(incoming, async move { shutdown.requested().await })
        .await?;
    Ok(())
}
