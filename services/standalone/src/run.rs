//! Starts everything, says where it is, and ends it in order.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use chassis::{Clock, Parts, Settings, Shutdown};
use gateway::{ConfigSource, Options, Upstreams};
use sandbox::config::SandboxConfig;
use sandbox::pay::identity::Identity;
use serde::Deserialize;

use crate::{RunOptions, demo};

/// Time that everything together may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

const DEFAULTS: &[&str] = &[
    gateway::DEFAULTS,
    xl_auth::DEFAULTS,
    xl_personal::DEFAULTS,
    xl_process::DEFAULTS,
    xl_order::DEFAULTS,
    xl_payment::DEFAULTS,
    sandbox::DEFAULTS,
    include_str!("default.toml"),
];

#[derive(Deserialize)]
struct StandaloneConfig {
    demo: bool,
}

/// The three ports, taken before anything else is started.
struct Ports {
    site: TcpListener,
    store: TcpListener,
    places: Places,
}

/// Where the three are found.
#[derive(Clone)]
struct Places {
    site: SocketAddr,
    store: SocketAddr,
    sandbox: Option<u16>,
    host: String,
}

impl Ports {
    fn take(options: &RunOptions) -> anyhow::Result<Self> {
        let address: IpAddr = options
            .host
            .parse()
            .with_context(|| format!("监听地址 {} 不正确，应为 IP 地址", options.host))?;
        let next = |offset: u16, chosen: Option<u16>| match (chosen, options.port) {
            (Some(port), _) => port,
            // Port 0 lets the system choose.
            (None, 0) => 0,
            (None, port) => port.saturating_add(offset),
        };
        let site = bind(address, options.port, "--port")?;
        let store = bind(address, next(1, options.store_port), "--store-port")?;
        let sandbox = match options.no_sandbox {
            true => None,
            // The sandbox binds by itself: the port is only tried here, so that a taken one is told before the start.
            false => Some(
                bind(address, next(2, options.sandbox_port), "--sandbox-port")?
                    .local_addr()?
                    .port(),
            ),
        };
        let host = match &options.public_host {
            Some(host) => host.clone(),
            None if address.is_unspecified() => "127.0.0.1".to_owned(),
            None if address.is_ipv6() => format!("[{address}]"),
            None => address.to_string(),
        };
        let places = Places {
            site: site.local_addr()?,
            store: store.local_addr()?,
            sandbox,
            host,
        };
        Ok(Self {
            site,
            store,
            places,
        })
    }
}

impl Places {
    fn url(&self, port: u16) -> String {
        format!("http://{}:{port}", self.host)
    }
}

fn bind(address: IpAddr, port: u16, option: &str) -> anyhow::Result<TcpListener> {
    let socket = SocketAddr::new(address, port);
    match TcpListener::bind(socket) {
        Ok(listener) => {
            listener.set_nonblocking(true)?;
            Ok(listener)
        }
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            bail!("端口 {port} 已被占用：请关闭占用它的程序，或用 {option} 换一个端口")
        }
        Err(error) => bail!("无法监听 {socket}：{error}"),
    }
}

fn settings(options: &RunOptions, places: &Places) -> anyhow::Result<Settings> {
    // Absolute: child processes work in folders of their own.
    let data = options.data.canonicalize()?.display().to_string();
    let mut variables: Vec<(String, String)> = std::env::vars()
        .filter(|(name, _)| name.starts_with("XUANLAN__"))
        .collect();
    variables.push(("XUANLAN__DATA__DIR".into(), data.clone()));
    let mut settings = Settings::load_from(DEFAULTS, options.config.as_deref(), variables)?;
    settings.set("objectstore", "listen", places.store.to_string());
    settings.set(
        "objectstore",
        "public_address",
        places.url(places.store.port()),
    );
    settings.set("gateway", "listen", places.site.to_string());
    settings.set(
        "gateway",
        "static_dir",
        options.frontend.display().to_string(),
    );
    settings.set("gateway", "demo_dir", format!("{data}/demo"));
    if let Some(port) = places.sandbox {
        settings.set("sandbox", "enabled", true);
        settings.set(
            "sandbox",
            "listen",
            SocketAddr::new(places.site.ip(), port).to_string(),
        );
        settings.set("sandbox", "public_address", places.url(port));
        settings.set("site", "sandbox", places.url(port));
        settings.set(
            "auth",
            "sms",
            sub_table(&settings, "auth", "sms", "sender", "sandbox")?,
        );
        settings.set(
            "auth",
            "slider",
            sub_table(&settings, "auth", "slider", "reveal", true)?,
        );
    }
    payments(&mut settings, places)?;
    Ok(settings)
}

/// Tells payment where the site is, and opens the channels that are not configured at the sandbox.
fn payments(settings: &mut Settings, places: &Places) -> anyhow::Result<()> {
    let payment: xl_payment::config::PaymentConfig = settings.section("payment")?;
    let site = places.url(places.site.port());
    if payment.site_origins.is_empty() {
        let mut origins = vec![site.clone()];
        if places.site.ip().is_loopback() || places.site.ip().is_unspecified() {
            origins.push(format!("http://localhost:{}", places.site.port()));
        }
        settings.set("payment", "site_origins", origins);
    }
    if payment.notify_address.is_empty() {
        settings.set("payment", "notify_address", site);
    }
    let Some(port) = places.sandbox else {
        return Ok(());
    };
    // Off as the whole sandbox is, where it is refused.
    let Some(sandbox) = SandboxConfig::allowed(settings)?.filter(|sandbox| sandbox.pay.enabled)
    else {
        return Ok(());
    };
    let keys = Identity::open(&sandbox.pay.folder, Clock::system().now_ms())?.merchant_keys()?;
    let address = places.url(port);
    if payment.alipay.app_id.is_empty() {
        settings.set("payment", "alipay", keys.alipay(&address));
    }
    if payment.wechat.mch_id.is_empty() {
        settings.set("payment", "wechat", keys.wechat(&address));
    }
    Ok(())
}

