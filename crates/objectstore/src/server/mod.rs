//! The S3 endpoint in front of our own store.

mod access;
mod admission;
mod connection;
mod convert;
mod cors;
mod error;
mod list;
mod multipart;
mod pace;
mod revoke;
mod s3;
mod service;

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use http::{Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use s3s::Body;
use s3s::service::{S3Service, S3ServiceBuilder};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use crate::client::EmbeddedStore;
use crate::config::StoreConfig;
use crate::error::Result;
use crate::trace::{self, SPANS};
use admission::{Admission, Refusal, SESSION_ENDED, UserSlot};
use connection::{Caller, Door, Finishing};
use pace::{GivenUp, Pace, PacedBody};

/// Grace period for requests in flight after `shutdown`.
const DRAIN: Duration = Duration::from_secs(10);
/// Interval in which the room on the disk is looked at, for metrics.
const ROOM_INTERVAL: Duration = Duration::from_secs(15);
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
    let config = store.config();
    let admission = Admission::new(config)?;
    let pace = Pace {
        bytes_per_second: config.min_bytes_per_second,
        stall: Duration::from_secs(config.stall_seconds),
    };
    let door = Door {
        front: Front {
            s3: build(&store, &admission),
            cors: Arc::new(cors::Cors::new(&config.cors_origins)),
            admission,
            pace,
        },
        head_wait: Duration::from_secs(config.head_wait_seconds),
        shutdown: shutdown.clone(),
    };
    let tracker = TaskTracker::new();
    tracker.spawn(watch_room(store.clone(), shutdown.clone()));
    tracker.spawn(collect(store, shutdown));
    door.accept(listener, &tracker).await;
    tracker.close();
    if tokio::time::timeout(DRAIN, tracker.wait()).await.is_err() {
        tracing::warn!("object store: connections were still open when the time to drain was over");
    }
    Ok(())
}

fn build(store: &EmbeddedStore, admission: &Admission) -> S3Service {
    let gate = access::Gate {
        users: admission.users.clone(),
        root_key: store.root_key().to_owned(),
        root_secret: store.root_secret().to_owned(),
        issuer: store.embedded_issuer(),
        revoked: store.disk().revoked(),
    };
    let mut builder = S3ServiceBuilder::new(service::Service { disk: store.disk() });
    builder.set_route(revoke::Revocations {
        root_key: gate.root_key.clone(),
        revoked: gate.revoked.clone(),
    });
    builder.set_auth(gate.clone());
    builder.set_access(gate);
    builder.build()
}

#[derive(Clone)]
struct Front {
    s3: S3Service,
    cors: Arc<cors::Cors>,
    admission: Arc<Admission>,
    pace: Pace,
}

impl Front {
    /// Handles a request and reports it to traces and metrics. Neither gets the URL: it may be signed.
    async fn answer(
        self,
        request: Request<Incoming>,
        caller: Caller,
    ) -> Result<Response<Body>, Infallible> {
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
        let answer = self
            .answered(request, caller)
            .instrument(span.clone())
            .await;
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

    async fn answered(
        self,
        request: Request<Incoming>,
        caller: Caller,
    ) -> Result<Response<Body>, Infallible> {
        if cors::is_preflight(request.method()) {
            return Ok(self.cors.preflight(request.headers()));
        }
        if request.uri().path() == "/healthz"
            && [Method::GET, Method::HEAD].contains(request.method())
        {
            return Ok(Response::new(Body::from("ok".to_owned())));
        }
        let headers = request.headers().clone();
        let mut response = match self.admission.forwarded(caller.peer, &headers) {
            Ok(address) => {
                let user = UserSlot::default();
                let response = self.served(request, user.clone()).await;
                Finishing::new(caller.work, address, user).with(response)
            }
            Err(refusal) => {
                refusal.count();
                error_response(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "SlowDown",
                    connection::TOO_MANY,
                )
            }
        };
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            let close = http::HeaderValue::from_static("close");
            response
                .headers_mut()
                .insert(http::header::CONNECTION, close);
        }
        self.cors.decorate(&headers, &mut response);
        Ok(response)
    }

    async fn served(&self, mut request: Request<Incoming>, user: UserSlot) -> Response<Body> {
        request.extensions_mut().insert(user.clone());
        // A client that waits for `100 Continue` has sent nothing yet: there is nothing to drain.
        let drains = !request.headers().contains_key(http::header::EXPECT);
        let given_up = Arc::new(OnceLock::new());
        let request = request.map(|body| {
            let body = PacedBody::new(body, self.pace, drains, user, given_up.clone());
            Body::http_body(body)
        });
        let result = self.s3.call(request).await;
        match given_up.get() {
            Some(GivenUp::Slow) => {
                Refusal::Slow.count();
                return error_response(
                    StatusCode::BAD_REQUEST,
                    "RequestTimeout",
                    "the body arrived too slowly; try again",
                );
            }
            Some(GivenUp::SessionEnded) => {
                let code = "ExpiredToken";
                return error_response(StatusCode::FORBIDDEN, code, SESSION_ENDED);
            }
            None => {}
        }
        result.unwrap_or_else(|error| {
            tracing::error!(error = ?error, "object store: a request failed");
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            response
        })
    }
}

/// An error in S3's form, for what never reaches the operations.
fn error_response(status: StatusCode, code: &str, message: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(error::xml(code, message)));
    *response.status_mut() = status;
    let kind = http::HeaderValue::from_static("application/xml");
    response
        .headers_mut()
        .insert(http::header::CONTENT_TYPE, kind);
    response
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

/// Keeps the gauge of the disk.
async fn watch_room(store: EmbeddedStore, shutdown: CancellationToken) {
    loop {
        store.has_room();
        tokio::select! {
            () = tokio::time::sleep(ROOM_INTERVAL) => {}
            () = shutdown.cancelled() => return,
        }
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
