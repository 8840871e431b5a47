//! The beacons of browsers, served by a separate HTTP server so that a flood of them does not reach the gateway.
//!
//! `POST` with JSON as `text/plain`, which needs no preflight; 8 KB at most. The reply is the envelope of all calls. A visitor
//! who opts out of tracking (`DNT`, `Sec-GPC`) gets the same reply, and nothing is stored.

mod http;
mod input;
mod writer;

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use actix_web::web::{self, Data, PayloadConfig};
use actix_web::{App, HttpServer};
use chassis::Cache;
use peers::Networks;

use crate::Analytics;
use writer::Writer;

/// Bytes of one body.
const MAX_BODY: usize = 8 * 1024;

/// Connections of one replica.
const MAX_CONNECTIONS: usize = 2048;

/// Shared by all requests.
struct Door {
    writer: Writer,
    cache: Cache,
    trusted: Networks,
    origins: Vec<String>,
    per_minute: u32,
}

/// Listens on the configured address, if any, and returns it. Errors: the address cannot be bound, or a setting is invalid.
pub(crate) fn start(analytics: &Analytics) -> anyhow::Result<Option<SocketAddr>> {
    let config = &analytics.config.beacons;
    if config.listen.is_empty() {
        return Ok(None);
    }
    let listener = TcpListener::bind(&config.listen)
        .map_err(|error| anyhow::anyhow!("analytics.beacons.listen {}: {error}", config.listen))?;
    let local = listener.local_addr()?;
    let door = Data::new(Door {
        writer: Writer::start(analytics),
        cache: analytics.context.cache.scoped("analytics:beacons"),
        trusted: config.trusted()?,
        origins: config.origins.clone(),
        per_minute: config.per_minute,
    });
    let server = HttpServer::new(move || {
        App::new()
            .app_data(door.clone())
            .app_data(PayloadConfig::new(MAX_BODY))
            .configure(http::routes)
            .default_service(web::to(http::unknown))
    })
    .workers(1)
    .max_connections(MAX_CONNECTIONS)
    .client_request_timeout(Duration::from_secs(5))
    .disable_signals()
    .shutdown_timeout(5)
    .listen(listener)?
    .run();
    let (handle, shutdown) = (server.handle(), analytics.context.shutdown.clone());
    let stop = shutdown.clone();
    shutdown.spawn(async move {
        stop.requested().await;
        handle.stop(true).await;
    });
    shutdown.spawn(async move {
        if let Err(error) = server.await {
            tracing::error!(%error, "the beacons' server ended");
        }
    });
    tracing::info!(address = %local, "beacons are taken");
    Ok(Some(local))
}
