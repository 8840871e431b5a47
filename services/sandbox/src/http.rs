//! The sandbox's own web server.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use actix_web::middleware::Next;
use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use chassis::bus::Bus;
use chassis::telemetry;
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Deserialize;
use tracing::Instrument;

use crate::pages;
use crate::store::Store;

const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'";

/// What the operational endpoints need.
pub struct Ops {
    pub bus: Bus,
    /// None if another part of the process serves them.
    pub metrics: Option<PrometheusHandle>,
}

#[derive(Deserialize)]
struct SmsQuery {
    #[serde(default)]
    phone: String,
    #[serde(default)]
    format: String,
}

#[derive(Deserialize)]
struct MailQuery {
    #[serde(default)]
    to: String,
    #[serde(default)]
    format: String,
}

#[derive(Deserialize)]
struct SliderQuery {
    #[serde(default)]
    id: String,
    #[serde(default)]
    format: String,
}

/// A browser has text/html in Accept; all other clients get JSON.
pub(crate) fn wants_page(request: &HttpRequest, format: &str) -> bool {
    match format {
        "json" => return false,
        "html" => return true,
        _ => {}
    }
    let accept = request.headers().get(ACCEPT);
    accept
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("text/html"))
}

pub(crate) fn html(text: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header(("Content-Security-Policy", POLICY))
        .body(text)
}

pub(crate) fn json(value: &impl serde::Serialize) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(value)
}

/// Liveness; the process needs nothing else.
#[get("/healthz")]
pub async fn alive() -> HttpResponse {
    json(&serde_json::json!({ "status": "ok" }))
}

/// Readiness: whether the bus responds, since without it no code arrives.
#[get("/readyz")]
pub async fn ready(ops: Data<Ops>) -> HttpResponse {
    let bus = ops.bus.is_connected();
    let mut answer = json(&serde_json::json!({ "ready": bus, "bus": bus }));
    if !bus {
        *answer.status_mut() = actix_web::http::StatusCode::SERVICE_UNAVAILABLE;
    }
    answer
}

#[get("/metrics")]
pub async fn figures(ops: Data<Ops>) -> HttpResponse {
    match &ops.metrics {
        Some(handle) => HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, "text/plain; version=0.0.4"))
            .body(handle.render()),
        None => HttpResponse::NotFound().finish(),
    }
}

/// Records span and metrics of a request, by its route: URLs contain what users typed.
pub async fn measured(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let method = request.method().to_string();
    let route = request.match_pattern().unwrap_or_else(|| "none".to_owned());
    let span = tracing::info_span!(
        target: telemetry::SPANS,
        "sandbox",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        status = tracing::field::Empty,
    );
    let trace = request.headers().get("traceparent");
    let trace = trace.and_then(|value| value.to_str().ok());
    telemetry::continue_trace(&span, trace.unwrap_or_default());
    let began = Instant::now();
    let answer = next.call(request).instrument(span.clone()).await?;
    span.record("status", answer.status().as_u16());
    metrics::histogram!("sandbox_request_seconds", "route" => route)
        .record(began.elapsed().as_secs_f64());
    Ok(answer)
}

#[get("/")]
pub async fn index() -> HttpResponse {
    html(pages::index())
}

/// Messages, newest first; `phone` filters by number.
#[get("/sms")]
pub async fn sms(request: HttpRequest, query: Query<SmsQuery>, store: Data<Store>) -> HttpResponse {
    let messages = store.sms(&query.phone);
    if wants_page(&request, &query.format) {
        return html(pages::inbox(&query.phone, &messages));
    }
    json(&messages)
}

/// Mails, newest first; `to` filters by address.
#[get("/mail")]
pub async fn mail(
    request: HttpRequest,
    query: Query<MailQuery>,
    store: Data<Store>,
) -> HttpResponse {
    let mails = store.mail(&query.to.to_ascii_lowercase());
    if wants_page(&request, &query.format) {
        return html(pages::mailbox(&query.to, &mails));
    }
    json(&mails)
}

/// The solution of a puzzle; without `id` the latest puzzles.
#[get("/slider")]
pub async fn slider(
    request: HttpRequest,
    query: Query<SliderQuery>,
    store: Data<Store>,
) -> HttpResponse {
    let page = wants_page(&request, &query.format);
    if query.id.is_empty() {
        let latest = store.latest_puzzles(12);
        return if page {
            html(pages::puzzles(&latest))
        } else {
            json(&latest)
        };
    }
    match store.puzzle(&query.id) {
        Some(puzzle) if page => html(pages::puzzle(&puzzle)),
        Some(puzzle) => json(&puzzle),
        None if page => {
            let mut answer = html(pages::missing());
            *answer.status_mut() = actix_web::http::StatusCode::NOT_FOUND;
            answer
        }
        None => HttpResponse::NotFound().json(serde_json::json!({"error": "no such puzzle"})),
    }
}
