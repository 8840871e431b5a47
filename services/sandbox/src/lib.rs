//! Stand-ins for external parties, for trying out the product: an SMS inbox and the service behind it, a mailbox, an authenticator
//! app, the solutions of the slider, both payment providers, and sign-in with WeChat and QQ.
//! It subscribes to the ephemeral pushes for `#sandbox`, keeps the last thousand in memory and shows them as pages and
//! as JSON. It must be enabled explicitly, and is refused in production.

pub mod aliyun;
mod authenticator;
pub mod config;
mod http;
mod mail;
pub mod pages;
pub mod pay;
pub mod process;
pub mod social;
pub mod store;

use std::net::{SocketAddr, TcpListener};

use actix_web::middleware::from_fn;
use actix_web::web::{Data, ServiceConfig};
use actix_web::{App, HttpServer};
use chassis::bus::Bus;
use chassis::{Clock, Settings, Shutdown};
use metrics_exporter_prometheus::PrometheusHandle;
use proto::auth::v1::SmsCaught;
use proto::pushes::ForProcesses;
use tokio::sync::broadcast::error::RecvError;

use crate::aliyun::Aliyun;
use crate::config::SandboxConfig;
use crate::pay::Desk;
use crate::social::Platforms;
use crate::store::Store;

/// The commented section `[sandbox]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// A running sandbox.
#[derive(Clone)]
pub struct Sandbox {
    /// Address it listens on.
    pub local: SocketAddr,
    /// URL for browsers, without a trailing slash.
    pub public_address: String,
    pub store: Store,
}

/// Starts the sandbox if enabled, else returns `None`. Start it before auth: it only sees messages sent afterwards.
/// Errors: it is enabled where it is not allowed, or its port is in use.
pub async fn start(
    settings: &Settings,
    bus: &Bus,
    clock: Clock,
    shutdown: &Shutdown,
) -> anyhow::Result<Option<Sandbox>> {
    start_alone(settings, bus, None, clock, shutdown).await
}

/// Like [`start`], in a process of its own: `metrics` is the exporter behind `/metrics`.
pub async fn start_alone(
    settings: &Settings,
    bus: &Bus,
    metrics: Option<PrometheusHandle>,
    clock: Clock,
    shutdown: &Shutdown,
) -> anyhow::Result<Option<Sandbox>> {
    let Some(config) = SandboxConfig::allowed(settings)? else {
        return Ok(None);
    };
    let store = Store::default();
    listen(bus, store.clone(), shutdown);
    let listener = TcpListener::bind(&config.listen).map_err(|error| {
        anyhow::anyhow!("the sandbox cannot listen on {}: {error}", config.listen)
    })?;
    let local = listener.local_addr()?;
    let public_address = match config.public_address.trim_end_matches('/') {
        "" => format!("http://{local}"),
        stated => stated.to_owned(),
    };
    let desk = match config.pay.enabled {
        true => Some(Desk::open(&config.pay, clock.clone(), shutdown)?),
        false => None,
    };
    if !config.mail_listen.is_empty() {
        let listener = TcpListener::bind(&config.mail_listen).map_err(|error| {
            anyhow::anyhow!(
                "the sandbox cannot listen on {}: {error}",
                config.mail_listen
            )
        })?;
        mail::serve(listener, store.clone(), clock.clone(), shutdown)?;
    }
    let others = Others {
        platforms: Platforms::new(clock.clone(), &public_address),
        aliyun: Aliyun::new(clock.clone(), store.clone()),
        clock: clock.clone(),
    };
    let ops = Data::new(http::Ops {
        bus: bus.clone(),
        metrics,
    });
    serve(listener, store.clone(), (desk, others), ops, shutdown)?;
    tracing::info!(address = %public_address, "sandbox shows codes and answers");
    Ok(Some(Sandbox {
        local,
        public_address,
        store,
    }))
}

fn listen(bus: &Bus, store: Store, shutdown: &Shutdown) {
    let mut pushes = bus.pushes();
    let stop = shutdown.clone();
    shutdown.spawn(async move {
        loop {
            let push = tokio::select! {
                push = pushes.recv() => push,
                _ = stop.requested() => return,
            };
            match push {
                Ok(push) if push.user_id == SmsCaught::ADDRESS => store.receive(&push.json),
                Ok(_) => {}
                Err(RecvError::Lagged(lost)) => tracing::warn!(lost, "the sandbox missed messages"),
                Err(RecvError::Closed) => return,
            }
        }
    });
}

/// State of the routes that need no settings.
#[derive(Clone)]
struct Others {
    platforms: Platforms,
    aliyun: Aliyun,
    clock: Clock,
}

impl Others {
    fn routes(self, service: &mut ServiceConfig) {
        service
            .app_data(Data::new(self.platforms))
            .app_data(Data::new(self.aliyun))
            .app_data(Data::new(self.clock));
        social::routes(service);
        aliyun::routes(service);
        authenticator::routes(service);
    }
}

fn serve(
    listener: TcpListener,
    store: Store,
    (desk, others): (Option<Desk>, Others),
    ops: Data<http::Ops>,
    shutdown: &Shutdown,
) -> anyhow::Result<()> {
    let server = HttpServer::new(move || {
        let (desk, others) = (desk.clone(), others.clone());
        App::new()
            .wrap(from_fn(http::measured))
            .app_data(ops.clone())
            .service(http::alive)
            .service(http::ready)
            .service(http::figures)
            .configure(|service| {
                if let Some(desk) = desk {
                    service.app_data(Data::new(desk));
                    pay::routes(service);
                }
            })
            .configure(|service| others.routes(service))
            .app_data(Data::new(store.clone()))
            .service(http::index)
            .service(http::sms)
            .service(http::mail)
            .service(http::slider)
    })
    .workers(1)
    .disable_signals()
    .shutdown_timeout(5)
    .listen(listener)?
    .run();
    let handle = server.handle();
    let stop = shutdown.clone();
    shutdown.spawn(async move {
        stop.requested().await;
        handle.stop(true).await;
    });
    shutdown.spawn(async move {
        if let Err(error) = server.await {
            tracing::error!(%error, "the sandbox's server ended");
        }
    });
    Ok(())
}
