//! One purchase from click to delivery on a folder that outlives the process: killed at a fail point and started again
//! by the tests. `money-world FOLDER coins|outside`; prints `sound`, the order's figure and what the payer is left with.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use chassis::{Parts, Settings, Shutdown};
use money::{Contexts, DEFAULTS, World, hurry};

const USER: &str = "u1";
const COINS: i64 = 50_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().context("a folder")?);
    let outside = arguments.next().as_deref() == Some("outside");
    let data = folder.display().to_string();
    let variables = [("XUANLAN__DATA__DIR".to_owned(), data)];
    let mut settings = Settings::load_from(DEFAULTS, None, variables)?;
    hurry(&mut settings);
    // Fail points are refused where strangers could come.
    settings.set("site", "public_address", "http://127.0.0.1:1");
    let shutdown = Shutdown::new();
    let parts = Parts::open(settings, shutdown.clone()).await?;
    let contexts = Contexts {
        order: parts.context(xl_order::NAME).await?,
        payment: parts.context(xl_payment::NAME).await?,
        personal: parts.context(xl_personal::NAME).await?,
    };
    let world = World::start(parts, contexts).await?;
    world.grant(USER, COINS).await;
    let remembered = folder.join("order");
    let order = match std::fs::read_to_string(&remembered) {
        Ok(order) => order,
        Err(_) => {
            let order = world.membership(USER, "1").await?.order_id;
            std::fs::write(&remembered, &order)?;
            order
        }
    };
    // What a person does: tries again until it is paid.
    for _ in 0..200 {
        if world.status(USER, &order).await.0 == 1 {
            break;
        }
        let _ = match outside {
            true => pay_outside(&world, &order).await,
            false => world.pay_coins(USER, &order, "").await.is_ok(),
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
