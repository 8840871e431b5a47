//! Serving gRPC: every service answers on a `Routes`, reached in-process or over HTTP/2, and only with a valid principal.

use std::net::SocketAddr;
use std::task::{Context as TaskContext, Poll};

use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::metadata::MetadataMap;
use tonic::service::Routes;
use tower::{Layer, Service as TowerService};

use crate::principal::Vouched;
use crate::{Principals, Shutdown};

/// The id of the signed-in caller of a request, and its message. Errors: nobody is signed in.
pub fn signed_in<T>(request: tonic::Request<T>) -> Result<(String, T), tonic::Status> {
    let login_id = crate::Caller::of(&request)?.login_id()?.to_owned();
    Ok((login_id, request.into_inner()))
}

/// A started service: what the gateway talks to.
#[derive(Clone)]
pub struct Service {
    /// For example `auth`; the second part of its proto package and the audience of its principals.
    pub name: &'static str,
    pub routes: Routes,
}

/// Puts the verified [`crate::Caller`] into the request, or refuses the call.
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
        match caller {
            Ok(caller) => {
                request.extensions_mut().insert(caller);
                // The instance that was polled ready is the one to call.
                let fresh = self.inner.clone();
                let mut ready = std::mem::replace(&mut self.inner, fresh);
                Box::pin(async move { ready.call(request).await })
            }
            Err(status) => Box::pin(async move { Ok(status.into_http()) }),
        }
    }
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

impl<S: tonic::server::NamedService> tonic::server::NamedService for Guarded<S> {
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
    tracing::info!(service = service.name, address = %listener.local_addr()?, "serving");
    let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
    tonic::transport::Server::builder()
        // For what stands beside the calls (crate::ops).
        .accept_http1(true)
        .add_routes(service.routes)
        .serve_with_incoming_shutdown(incoming, async move { shutdown.requested().await })
        .await?;
    Ok(())
}
