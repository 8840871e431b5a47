//! Start, reload and graceful shutdown.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use std::time::{Duration, SystemTime};

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data};
use actix_web::{App, HttpServer};
use chassis::Parts;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::embed::share;
use crate::headers;
use crate::live::ConfigSource;
use crate::push::{connection, hub};
use crate::site::{feeds, frontend, health, info};
use crate::state::Gateway;
use crate::{Upstreams, console, notify, pipeline};

/// How often the configuration file is checked for changes.
const WATCH: Duration = Duration::from_secs(5);

/// Body limit for requests to shared works, in bytes.
const EMBED_BODY: usize = 4 * 1024;

/// Options for starting the gateway.
#[derive(Default)]
pub struct Options {
    /// The listener; `None`: bind `[gateway].listen`.
    pub listener: Option<TcpListener>,
    /// The console's listener; `None`: bind `[gateway.console].listen`, if it is set.
    pub console: Option<TcpListener>,
    /// The listener of shared works; `None`: bind `[gateway.embed].listen`, if it is set.
    pub embed: Option<TcpListener>,
    /// Exporter behind `/metrics`; `None`: no metrics.
    pub metrics: Option<PrometheusHandle>,
    /// Source for reloading keys and limits; `None`: no reload.
    pub source: Option<ConfigSource>,
}

/// A running gateway. It stops when the shutdown of its parts is requested; dropping the handle has no effect.
pub struct GatewayHandle {
    /// Address it listens on.
    pub address: SocketAddr,
    /// Address of the operators' console, where it is served.
    pub console: Option<SocketAddr>,
    /// Address of shared works, where they are served.
    pub embed: Option<SocketAddr>,
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
    parts.health.add_front("gateway");
    let gateway = Gateway::build(parts, upstreams, options.metrics, options.source)?;
    gateway.nonces.begin(gateway.now_ms()).await;
    let config = &gateway.config;
    let listener = options.listener.map_or_else(|| bind(&config.listen), Ok)?;
    let address = listener.local_addr()?;
    let console = beside(options.console, &config.console.listen)?;
    let console_address = console.as_ref().map(TcpListener::local_addr).transpose()?;
    let embed = beside(options.embed, &config.embed.listen)?;
    let embed_address = embed.as_ref().map(TcpListener::local_addr).transpose()?;
    let gateway = Data::new(gateway);
    let shutdown = gateway.parts.shutdown.clone();

    let pushes = gateway.parts.bus.pushes();
    let hub = hub::run(
        gateway.hub.clone(),
        gateway.sessions.clone(),
        gateway.heads.clone(),
        gateway.nonces.clone(),
        pushes,
        shutdown.clone(),
    );
    shutdown.spawn(hub);

    let server = serve(gateway.clone(), listener)?;
    let mut serving = vec![(server.handle(), tokio::spawn(server))];
    if let Some(console) = console {
        let server = serve_console(gateway.clone(), console)?;
        serving.push((server.handle(), tokio::spawn(server)));
    }
    if let Some(embed) = embed {
        let server = serve_embed(gateway.clone(), embed)?;
        serving.push((server.handle(), tokio::spawn(server)));
    }
    shutdown.spawn(drain(gateway.clone(), serving));
    if gateway.source.is_some() {
        shutdown.spawn(watch(gateway.clone()));
    }
    tracing::info!(%address, "gateway serves");
    let live = gateway.live.get();
    Ok(GatewayHandle {
        address,
        console: console_address,
        embed: embed_address,
        client: (
            live.keys.client_id.clone(),
            live.keys.current.secret.clone(),
            live.keys.current.kid.clone(),
        ),
        gateway,
    })
}

fn bind(listen: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(listen).map_err(|error| anyhow::anyhow!("cannot listen on {listen}: {error}"))
}

/// A further listener: the given one, or the configured one.
fn beside(given: Option<TcpListener>, listen: &str) -> anyhow::Result<Option<TcpListener>> {
    match given {
        None if listen.is_empty() => Ok(None),
        None => bind(listen).map(Some),
        given => Ok(given),
    }
}

/// The operators' console: serves nothing of the site, and has few callers.
fn serve_console(
    gateway: Data<Gateway>,
    listener: TcpListener,
) -> anyhow::Result<actix_web::dev::Server> {
    tracing::info!(address = %listener.local_addr()?, "console serves");
    let limit = gateway.config.drain_limit_s;
    let server = HttpServer::new(move || {
        App::new()
            .wrap(from_fn(headers::add))
            .app_data(gateway.clone())
            .route("/readyz", web::get().to(console::calls::ready))
            .route("/api-{path:.*}", web::route().to(pipeline::handle_console))
            .default_service(web::route().to(console::calls::files))
    })
    .workers(1)
    .disable_signals()
    .keep_alive(Duration::from_secs(75))
    .client_request_timeout(Duration::from_secs(15))
    .shutdown_timeout(limit)
    .listen(listener)?;
    Ok(server.run())
}

/// Shared works: serves nothing of the site, and accepts no body larger than a password.
fn serve_embed(
    gateway: Data<Gateway>,
    listener: TcpListener,
) -> anyhow::Result<actix_web::dev::Server> {
    tracing::info!(address = %listener.local_addr()?, "shared works are served");
    let limit = gateway.config.drain_limit_s;
    let server = HttpServer::new(move || {
        App::new()
            .wrap(from_fn(headers::add))
            .app_data(gateway.clone())
            .app_data(web::PayloadConfig::new(EMBED_BODY))
            .route("/readyz", web::get().to(health::ready))
            .route("/e/{id}", web::get().to(share::open))
            .route("/e/{id}", web::post().to(share::enter))
            .route("/e/{id}/look", web::post().to(share::looked))
            .default_service(web::route().to(share::files))
    })
    .workers(1)
    .disable_signals()
    .keep_alive(Duration::from_secs(75))
    .client_request_timeout(Duration::from_secs(15))
    .shutdown_timeout(limit)
    .listen(listener)?;
    Ok(server.run())
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
            .wrap(from_fn(headers::add))
            .app_data(gateway.clone())
            .route("/config.json", web::get().to(info::config))
            .route("/openapi.json", web::get().to(info::openapi))
            .route("/sitemap.xml", web::get().to(feeds::sitemap))
            .route("/robots.txt", web::get().to(feeds::robots))
            .route("/atom.xml", web::get().to(feeds::atom))
            .route("/healthz", web::get().to(health::alive))
            .route("/readyz", web::get().to(health::ready))
            .route("/metrics", web::get().to(health::metrics))
            .route("/ws", web::get().to(connection::open))
            .route("/demo/{path:.*}", web::get().to(frontend::demo))
            .route(
                "/api-payment/notify/{channel}",
                web::post().to(notify::handle),
            )
            .route("/api-{path:.*}", web::route().to(pipeline::handle))
            .default_service(web::route().to(frontend::frontend))
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
    serving: Vec<(ServerHandle, tokio::task::JoinHandle<std::io::Result<()>>)>,
) {
    gateway.parts.shutdown.requested().await;
    gateway.drain();
    tokio::time::sleep(Duration::from_millis(gateway.config.drain_wait_ms)).await;
    gateway.hub.close();
    for (handle, served) in serving {
        handle.stop(true).await;
        match served.await {
            Ok(Ok(())) => tracing::info!("gateway ended"),
            Ok(Err(error)) => tracing::error!(%error, "gateway ended badly"),
            Err(error) => tracing::error!(%error, "gateway was torn down"),
        }
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
