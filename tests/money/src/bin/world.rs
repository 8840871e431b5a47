//! One purchase from click to delivery on a folder that outlives the process: the tests kill it at a fail point and start
//! it again. `money-world FOLDER coins|outside|counts`; prints `sound`, the order's state and the payer's balance.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use chassis::{Parts, Settings, Shutdown};
use money::{Contexts, DEFAULTS, World, hurry_after_faults};

const USER: &str = "u1";
const COINS: i64 = 50_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().context("a folder")?);
    let way = arguments.next().unwrap_or_default();
    let data = folder.display().to_string();
    let variables = [("XUANLAN__DATA__DIR".to_owned(), data)];
    let defaults = [DEFAULTS, &[xl_transaction::DEFAULTS]].concat();
    let mut settings = Settings::load_from(&defaults, None, variables)?;
    hurry_after_faults(&mut settings);
    // Fail points are refused on public addresses.
    settings.set("site", "public_address", "http://127.0.0.1:1");
    let shutdown = Shutdown::new();
    let parts = Parts::open(settings, shutdown.clone()).await?;
    let contexts = Contexts {
        order: parts.context(xl_order::NAME).await?,
        payment: parts.context(xl_payment::NAME).await?,
        personal: parts.context(xl_personal::NAME).await?,
    };
    let mall = match way.as_str() {
        "counts" => Some(parts.context(xl_transaction::NAME).await?),
        _ => None,
    };
    // Messages left by a killed process are held until all consumers are ready.
    let hold = parts.bus.hold();
    let world = World::start(parts, contexts).await?;
    if let Some(mall) = &mall {
        xl_transaction::start(mall.clone()).await?;
    }
    drop(hold);
    world.grant(USER, COINS).await;
    let remembered = folder.join("order");
    let order = match std::fs::read_to_string(&remembered) {
        Ok(order) => order,
        Err(_) => {
            let order = match &mall {
                Some(mall) => model(&world, mall).await?,
                None => world.membership(USER, "1").await?.order_id,
            };
            std::fs::write(&remembered, &order)?;
            order
        }
    };
    // Like a user: retries until it is paid.
    for _ in 0..200 {
        if world.status(USER, &order).await.0 == 1 {
            break;
        }
        let _ = match way.as_str() {
            "outside" => pay_outside(&world, &order).await,
            "counts" => world.pay_count(USER, &order).await.is_ok(),
            _ => world.pay_coins(USER, &order, "").await.is_ok(),
        };
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let findings = world.settle().await?;
    ensure!(findings.is_empty(), "{findings:?}");
    let (status, fulfilled) = world.status(USER, &order).await;
    ensure!(status == 1 && fulfilled, "order is {status}");
    println!("sound {}", world.coins(USER).await);
    shutdown.finish(Duration::from_secs(5)).await;
    Ok(())
}

/// A member's order for a model, to be paid with counts.
async fn model(world: &World, mall: &chassis::Context) -> anyhow::Result<String> {
    money::mall::approve(&mall.db, "studio", 1, 0).await?;
    money::mall::offer(&mall.db, "m1", "studio", 1_000).await?;
    let membership = world.membership(USER, "1").await?.order_id;
    world.pay_coins(USER, &membership, "").await?;
    for _ in 0..600 {
        if let Ok(order) = world.model(USER, "m1").await
            && world.status(USER, &membership).await.1
        {
            return Ok(order.order_id);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    anyhow::bail!("neither a membership nor a model")
}

async fn pay_outside(world: &World, order: &str) -> bool {
    let Ok(number) = world.pay_outside(USER, order).await else {
        return false;
    };
    world.bank.pay(&number);
    world
        .payments
        .notified("wechat", &world.bank.message(&number))
        .await
        .is_ok()
}
