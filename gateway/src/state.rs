//! State shared by all workers. It is built once, outside the per-worker factory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use actix_web::http::header::HeaderValue;
use chassis::Parts;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::config::GatewayConfig;
use crate::console::Console;
use crate::embed::Embed;
use crate::keys::ClientKeys;
use crate::live::{ConfigSource, Live, LiveConfig};
use crate::nonces::Nonces;
use crate::push::hub::Hub;
use crate::routes::RouteTable;
use crate::sessions::Sessions;
use crate::site::heads::Heads;
use crate::site::{Site, policy};
use crate::stages::cors::Cors;
use crate::stages::rate::RateLimiter;
use crate::upstream::Upstreams;
use peers::Networks;

/// Shortest interval between reloads of the keys because of an unknown `kid`.
const RELOAD_PAUSE_MS: i64 = 60_000;

pub struct Gateway {
    pub config: GatewayConfig,
    pub live: Live,
    pub parts: Parts,
    pub routes: RouteTable,
    pub console: Console,
    pub embed: Embed,
    pub upstreams: Arc<Upstreams>,
    pub sessions: Sessions,
    pub nonces: Arc<Nonces>,
    pub rate: RateLimiter,
    pub cors: Cors,
    pub trusted: Networks,
    pub hub: Arc<Hub>,
    pub site: Site,
    /// Page heads from content.
    pub heads: Arc<Heads>,
    /// Value of Strict-Transport-Security, if it is sent.
    pub strict_transport: Option<HeaderValue>,
    pub metrics: Option<PrometheusHandle>,
    /// Whether traces are exported; if not, no spans are recorded.
    pub traced: bool,
    pub source: Option<ConfigSource>,
    draining: AtomicBool,
    reloaded_ms: AtomicI64,
}

#[derive(serde::Deserialize)]
struct UrlConfig {
    url: String,
}

#[derive(serde::Deserialize)]
struct TelemetryConfig {
    otlp: String,
}

impl Gateway {
    pub fn build(
        parts: Parts,
        upstreams: Upstreams,
        metrics: Option<PrometheusHandle>,
        source: Option<ConfigSource>,
    ) -> anyhow::Result<Self> {
        let settings = &parts.settings;
        let config: GatewayConfig = settings.section("gateway")?;
        let cache: UrlConfig = settings.section("cache")?;
        let telemetry: TelemetryConfig = settings.section("telemetry")?;
        let now_ms = parts.clock.now_ms();
        // Nothing can have been signed with a secret that does not exist yet.
        let since_ms = match ClientKeys::exist(&config.client, settings)? {
            true => now_ms,
            false => 0,
        };
        let live = LiveConfig::read(settings)?;
        let upstreams = Arc::new(upstreams);
        let sessions = Sessions::new(
            upstreams.clone(),
            parts.principals.clone(),
            parts.clock.clone(),
        );
        let store = policy::store(settings)?;
        Ok(Self {
            routes: RouteTable::build()?,
            console: Console::open(&config.console, &store)?,
            embed: Embed::new(&config.embed, &store),
            nonces: Arc::new(Nonces::open(&cache.url, &parts, since_ms)),
            rate: RateLimiter::new(&parts.cache),
            cors: Cors::new(&config.cors_origins),
            trusted: Networks::read(&config.trusted_proxies)?,
            hub: Arc::new(Hub::default()),
            site: Site::open(settings, &config)?,
            heads: Arc::new(Heads::new(upstreams.clone(), parts.principals.clone())),
            strict_transport: strict_transport(config.strict_transport_s),
            traced: !telemetry.otlp.is_empty(),
            live: Live::new(live),
            sessions,
            upstreams,
            metrics,
            source,
            config,
            parts,
            draining: AtomicBool::new(false),
            reloaded_ms: AtomicI64::new(0),
        })
    }

    /// Unix time in milliseconds.
    pub fn now_ms(&self) -> i64 {
        self.parts.clock.now_ms()
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Makes `/readyz` report not ready from now on.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Reloads keys and limits; if that fails, the old ones stay.
    pub fn reload(&self) {
        let Some(source) = &self.source else {
            return;
        };
        let read = (source.load)().and_then(|settings| LiveConfig::read(&settings));
        match read {
            Ok(live) => {
                tracing::info!(kid = live.keys.current.kid, "keys and limits read again");
                self.live.set(live);
            }
            Err(error) => tracing::error!(
                error = format!("{error:#}"),
                "configuration not read, the old keys and limits stay"
            ),
        }
    }

    /// Like [`Gateway::reload`], at most once a minute, because any caller can send an unknown `kid`.
    pub fn reload_for_unknown_key(&self) {
        let now_ms = self.now_ms();
        let last = self.reloaded_ms.load(Ordering::Relaxed);
        if now_ms - last < RELOAD_PAUSE_MS {
            return;
        }
        let order = Ordering::Relaxed;
        if self
            .reloaded_ms
            .compare_exchange(last, now_ms, order, order)
            .is_ok()
        {
            self.reload();
        }
    }
}

/// The value of Strict-Transport-Security; `None` for 0 seconds.
fn strict_transport(seconds: u32) -> Option<HeaderValue> {
    let value = HeaderValue::from_str(&format!("max-age={seconds}"));
    value.ok().filter(|_| seconds > 0)
}
