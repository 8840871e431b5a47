//! Serving gRPC: every service answers on a `Routes`, reached in-process or over HTTP/2, and only with a valid principal.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::task::{Context as TaskContext, Poll};
use std::time::Instant;

use tonic::body::Body;
use tonic::codegen::http::uri::{PathAndQuery, Uri};
use tonic::codegen::http::{Request, Response};
use tonic::metadata::MetadataMap;
use tonic::server::NamedService;
use tonic::service::Routes;
use tower::{Layer, Service as TowerService, ServiceExt};
use tracing::Instrument;

use crate::principal::Vouched;
use crate::telemetry::{self, SPANS};
use crate::{Caller, Principals, ServiceError, Shutdown};

/// What a call of a generated trait answers.
pub type Reply<T> = Result<tonic::Response<T>, tonic::Status>;

/// Puts the outcome of a call into the form that travels.
pub fn reply<T>(outcome: Result<T, ServiceError>) -> Reply<T> {
    outcome
        .map(tonic::Response::new)
        .map_err(tonic::Status::from)
}

/// The id of the signed-in caller of a request, and its message. Errors: nobody is signed in.
pub fn signed_in<T>(request: tonic::Request<T>) -> Result<(String, T), tonic::Status> {
    let login_id = crate::Caller::of(&request)?.login_id()?.to_owned();
    Ok((login_id, request.into_inner()))
}

/// Who calls, and the message: for calls of the console, whose options say who may.
pub fn called_by<T>(request: tonic::Request<T>) -> Result<(crate::Caller, T), tonic::Status> {
    let caller = crate::Caller::of(&request)?;
    Ok((caller, request.into_inner()))
}

/// A started service: what the gateway talks to.
#[derive(Clone)]
pub struct Service {
    /// For example `auth`; the second part of its proto package and the audience of its principals.
    pub name: &'static str,
    pub routes: Routes,
}

impl Service {
    /// The routes, with each call at its address too ([`proto::catalogue::Call::address`]), at which gateways call it.
    pub fn addressed_routes(self) -> Routes {
        let inner = self.routes.into_axum_router();
        let mut router = inner.clone();
        for call in proto::catalogue::calls() {
            if call.service != self.name || call.address == call.grpc_path {
                continue;
            }
            // Generated servers find the RPC by the whole path.
            let path = PathAndQuery::from_static(&call.grpc_path);
            let sent_on = inner
                .clone()
                .map_request(move |mut request: axum::extract::Request| {
                    *request.uri_mut() = Uri::from(path.clone());
                    request
                });
            router = router.route_service(&call.address, sent_on);
        }
        Routes::from(router)
    }
}

/// Puts the verified [`crate::Caller`] into the request, or refuses the call: the second of the two locks of calls for
/// operators, after the gateway's.
#[derive(Clone)]
pub struct VerifyPrincipal {
    audience: &'static str,
    principals: Principals,
}

impl VerifyPrincipal {
    pub fn new(audience: &'static str, principals: Principals) -> Self {
        Self {
            audience,
            principals,
        }
    }
}

impl<S> Layer<S> for VerifyPrincipal {
    type Service = Verified<S>;
    fn layer(&self, inner: S) -> Verified<S> {
        Verified {
            inner,
            rule: self.clone(),
        }
    }
}

#[derive(Clone)]
pub struct Verified<S> {
    inner: S,
    rule: VerifyPrincipal,
}

impl<S> TowerService<Request<Body>> for Verified<S>
where
    S: TowerService<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = futures::future::BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, context: &mut TaskContext<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let principals = &self.rule.principals;
        let caller = match request.extensions_mut().remove::<Vouched>() {
            Some(vouched) => principals.accept(vouched, self.rule.audience),
            None => {
                let metadata = MetadataMap::from_headers(request.headers().clone());
                principals.verify(&metadata, self.rule.audience)
            }
        };
        let call = proto::catalogue::at_grpc_path(request.uri().path());
        let caller = caller.and_then(|caller| caller.at(call, principals.now_ms()));
        match caller {
            Ok(caller) => {
                let served = Served::begin(self.rule.audience, &request, &caller);
                request.extensions_mut().insert(caller);
                // The instance that was polled ready is the one to call.
                let fresh = self.inner.clone();
                let mut ready = std::mem::replace(&mut self.inner, fresh);
                let span = served.span.clone();
                let work = async move {
                    let answer = ready.call(request).await;
                    served.end(&answer);
                    answer
                };
                Box::pin(work.instrument(span))
            }
            Err(status) => {
                count(self.rule.audience, "none", status.code() as i32);
                Box::pin(async move { Ok(status.into_http()) })
            }
        }
    }
}

