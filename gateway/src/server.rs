//! Start, reload and orderly end.

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

/// How often the configuration file is looked at and figures are summed up.
const WATCH: Duration = Duration::from_secs(5);

/// What the gateway may be started with beside its parts.
#[derive(Default)]
pub struct Options {
    /// Where to listen; `None`: at `[gateway].listen`.
    pub listener: Option<TcpListener>,
    /// What `/metrics` shows; `None`: nothing.
    pub metrics: Option<PrometheusHandle>,
    /// Where keys and limits are read again from; `None`: never.
    pub source: Option<ConfigSource>,
}

/// A gateway that serves. It ends when the shutdown of its parts is requested; dropping the handle changes nothing.
pub struct GatewayHandle {
    /// Address it listens on.
    pub address: SocketAddr,
    /// What clients sign with, as `/config.json` tells it: id, secret, key id.
    pub client: (String, String, String),
    gateway: Data<Gateway>,
}

impl GatewayHandle {
    /// Reads keys and limits again, as SIGHUP does.
    pub fn reload(&self) {
        self.gateway.reload();
    }
}

/// Serves until `parts.shutdown` is requested; `parts.shutdown.finish` waits for the drain.
///
/// Needs a Tokio runtime. Errors: the address is taken, a folder is missing, the configuration is wrong.
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

/// Unready, wait, finish, stop.
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

/// Reads keys and limits again on SIGHUP and when the file changes.
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
