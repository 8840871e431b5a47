//! Starts everything, says where it is, and ends it in order.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use chassis::{Context, Parts, Service, Settings, Shutdown};
use gateway::{ConfigSource, Options, Upstreams};
use serde::Deserialize;

use crate::modules::MODULES;
use crate::ports::Ports;
use crate::{RunOptions, demo, settings};

/// Time that everything together may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
struct StandaloneConfig {
    demo: bool,
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
    let settings = settings::load(&options, &ports.places)?;
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

/// A service that runs.
struct Started {
    context: Context,
    service: Service,
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
    let mut started = Vec::new();
    for module in MODULES {
        let context = parts.context(module.name()).await?;
        let service = module.start(context.clone()).await?;
        started.push(Started { context, service });
    }
    // Every consumer is there.
    drop(hold);
    seed(options, &settings, &parts, &started)?;

    let mut upstreams = Upstreams::new();
    for Started { service, .. } in started {
        upstreams = upstreams.local(service);
    }
    let again = options.clone();
    let gateway_options = Options {
        listener: Some(ports.site),
        metrics: telemetry.metrics_handle(),
        source: Some(ConfigSource {
            file: options.config.clone(),
            load: Arc::new(move || settings::load(&again, &places)),
        }),
    };
    gateway::start(parts, upstreams, gateway_options).await?;
    Ok(Addresses {
        site,
        sandbox: sandbox.map(|sandbox| sandbox.public_address),
    })
}

/// Makes what the site shows, and the demo's accounts and models where they are wanted, while the site is open already.
fn seed(
    options: &RunOptions,
    settings: &Settings,
    parts: &Parts,
    started: &[Started],
) -> anyhow::Result<()> {
    let of = |name: &str| {
        let found = started.iter().find(|one| one.service.name == name);
        found.with_context(|| format!("no service {name}"))
    };
    let config: StandaloneConfig = settings.section("standalone")?;
    let demo = demo::Demo {
        parts: parts.clone(),
        auth: of(xl_auth::NAME)?.context.clone(),
        payment: of(xl_payment::NAME)?.context.clone(),
        process: of(xl_process::NAME)?.service.clone(),
    };
    let shown: PathBuf = options.data.canonicalize()?.join("demo");
    std::fs::create_dir_all(&shown)?;
    let with_demo = config.demo && !options.no_demo;
    let stop = parts.shutdown.clone();
    parts.shutdown.spawn(async move {
        let work = async {
            demo::make_shown(&shown).await?;
            if with_demo {
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
    Ok(())
}
