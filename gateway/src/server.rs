//! Start, reload and graceful shutdown.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use std::time::{Duration, SystemTime};

use actix_web::dev::ServerHandle;
use actix_web::web::{self, Data};
use actix_web::{App, HttpServer};
use chassis::Parts;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::config::ConfigSource;
use crate::push::{connection, hub};
use crate::site::{files, health, info};
use crate::state::Gateway;
use crate::{Upstreams, notify, pipeline};

/// How often the configuration file is checked for changes.
const WATCH: Duration = Duration::from_secs(5);

/// Options for starting the gateway.
#[derive(Default)]
pub struct Options {
    /// The listener; `None`: bind `[gateway].listen`.
    pub listener: Option<TcpListener>,
    /// Exporter behind `/metrics`; `None`: no metrics.
    pub metrics: Option<PrometheusHandle>,
    /// Source for reloading keys and limits; `None`: no reload.
    pub source: Option<ConfigSource>,
}

/// A running gateway. It stops when the shutdown of its parts is requested; dropping the handle has no effect.
pub struct GatewayHandle {
    /// Address it listens on.
    pub address: SocketAddr,
    /// The client of `/config.json`: id, secret, key id.
    pub client: (String, String, String),
    gateway: Data<Gateway>,
}

impl GatewayHandle {
    /// Reloads keys and limits, like SIGHUP.
    pub fn reload(&self) {
        self.gateway.reload();
    }
}

/// Serves until `parts.shutdown` is requested; `parts.shutdown.finish` waits for the drain.
/// Needs a Tokio runtime. Errors: the address is in use, a folder is missing, the configuration is invalid.
pub async fn start(
    parts: Parts,
    upstreams: Upstreams,
    options: Options,
) -> anyhow::Result<GatewayHandle> {
    let gateway = Gateway::build(parts, upstreams, options.metrics, options.source)?;
    let listener = match options.listener {
        Some(listener) => listener,
        None => TcpListener::bind(&gateway.config.listen).map_err(|error| {
            anyhow::anyhow!("cannot listen on {}: {error}", gateway.config.listen)
        })?,
    };
    let address = listener.local_addr()?;
    let gateway = Data::new(gateway);
    let shutdown = gateway.parts.shutdown.clone();

    let pushes = gateway.parts.bus.pushes();
    let hub = hub::run(
        gateway.hub.clone(),
        gateway.sessions.clone(),
        pushes,
        shutdown.clone(),
    );
    shutdown.spawn(hub);

    let server = serve(gateway.clone(), listener)?;
    let handle = server.handle();
    let served = tokio::spawn(server);
    shutdown.spawn(drain(gateway.clone(), handle, served));
    if gateway.source.is_some() {
        shutdown.spawn(watch(gateway.clone()));
    }
    tracing::info!(%address, "gateway serves");
    let live = gateway.live.get();
    Ok(GatewayHandle {
        address,
        client: (
            live.keys.client_id.clone(),
            live.keys.current.secret.clone(),
            live.keys.current.kid.clone(),
        ),
        gateway,
    })
}

fn serve(gateway: Data<Gateway>, listener: TcpListener) -> anyhow::Result<actix_web::dev::Server> {
    let config = &gateway.config;
    let workers = match config.workers {
        0 => std::thread::available_parallelism().map_or(2, usize::from),
        workers => workers,
    };
    let limit = config.drain_limit_s;
    let server = HttpServer::new(move || {
        App::new()
            .app_data(gateway.clone())
            .route("/config.json", web::get().to(info::config))
            .route("/openapi.json", web::get().to(info::openapi))
            .route("/healthz", web::get().to(health::alive))
            .route("/readyz", web::get().to(health::ready))
            .route("/metrics", web::get().to(health::metrics))
            .route("/ws", web::get().to(connection::open))
            .route("/demo/{path:.*}", web::get().to(files::demo))
            .route(
                "/api-payment/notify/{channel}",
                web::post().to(notify::handle),
            )
            .route("/api-{path:.*}", web::route().to(pipeline::handle))
            .default_service(web::route().to(files::frontend))
    })
    .workers(workers)
    .disable_signals()
    .keep_alive(Duration::from_secs(75))
    .client_request_timeout(Duration::from_secs(15))
    .shutdown_timeout(limit)
    .listen(listener)?;
    Ok(server.run())
}

/// Sets unready, waits, finishes calls in flight, stops.
async fn drain(
    gateway: Data<Gateway>,
    handle: ServerHandle,
    served: tokio::task::JoinHandle<std::io::Result<()>>,
) {
    gateway.parts.shutdown.requested().await;
    gateway.drain();
    tokio::time::sleep(Duration::from_millis(gateway.config.drain_wait_ms)).await;
    gateway.hub.close();
    handle.stop(true).await;
    match served.await {
        Ok(Ok(())) => tracing::info!("gateway ended"),
        Ok(Err(error)) => tracing::error!(%error, "gateway ended badly"),
        Err(error) => tracing::error!(%error, "gateway was torn down"),
    }
}

/// Reloads keys and limits on SIGHUP and when the file changes.
async fn watch(gateway: Data<Gateway>) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut hang_up) = signal(SignalKind::hangup()) else {
        return;
    };
    let file = gateway.source.as_ref().and_then(|s| s.file.clone());
    let mut last = modified(file.as_deref());
    let mut ticks = tokio::time::interval(WATCH);
    loop {
        tokio::select! {
            () = gateway.parts.shutdown.requested() => return,
            _ = hang_up.recv() => gateway.reload(),
            _ = ticks.tick() => {
                let now = modified(file.as_deref());
                if now != last {
                    last = now;
                    gateway.reload();
                }
            }
        }
    }
}

fn modified(file: Option<&Path>) -> Option<SystemTime> {
    std::fs::metadata(file?)
        .and_then(|data| data.modified())
        .ok()
}
