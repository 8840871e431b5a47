//! `/healthz`: liveness. `/readyz`: readiness. `/metrics`: Prometheus metrics.

use std::net::IpAddr;

use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use chassis::health::ServiceHealth;
use serde_json::{Map, Value, json};

use crate::state::Gateway;

pub async fn alive() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "status": "ok" }))
}

/// Ready while not draining, every service has an address, and those of this process work. Cache, bus and a full disk are
/// reported but do not count: without cache and bus, calls that read still work, and on a full disk users must reach the site to
/// delete files.
pub async fn ready(gateway: Data<Gateway>) -> HttpResponse {
    let parts = &gateway.parts;
    let (local, cache) = tokio::join!(parts.health.services(), parts.cache.ping());
    let mut services = Map::new();
    let mut all = local.values().all(ServiceHealth::is_ready);
    for (name, known) in gateway.upstreams.states() {
        let works = known && local.get(name).is_none_or(ServiceHealth::is_ready);
        services.insert(name.to_owned(), Value::Bool(works));
        all &= known;
    }
    let ready = all && !gateway.is_draining();
    let state = json!({
        "ready": ready,
        "draining": gateway.is_draining(),
        "services": services,
        "parts": local,
        "cache": cache,
        "bus": parts.bus.is_connected(),
        "disk": !parts.disk.is_full(),
    });
    if ready {
        HttpResponse::Ok().json(state)
    } else {
        HttpResponse::ServiceUnavailable().json(state)
    }
}

/// Metrics in Prometheus' text format, only for this machine and its private network unless configured otherwise.
pub async fn metrics(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    // A request through a proxy may come from anywhere.
    let inner = peer.is_some_and(is_private) && !request.headers().contains_key("x-forwarded-for");
    let Some(handle) = gateway
        .metrics
        .as_ref()
        .filter(|_| inner || gateway.config.metrics_public)
    else {
        return HttpResponse::NotFound().finish();
    };
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/plain; version=0.0.4"))
        .body(handle.render())
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local(),
    }
}
