//! The load generator of `scripts/bench-money`: users who order a membership, pay for it with cloud coins and poll
//! until it is paid.
//!
//! `pay BASE PASSWORD PHONE…` signs in with every phone number and lets each user buy, one order after the other.
//! Loopback only, bounded in time. Prints one JSON object: orders paid per second, and the time from the click on "pay"
//! until the order is paid.

use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Parser;
use futures::future::try_join_all;
use gateway::client::SignedClient;
use serde_json::Value;

const SIGN_IN: &str = "/api-auth/oauth/user/token";
const ORDER: &str = "/api-personal/laozi/v3/myMember/createMemberOrder";
const PAY: &str = "/api-payment/laozi/V3/cloudCoin/cloudCoinPay";
const LOOK: &str = "/api-order/laozi/V3/orderCenter/findByOrderId";

/// A payment that takes longer counts as failed.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Parser)]
struct Arguments {
    base: String,
    password: String,
    phones: Vec<String>,
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Pause of each payer after an order, in milliseconds.
    #[arg(long, default_value_t = 0)]
    rest: u64,
    /// Polling interval of an order, in milliseconds.
    #[arg(long, default_value_t = 3)]
    look: u64,
    /// Poll until the membership is delivered, not only until the order is paid.
    #[arg(long)]
    delivered: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let local = arguments.base.starts_with("http://127.0.0.1");
    ensure!(
        local && !arguments.phones.is_empty(),
        "loopback only, with payers"
    );
    let anonymous = SignedClient::connect(&arguments.base).await?;
    let mut payers = Vec::new();
    for phone in &arguments.phones {
        payers.push(sign_in(&anonymous, phone, &arguments.password).await?);
    }
    let began = Instant::now();
    let end = began + Duration::from_secs(arguments.seconds);
    let times = try_join_all(payers.iter().map(|payer| buy_until(payer, end, &arguments))).await?;
    let seconds = began.elapsed().as_secs_f64();
    let mut times: Vec<f64> = times.concat();
    times.sort_unstable_by(f64::total_cmp);
    ensure!(!times.is_empty(), "nothing was paid");
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    let report = serde_json::json!({
        "orders": times.len(),
        "perSecond": times.len() as f64 / seconds,
        "p50Ms": at(0.5),
        "p99Ms": at(0.99),
    });
    println!("{report}");
    Ok(())
}

async fn ask(payer: &SignedClient, path: &str, form: &[(&str, &str)]) -> anyhow::Result<Value> {
    let answer = payer.call(path, form).await?;
    ensure!(answer.resp_code == 60000, "{path}: {}", answer.resp_msg);
    Ok(answer.datas)
}

async fn sign_in(
    anonymous: &SignedClient,
    phone: &str,
    password: &str,
) -> anyhow::Result<SignedClient> {
    let form = [("username", phone), ("password", password)];
    let session = ask(anonymous, SIGN_IN, &form).await?;
    let session: Value = serde_json::from_str(session.as_str().unwrap_or_default())?;
    let text = |name: &str| session[name].as_str().unwrap_or_default().to_owned();
    Ok(anonymous.signed_in(&text("access_token"), &text("loginId")))
}

/// Buys until the time is up; returns the duration of each payment in milliseconds.
async fn buy_until(
    payer: &SignedClient,
    end: Instant,
    arguments: &Arguments,
) -> anyhow::Result<Vec<f64>> {
    let mut times = Vec::new();
    let user = payer.user_id.as_str();
    while Instant::now() < end {
        let form = [("userId", user), ("memberGradeId", "1"), ("isMonthly", "0")];
        let order = ask(payer, ORDER, &form).await?;
        let order = order["orderId"].as_str().unwrap_or_default().to_owned();
        let form = [("userId", user), ("orderId", order.as_str())];
        let click = Instant::now();
        ask(payer, PAY, &form).await?;
        loop {
            let seen = ask(payer, LOOK, &form).await?;
            if seen["status"] == 1 && (!arguments.delivered || seen["fulfilled"] == true) {
                break;
            }
            ensure!(
                click.elapsed() < PATIENCE,
                "order {order} does not become paid"
            );
            tokio::time::sleep(Duration::from_millis(arguments.look)).await;
        }
        times.push(click.elapsed().as_secs_f64() * 1000.0);
        tokio::time::sleep(Duration::from_millis(arguments.rest)).await;
    }
    Ok(times)
}
