//! What operators and orchestrators ask a service that runs by itself, over HTTP/1 on the port of its gRPC:
//! `/healthz` (the process lives), `/readyz` (it should get work) and `/metrics` (Prometheus' text format).

use std::net::SocketAddr;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;
use tonic::service::Routes;

use crate::health::ServiceHealth;
use crate::{Context, Service, Settings, Shutdown, rpc};

const JSON: &str = "application/json";
const PROMETHEUS: &str = "text/plain; version=0.0.4";

#[derive(Clone)]
struct Ops {
    context: Context,
    metrics: Option<PrometheusHandle>,
}

#[derive(serde::Deserialize)]
struct OpsConfig {
    listen: String,
}

/// Serves the three on a port of their own (`[ops] listen`; empty: not at all), for a program whose own port belongs to
/// another protocol. `has_room`: whether its disk is not full, which is reported but does not count. Returns the address.
/// Errors: the address is taken.
pub async fn serve_beside(
    settings: &Settings,
    metrics: Option<PrometheusHandle>,
    shutdown: &Shutdown,
    has_room: impl Fn() -> bool + Clone + Send + Sync + 'static,
) -> anyhow::Result<Option<SocketAddr>> {
    let OpsConfig { listen } = settings.section("ops")?;
    if listen.is_empty() {
        return Ok(None);
    }
    let listener = tokio::net::TcpListener::bind(&listen).await?;
    let address = listener.local_addr()?;
    let ending = shutdown.clone();
    let router = Router::new()
        .route("/healthz", get(alive))
        .route(
            "/readyz",
            get(move || async move {
                let draining = ending.is_requested();
                let ready = !draining;
                told(
                    ready,
                    &json!({ "ready": ready, "draining": draining, "disk": has_room() }),
                )
            }),
        )
        .route(
            "/metrics",
            get(move || async move { shown(metrics.as_ref()) }),
        );
    let service = Service {
        name: "ops",
        routes: Routes::from(router),
    };
    let stop = shutdown.clone();
    shutdown.spawn(async move {
        if let Err(error) = rpc::serve_on(service, listener, stop).await {
            tracing::error!(%error, "health and metrics are not served any more");
        }
    });
    Ok(Some(address))
}

/// Adds the three to the routes of a service.
pub fn with_ops(routes: Routes, context: Context, metrics: Option<PrometheusHandle>) -> Routes {
    let ops = Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(figures))
        .with_state(Ops { context, metrics });
    Routes::from(routes.into_axum_router().merge(ops))
}

async fn alive() -> impl IntoResponse {
    text(StatusCode::OK, JSON, json!({ "status": "ok" }).to_string())
}

/// Ready while it is not ending, its database answers and the relay of its outbox does not hang. Cache and bus are reported but
/// do not count, nor does an outbox whose events the bus does not take: without them calls that read still work.
async fn ready(State(ops): State<Ops>) -> impl IntoResponse {
    let context = &ops.context;
    let draining = context.shutdown.is_requested();
    // Together and with a limit: a probe waits about a second, and a cache that is away must not cost an answer.
    let (services, cache) = tokio::join!(context.health.services(), context.cache.ping());
    let health = services.get(context.service);
    let ready = health.is_some_and(ServiceHealth::is_ready) && !draining;
    let state = json!({
        "ready": ready,
        "draining": draining,
        "database": health.map(|health| health.database),
        "cache": cache,
        "bus": context.bus.is_connected(),
        "relay": health.map(|health| health.relay),
        "outbox": health.map(|health| health.outbox),
        "disk": !context.disk.is_full(),
    });
    told(ready, &state)
}

/// The answer of `/readyz`.
fn told(ready: bool, state: &serde_json::Value) -> impl IntoResponse + use<> {
    let status = match ready {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    };
    text(status, JSON, state.to_string())
}

async fn figures(State(ops): State<Ops>) -> impl IntoResponse {
    shown(ops.metrics.as_ref())
}

fn shown(metrics: Option<&PrometheusHandle>) -> impl IntoResponse + use<> {
    match metrics {
        Some(handle) => text(StatusCode::OK, PROMETHEUS, handle.render()),
        None => text(StatusCode::NOT_FOUND, PROMETHEUS, String::new()),
    }
}

fn text(status: StatusCode, kind: &'static str, body: String) -> impl IntoResponse {
    (status, [(header::CONTENT_TYPE, kind)], body)
}
