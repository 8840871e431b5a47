//! Starts everything, prints the addresses, and stops it in order.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use chassis::{Context, Parts, Service, Settings, Shutdown};
use gateway::{ConfigSource, Options, Upstreams};
use serde::Deserialize;

use crate::modules::MODULES;
use crate::ports::Ports;
use crate::{RunOptions, demo, settings};

/// Longest time for everything together to stop.
const PATIENCE: Duration = Duration::from_secs(20);

/// File of the data folder with the address of the console.
pub const CONSOLE_ADDRESS: &str = "console.address";

#[derive(Deserialize)]
struct StandaloneConfig {
    demo: bool,
    mall: bool,
    mall_file: String,
}

/// Runs until a signal asks to stop.
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
    // For `xuanlan operator add`, which prints a link there.
    std::fs::write(options.data.join(CONSOLE_ADDRESS), &addresses.console)?;
    println!(
        "运营后台：{}（xuanlan operator add 名称 生成注册链接）",
        addresses.console
    );
    println!("分享与嵌入：{}", addresses.embed);
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
    console: String,
    embed: String,
    sandbox: Option<String>,
}

/// A running service.
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
    let console = places.url(places.console.port());
    let embed = places.url(places.embed.port());
    let store = tokio::net::TcpListener::from_std(ports.store)?;
    let store_config: objectstore::StoreConfig = settings.section("objectstore")?;
    let stop = shutdown.token();
    shutdown.spawn(async move {
        if let Err(error) = objectstore::server::serve(store_config, store, stop).await {
            tracing::error!(%error, "the object store's endpoint ended");
        }
    });
    let hold = parts.bus.hold();
    // Before auth: it only receives codes sent from then on.
    let sandbox = sandbox::start(&settings, &parts.bus, parts.clock.clone(), shutdown).await?;
    let mut started = Vec::new();
    for module in MODULES {
        let context = parts.context(module.name()).await?;
        let service = module.start(context.clone()).await?;
        started.push(Started { context, service });
    }
    // All consumers are registered.
    drop(hold);
    seed(options, &settings, &parts, &started)?;

    let mut upstreams = Upstreams::new();
    for Started { service, .. } in started {
        upstreams = upstreams.local(service);
    }
    let again = options.clone();
    let gateway_options = Options {
        listener: Some(ports.site),
        console: Some(ports.console),
        embed: Some(ports.embed),
        metrics: telemetry.metrics_handle(),
        source: Some(ConfigSource {
            file: options.config.clone(),
            load: Arc::new(move || settings::load(&again, &places)),
        }),
    };
    gateway::start(parts, upstreams, gateway_options).await?;
    Ok(Addresses {
        site,
        console,
        embed,
        sandbox: sandbox.map(|sandbox| sandbox.public_address),
    })
}

/// Makes the models shown by the site, and the demo if wanted, while the site is already open.
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
    let demo = demo::Demo {
        parts: parts.clone(),
        auth: of(xl_auth::NAME)?.context.clone(),
        payment: of(xl_payment::NAME)?.context.clone(),
        jobs: of(xl_process::NAME)?.context.clone(),
        process: of(xl_process::NAME)?.service.clone(),
    };
    let mall = demo::mall::Mall {
        parts: parts.clone(),
        auth: of(xl_auth::NAME)?.context.clone(),
        jobs: of(xl_process::NAME)?.context.clone(),
        process: of(xl_process::NAME)?.service.clone(),
        personal: of(xl_personal::NAME)?.service.clone(),
        transaction: of(xl_transaction::NAME)?.service.clone(),
        works: of(xl_works::NAME)?.service.clone(),
    };
    let config: StandaloneConfig = settings.section("standalone")?;
    let shown: PathBuf = options.data.canonicalize()?.join("demo");
    std::fs::create_dir_all(&shown)?;
    let with_demo = wants_demo(options, settings)?;
    let stop = parts.shutdown.clone();
    parts.shutdown.spawn(async move {
        let work = async {
            demo::make_shown(&shown).await?;
            match with_demo {
                true => fill(&demo, config.mall.then_some(&mall), &config, &shown).await,
                false => Ok(()),
            }
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

/// Makes models and listings concurrently.
async fn fill(
    demo: &demo::Demo,
    mall: Option<&demo::mall::Mall>,
    config: &StandaloneConfig,
    shown: &Path,
) -> anyhow::Result<()> {
    let (models, listings) = (shown.join("seeded"), shown.join("mall-seeded"));
    let listings = async {
        match mall {
            Some(mall) => mall.seed(&config.mall_file, &listings).await,
            None => Ok(()),
        }
    };
    let (models, listings) = tokio::join!(demo.seed(&models), listings);
    models.and(listings)
}

/// Whether to make the demo's accounts: never in production, since their passwords are in the README.
fn wants_demo(options: &RunOptions, settings: &Settings) -> anyhow::Result<bool> {
    let config: StandaloneConfig = settings.section("standalone")?;
    if !config.demo || options.no_demo {
        return Ok(false);
    }
    let known_to_all = chassis::environment::is_production(settings)?;
    if known_to_all {
        tracing::info!("no demo accounts: site.environment is neither development nor test");
    }
    Ok(!known_to_all)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: RunOptions,
    }

    #[test]
    fn production_has_no_account_that_everybody_knows() {
        for (environment, arguments, expected) in [
            ("development", &["run"][..], true),
            ("test", &["run"], true),
            ("test", &["run", "--no-demo"], false),
            ("production", &["run"], false),
            ("prod", &["run"], false),
        ] {
            let options = Line::parse_from(arguments).options;
            let site = format!("[site]\nenvironment = \"{environment}\"\n");
            let defaults = [crate::modules::defaults(), vec![site.as_str()]].concat();
            let settings = Settings::load_from(&defaults, None, Vec::new()).unwrap();
            let made = wants_demo(&options, &settings).unwrap();
            assert_eq!(made, expected, "{environment} {arguments:?}");
        }
    }
}
