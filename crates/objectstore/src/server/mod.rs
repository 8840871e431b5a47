//! The S3 endpoint in front of our own store.

mod access;
mod body;
mod convert;
mod cors;
mod error;
mod list;
mod multipart;
mod s3;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use s3s::Body;
use s3s::service::{S3Service, S3ServiceBuilder};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use crate::client::EmbeddedStore;
use crate::config::StoreConfig;
use crate::error::Result;
use crate::trace::{self, SPANS};

/// Connections served at once; more wait in the listener's queue.
const MAX_CONNECTIONS: usize = 1024;
/// Timeout for a request's headers, also between requests.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// Grace period for requests in flight after `shutdown`.
const DRAIN: Duration = Duration::from_secs(10);
/// Interval of the collector.
const SWEEP_INTERVAL: Duration = Duration::from_secs(3600);

/// Serves the S3 protocol on `listener` until `shutdown`; requests in flight get 10 s to finish. Opens the store, or
/// shares it if this process has it open, and runs the collector of unfinished uploads.
/// `GET /healthz` returns 200 without a signature.
pub async fn serve(
    config: StoreConfig,
    listener: TcpListener,
    shutdown: CancellationToken,
) -> Result<()> {
    let store = EmbeddedStore::open(config).await?;
    let front = Front {
        s3: build(&store),
        cors: Arc::new(cors::Cors::new(&store.config().cors_origins)),
    };
    let tracker = TaskTracker::new();
    tracker.spawn(collect(store, shutdown.clone()));
    accept(listener, front, &tracker, &shutdown).await;
    tracker.close();
    if tokio::time::timeout(DRAIN, tracker.wait()).await.is_err() {
        tracing::warn!("object store: connections were still open when the time to drain was over");
    }
    Ok(())
}

fn build(store: &EmbeddedStore) -> S3Service {
    let gate = access::Gate {
        root_key: store.root_key().to_owned(),
        root_secret: store.root_secret().to_owned(),
        issuer: store.embedded_issuer(),
    };
    let mut builder = S3ServiceBuilder::new(s3::Service { disk: store.disk() });
    builder.set_auth(gate.clone());
    builder.set_access(gate);
    builder.build()
}

#[derive(Clone)]
struct Front {
    s3: S3Service,
    cors: Arc<cors::Cors>,
}

impl Front {
    /// Handles a request and reports it to traces and metrics. Neither gets the URL: it may be signed.
    async fn answer(self, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        let method = measured(request.method());
        let began = Instant::now();
        let span = tracing::info_span!(
            target: SPANS,
            "object",
            otel.name = format!("object {method}"),
            otel.kind = "server",
            status = tracing::field::Empty,
        );
        trace::continue_trace(&span, request.headers());
        let answer = self.answered(request).instrument(span.clone()).await;
        let status = answer
            .as_ref()
            .map_or(500, |answer| answer.status().as_u16());
        span.record("status", status);
        let labels = [
            ("method", method.to_owned()),
            ("status", status.to_string()),
        ];
        metrics::counter!("objectstore_requests_total", &labels).increment(1);
        metrics::histogram!("objectstore_request_seconds", "method" => method)
            .record(began.elapsed().as_secs_f64());
        answer
    }

    async fn answered(self, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        if cors::is_preflight(request.method()) {
            return Ok(self.cors.preflight(request.headers()));
        }
        if request.uri().path() == "/healthz"
            && [Method::GET, Method::HEAD].contains(request.method())
        {
            return Ok(Response::new(Body::from("ok".to_owned())));
        }
        let headers = request.headers().clone();
        // A client that waits for `100 Continue` has sent nothing yet: there is nothing to drain.
        let waits = headers.contains_key(http::header::EXPECT);
        let request = request.map(|body| match waits {
            true => Body::from(body),
            false => Body::http_body(body::Drained::new(body)),
        });
        let mut response = match self.s3.call(request).await {
            Ok(response) => response,
            Err(error) => {
                tracing::error!(error = ?error, "object store: a request failed");
                let mut response = Response::new(Body::empty());
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                response
            }
        };
        self.cors.decorate(&headers, &mut response);
        Ok(response)
    }
}

/// A method's name; methods S3 does not use share one, so that clients cannot create new labels.
fn measured(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::PUT => "PUT",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

async fn accept(
    listener: TcpListener,
    front: Front,
    tracker: &TaskTracker,
    shutdown: &CancellationToken,
) {
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let permit = tokio::select! {
            permit = free.clone().acquire_owned() => permit,
            () = shutdown.cancelled() => return,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.cancelled() => return,
        };
        match accepted {
            Ok((stream, _)) => {
                let (front, shutdown) = (front.clone(), shutdown.clone());
                tracker.spawn(async move {
                    serve_connection(stream, front, shutdown).await;
                    drop(permit);
                });
            }
            Err(error) => {
                // Usually out of file descriptors: give open connections time to end.
                tracing::warn!(%error, "object store: cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn serve_connection(stream: TcpStream, front: Front, shutdown: CancellationToken) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| front.clone().answer(request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        // Browsers close connections all the time.
        tracing::debug!(%error, "object store: connection ended");
    }
}

/// Sweeps one minute after the start, when the load of the start is over, then every hour.
async fn collect(store: EmbeddedStore, shutdown: CancellationToken) {
    let age = Duration::from_secs(store.config().upload_expiry_hours.saturating_mul(3600));
    let mut pause = Duration::from_secs(60);
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = shutdown.cancelled() => return,
        }
        store.sweep(age).await;
        pause = SWEEP_INTERVAL;
    }
}