/// A section inside a section, with one value replaced.
fn sub_table(
    settings: &Settings,
    section: &str,
    inner: &str,
    key: &str,
    value: impl Into<toml::Value>,
) -> anyhow::Result<toml::Value> {
    let mut outer: toml::Table = settings.section(section)?;
    let Some(toml::Value::Table(mut table)) = outer.remove(inner) else {
        bail!("[{section}.{inner}] is not a table");
    };
    table.insert(key.to_owned(), value.into());
    Ok(toml::Value::Table(table))
}

/// Runs until a signal asks to end.
pub async fn run(options: RunOptions) -> anyhow::Result<()> {
    let began = Instant::now();
    if !options.frontend.join("index.html").exists() {
        bail!(
            "没有找到前端页面（{}）：请用 scripts/run 启动，或先构建前端并用 --frontend 指明",
            options.frontend.display()
        );
    }
    let ports = Ports::take(&options)?;
    std::fs::create_dir_all(&options.data)
        .with_context(|| format!("无法创建数据文件夹 {}", options.data.display()))?;
    let settings = settings(&options, &ports.places)?;
    chassis::servers::check(&settings)?;
    let telemetry = chassis::telemetry::init(&settings, "xuanlan")?;
    let shutdown = Shutdown::new();
    let started = start(&options, ports, settings, &telemetry, &shutdown).await;
    let addresses = match started {
        Ok(addresses) => addresses,
        Err(error) => {
            shutdown.finish(PATIENCE).await;
            return Err(error);
        }
    };
    let seconds = began.elapsed().as_secs_f32();
    println!("\n玄览云已启动（{seconds:.1} 秒）：{}", addresses.site);
    if let Some(sandbox) = &addresses.sandbox {
        println!("短信验证码、付款等请看沙箱：{sandbox}");
    }
    println!("数据保存在 {}，按 Ctrl-C 停止\n", options.data.display());
    Shutdown::signal().await;
    println!("正在停止…");
    if !shutdown.finish(PATIENCE).await {
        tracing::warn!("some work did not end in time");
    }
    println!("已停止");
    Ok(())
}

struct Addresses {
    site: String,
    sandbox: Option<String>,
}

async fn start(
    options: &RunOptions,
    ports: Ports,
    settings: Settings,
    telemetry: &chassis::telemetry::Telemetry,
    shutdown: &Shutdown,
) -> anyhow::Result<Addresses> {
    let parts = Parts::open(settings.clone(), shutdown.clone())
        .await
        .context("无法打开数据文件夹；如果另一个玄览云正在使用它，请先停止那一个，或用 --data 换一个文件夹")?;
    let places = ports.places;
    let site = places.url(places.site.port());
    let store = tokio::net::TcpListener::from_std(ports.store)?;
    let store_config: objectstore::StoreConfig = settings.section("objectstore")?;
    let stop = shutdown.token();
    shutdown.spawn(async move {
        if let Err(error) = objectstore::server::serve(store_config, store, stop).await {
            tracing::error!(%error, "the object store's endpoint ended");
        }
    });
    let hold = parts.bus.hold();
    // Before auth: it hears codes from then on.
    let sandbox = sandbox::start(&settings, &parts.bus, parts.clock.clone(), shutdown).await?;
    let auth_context = parts.context("auth").await?;
    let auth = xl_auth::start(auth_context.clone()).await?;
    let personal = xl_personal::start(parts.context(xl_personal::NAME).await?).await?;
    let process = xl_process::start(parts.context(xl_process::NAME).await?).await?;
    let order = xl_order::start(parts.context(xl_order::NAME).await?).await?;
    let payment_context = parts.context(xl_payment::NAME).await?;
    let payment = xl_payment::start(payment_context.clone()).await?;

    // Every consumer is there.
    drop(hold);

    let config: StandaloneConfig = settings.section("standalone")?;
    let data = options.data.canonicalize()?;
    let shown = data.join("demo");
    std::fs::create_dir_all(&shown)?;
    let with_demo = config.demo && !options.no_demo;
    let seeding = (parts.clone(), process.clone());
    let stop = shutdown.clone();
    shutdown.spawn(async move {
        let (parts, process) = seeding;
        let work = async {
            demo::make_shown(&shown).await?;
            if with_demo {
                let demo = demo::Demo {
                    parts: &parts,
                    auth: &auth_context,
                    payment: &payment_context,
                    process: &process,
                };
                demo.seed(&shown.join("seeded")).await?;
            }
            anyhow::Ok(())
        };
        tokio::select! {
            made = work => if let Err(error) = made {
                tracing::warn!(error = format!("{error:#}"), "demo not complete, the next start goes on with it");
            },
            _ = stop.requested() => {}
        }
    });

    let mut upstreams = Upstreams::new();
    for service in [auth, personal, process, order, payment] {
        upstreams = upstreams.local(service);
    }
    let again = options.clone();
    let gateway_options = Options {
        listener: Some(ports.site),
        metrics: telemetry.metrics_handle(),
        source: Some(ConfigSource {
            file: options.config.clone(),
            load: Arc::new(move || self::settings(&again, &places)),
        }),
    };
    gateway::start(parts, upstreams, gateway_options).await?;
    Ok(Addresses {
        site,
        sandbox: sandbox.map(|sandbox| sandbox.public_address),
    })
}
