//! Starts everything, prints the addresses, and stops it in order.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use chassis::environment::{NotPrivate, not_private};
use chassis::{Context, Parts, Service, Settings, Shutdown};
use gateway::{ConfigSource, Options, Upstreams};
use serde::Deserialize;

use crate::modules::MODULES;
use crate::ports::Ports;
use crate::{RunOptions, demo, settings};

/// Longest time for everything together to stop.
const PATIENCE: Duration = Duration::from_secs(20);

/// Files of the folder `demo` that say that the demo's models and its listings are made.
const MODELS_MADE: &str = "seeded";
const LISTINGS_MADE: &str = "mall-seeded";

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
    if let Some(reason) = &addresses.no_demo {
        println!("{}", without_demo(reason));
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
    /// Why there is no demo, if one was wanted.
    no_demo: Option<NotPrivate>,
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
    let no_demo = seed(options, &settings, &parts, &started).await?;

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
        no_demo,
    })
}

/// Sees to the demo's accounts before the site opens; models and listings are made in the background. Returns why there is no
/// demo, if one is wanted.
async fn seed(
    options: &RunOptions,
    settings: &Settings,
    parts: &Parts,
    started: &[Started],
) -> anyhow::Result<Option<NotPrivate>> {
    let of = |name: &str| {
        let found = started.iter().find(|one| one.service.name == name);
        found.with_context(|| format!("no service {name}"))
    };
    let (auth, payment) = (of(xl_auth::NAME)?, of(xl_payment::NAME)?);
    let config: StandaloneConfig = settings.section("standalone")?;
    let shown = options.data.canonicalize()?.join("demo");
    std::fs::create_dir_all(&shown)?;
    let wanted = config.demo && !options.no_demo;
    let refused = not_private(settings)?;
    let mut owner = None;
    match &refused {
        Some(reason) => {
            demo::accounts::retire(&auth.context).await?;
            if wanted {
                tracing::warn!(%reason, "no demo accounts, since their passwords are published");
            }
        }
        None if wanted && !shown.join(MODELS_MADE).exists() => {
            owner = Some(demo::accounts::add(&auth.context, &payment.context).await?);
        }
        None => {}
    }
    let demo = demo::Demo {
        parts: parts.clone(),
        jobs: of(xl_process::NAME)?.context.clone(),
        process: of(xl_process::NAME)?.service.clone(),
    };
    let mall = demo::mall::Mall {
        parts: parts.clone(),
        auth: auth.context.clone(),
        jobs: of(xl_process::NAME)?.context.clone(),
        process: of(xl_process::NAME)?.service.clone(),
        personal: of(xl_personal::NAME)?.service.clone(),
        transaction: of(xl_transaction::NAME)?.service.clone(),
        order: of(xl_order::NAME)?.service.clone(),
        payment: payment.service.clone(),
        coins: payment.context.clone(),
        works: of(xl_works::NAME)?.service.clone(),
    };
    let with_mall = wanted && refused.is_none() && config.mall;
    let stop = parts.shutdown.clone();
    parts.shutdown.spawn(async move {
        let work = async {
            demo::make_shown(&shown).await?;
            let models = async {
                match &owner {
                    Some(owner) => demo.seed(owner, &shown.join(MODELS_MADE)).await,
                    None => Ok(()),
                }
            };
            let listings = async {
                match with_mall {
                    true => mall.seed(&config.mall_file, &shown.join(LISTINGS_MADE)).await,
                    false => Ok(()),
                }
            };
            let (models, listings) = tokio::join!(models, listings);
            models.and(listings)
        };
        tokio::select! {
            made = work => if let Err(error) = made {
                tracing::warn!(error = format!("{error:#}"), "demo not complete, the next start goes on with it");
            },
            _ = stop.requested() => {}
        }
    });
    Ok(refused.filter(|_| wanted))
}

fn without_demo(reason: &NotPrivate) -> String {
    let reason = match reason {
        NotPrivate::Environment(environment) => format!("site.environment 为 {environment}"),
        NotPrivate::NoAddress => "网站地址未知".to_owned(),
        NotPrivate::Address(address) => format!("{address} 不是本机或内网地址"),
    };
    format!(
        "没有演示账号：{reason}，而演示账号的密码是公开的。请用手机号注册，或用 xuanlan auth account add 添加账号；\
         只在本机试用时请用默认的 --host"
    )
}