/// A call under way: its span, and what is measured of it.
struct Served {
    service: &'static str,
    /// Name of the RPC. Only the gateway can name one, so there are no others than the contract has.
    method: String,
    began: Instant,
    span: tracing::Span,
}

impl Served {
    fn begin(service: &'static str, request: &Request<Body>, caller: &Caller) -> Self {
        let path = request.uri().path();
        let method = path.rsplit('/').next().unwrap_or_default().to_owned();
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

    fn end<E>(self, answer: &Result<Response<Body>, E>) {
        // A refusal stands in the head; a head without a status is followed by an answer.
        let status = answer.as_ref().ok().map(|answer| {
            let status = answer.headers().get("grpc-status");
            status.map_or(tonic::Code::Ok, |status| {
                tonic::Code::from_bytes(status.as_bytes())
            })
        });
        let code = status.unwrap_or(tonic::Code::Unknown) as i32;
        self.span.record("code", code);
        tracing::debug!(us = self.began.elapsed().as_micros() as u64, "answered");
        let labels = [
            ("service", self.service.to_owned()),
            ("method", self.method.clone()),
        ];
        metrics::histogram!("rpc_server_seconds", &labels)
            .record(self.began.elapsed().as_secs_f64());
        count(self.service, &self.method, code);
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

/// Wraps a generated server so that only calls with a principal for `audience` reach it.
///
/// `rpc::guarded("auth", &context.principals, AuthApiServer::new(api))`
pub fn guarded<S>(audience: &'static str, principals: &Principals, server: S) -> Guarded<S> {
    Guarded {
        inner: VerifyPrincipal::new(audience, principals.clone()).layer(server),
    }
}

/// A server behind [`VerifyPrincipal`], still named, so that it can be added to a `Routes`.
#[derive(Clone)]
pub struct Guarded<S> {
    inner: Verified<S>,
}

impl<S: NamedService> NamedService for Guarded<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> TowerService<Request<Body>> for Guarded<S>
where
    Verified<S>: TowerService<Request<Body>>,
{
    type Response = <Verified<S> as TowerService<Request<Body>>>::Response;
    type Error = <Verified<S> as TowerService<Request<Body>>>::Error;
    type Future = <Verified<S> as TowerService<Request<Body>>>::Future;
    fn poll_ready(&mut self, context: &mut TaskContext<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }
    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.inner.call(request)
    }
}

/// The gRPC services of one package, each behind [`guarded`]. A package is split by concept, so that no trait has to be
/// implemented in one place for everything.
///
/// `GuardedServices::new(NAME, &context.principals).with(ProfileApiServer::new(api)).finish()`
pub struct GuardedServices<'p> {
    name: &'static str,
    principals: &'p Principals,
    routes: Routes,
}

impl<'p> GuardedServices<'p> {
    pub fn new(name: &'static str, principals: &'p Principals) -> Self {
        Self {
            name,
            principals,
            routes: Routes::default(),
        }
    }

    pub fn with<S>(mut self, server: S) -> Self
    where
        S: TowerService<Request<Body>, Response = Response<Body>, Error = Infallible>,
        S: NamedService + Clone + Send + Sync + 'static,
        S::Future: Send,
    {
        let server = guarded(self.name, self.principals, server);
        self.routes = self.routes.add_service(server);
        self
    }

    pub fn finish(self) -> Service {
        Service {
            name: self.name,
            routes: self.routes,
        }
    }
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

/// As [`serve`], on a listener that stands already (port 0 in tests).
pub async fn serve_on(
    service: Service,
    listener: tokio::net::TcpListener,
    shutdown: Shutdown,
) -> anyhow::Result<()> {
    tracing::info!(what = service.name, address = %listener.local_addr()?, "serving");
    let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
    tonic::transport::Server::builder()
        // For what stands beside the calls (crate::ops).
        .accept_http1(true)
        .add_routes(service.addressed_routes())
        .serve_with_incoming_shutdown(incoming, async move { shutdown.requested().await })
        .await?;
    Ok(())
}
