//! 7 and 14 with failing servers: each server is killed and restarted in the middle of payments.

use std::collections::BTreeSet;
use std::time::Duration;

use chassis::testing::OwnServers;
use futures::StreamExt;
use proto::events::Published;
use proto::order::v1::{OrderPaid, OrderRequest};
use proto::payment::v1::AttemptSucceeded;
use sea_orm::{ConnectionTrait, Statement};
use tokio::time::{Instant, sleep};

use crate::support::Test;

const PAYMENTS: usize = 200;
/// Users who pay at the same time.
const USERS: usize = 8;
const PRICE: i64 = 29_900;
/// Seconds after which a payment has failed for good.
const PATIENCE: Duration = Duration::from_secs(120);

/// Like a user: orders, pays, polls, and retries whatever happens in between.
async fn buy(test: &Test, user: &str) -> String {
    let deadline = Instant::now() + PATIENCE;
    let mut order = None;
    while Instant::now() < deadline {
        match &order {
            None => {
                order = test
                    .membership(user, "1")
                    .await
                    .ok()
                    .map(|made| made.order_id)
            }
            Some(order) => {
                if is_paid(test, user, order).await {
                    return order.clone();
                }
                let _ = test.pay_coins(user, order, "").await;
            }
        }
        sleep(Duration::from_millis(30)).await;
    }
    panic!("{user}: {order:?} was not paid in time");
}

async fn is_paid(test: &Test, user: &str, order: &str) -> bool {
    let request = OrderRequest {
        order_id: order.to_owned(),
        ..Default::default()
    };
    let request = test.order_call(user, request);
    let answer = test.orders().find_by_order_id(request).await;
    answer.is_ok_and(|answer| answer.into_inner().status == 1)
}

/// Kills and restarts each server while payments go on.
fn shake(own: OwnServers) -> OwnServers {
    for name in ["redis", "kafka", "rabbit", "postgres"] {
        std::thread::sleep(Duration::from_millis(500));
        own.kill(name);
        std::thread::sleep(Duration::from_millis(500));
        own.restart(name);
    }
    own
}

/// Ids of one column over the whole table.
async fn ids(test: &Test, sql: &str) -> BTreeSet<String> {
    let db = &test.contexts.order.db;
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let rows = db.query_all_raw(statement).await.unwrap();
    rows.iter()
        .map(|row| row.try_get("", "id").unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_server_dies_once_and_every_cent_is_where_it_belongs() {
    let Some(own) = OwnServers::start() else {
        return;
    };
    let kafka = own.kafka();
    let test = Test::start_on(&own).await;
    // Work interrupted by a killed server is resumed when its lease has expired.
    test.parts.clock.reset();
    let share = (PAYMENTS / USERS) as i64;
    for user in 0..USERS {
        test.grant(&format!("u{user}"), PRICE * share).await;
    }
    let shaken = tokio::task::spawn_blocking(move || shake(own));
    let bought: BTreeSet<String> = futures::stream::iter(0..USERS)
        .map(|user| {
            let test = &test;
            async move {
                let user = format!("u{user}");
                let mut bought = Vec::new();
                for _ in 0..share {
                    bought.push(buy(test, &user).await);
                }
                bought
            }
        })
        .buffer_unordered(USERS)
        .concat()
        .await
        .into_iter()
        .collect();
    let own = shaken.await.unwrap();
    assert_eq!(bought.len(), PAYMENTS);
    let found = test.audit(&["--wait", "90", "--streamed"]).await.unwrap();
    assert_eq!(found, [""; 0]);
    // An order whose response was lost was created again, and stays unpaid until its window ends.
    let delivered = ids(&test, "SELECT id FROM purchase WHERE state = 'fulfilled'").await;
    assert_eq!(delivered, bought);
    let reply = |topic: &str, kind: &str| -> BTreeSet<String> {
        let messages = kafka.read(&test.topic(topic));
        let of_kind = messages.iter().filter(|m| m["headers"]["ce_type"] == kind);
        of_kind
            .map(|m| m["key"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(reply("orders", OrderPaid::KEY), bought);
    assert_eq!(reply("payments", AttemptSucceeded::KEY), bought);
    for user in 0..USERS {
        assert_eq!(test.coins(&format!("u{user}")).await, 0);
    }
    drop(own);
}
