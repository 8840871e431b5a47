//! Connections that go silent without breaking, to each server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chassis::bus::Subscription;
use chassis::messaging::{Event, Handler, Outbox};
use chassis::testing::{Proxy, Shape, TestParts, eventually, has_servers};
use chassis::{ServiceError, Settings, db};
use proto::auth::v1::AccountRegistered;
use proto::commands::Requester;
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use sea_orm_migration::MigratorTrait;
use tokio::sync::{Mutex, Semaphore};

use crate::database::Migrator;

fn url(settings: &Settings, section: &str) -> String {
    let section: toml::Table = settings.section(section).unwrap();
    section["url"].as_str().unwrap().to_owned()
}

/// Parts that reach one server through a proxy, with limits short enough for a test.
async fn parts_behind(section: &'static str) -> (TestParts, Proxy) {
    let plain = TestParts::open(Shape::Servers, &[], |_| {}).await;
    let proxy = Proxy::before(&url(&plain.settings, section)).await;
    plain.finish().await;
    let parts = TestParts::open(Shape::Servers, &[], |settings| {
        settings.set(section, "url", proxy.through(&url(settings, section)));
        settings.set("database", "ping_seconds", 1);
        settings.set("database", "statement_seconds", 10);
        settings.set("database", "idle_transaction_seconds", 2);
        settings.set("outbox", "round_seconds", 2);
        settings.set("bus", "answer_seconds", 1);
        settings.set("bus", "heartbeat_seconds", 6);
        settings.set("bus", "reply_wait_ms", 5_000);
        settings.set("cache", "wait_ms", 800);
        settings.set("ops", "wait_ms", 800);
        settings.set("database", "acquire_seconds", 8);
        if section == "database" {
            settings.set("bus", "url", "memory:");
        }
    })
    .await;
    // Leases of what was cut off end by time.
    parts.parts.clock.run();
    (parts, proxy)
}

fn body(login_id: &str) -> AccountRegistered {
    AccountRegistered {
        login_id: login_id.to_owned(),
        ..Default::default()
    }
}

/// Records aggregates, each when it is permitted.
struct Gate {
    open: Semaphore,
    seen: Mutex<Vec<String>>,
}

impl Gate {
    fn new(permits: usize) -> Arc<Self> {
        Arc::new(Self {
            open: Semaphore::new(permits),
            seen: Mutex::default(),
        })
    }
}

#[async_trait::async_trait]
impl Handler for Gate {
    async fn handle(&self, _: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        self.open.acquire().await?.forget();
        self.seen.lock().await.push(event.aggregate.clone());
        Ok(())
    }
}

/// The relay is inside its transaction when its connection goes silent: it carries on with another one, and the server lets
/// go of the rows that the first one had locked.
#[tokio::test]
async fn the_relay_carries_on_when_its_transaction_goes_silent() {
    if !has_servers() {
        return;
    }
    let (test, proxy) = parts_behind("database").await;
    let sender = test.context("auth").await;
    Migrator::up(&sender.db, None).await.unwrap();
    // The consumer's database is sound.
    let sound = TestParts::open(Shape::Embedded, &[], |_| {}).await;
    let receiver = sound.context("personal").await;
    Migrator::up(&receiver.db, None).await.unwrap();
    let gate = Gate::new(0);
    test.parts.bus.subscribe(Subscription::observing(
        "personal",
        Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
        gate.clone(),
    ));
    let outbox = Outbox::new(sender.db.clone(), test.parts.clock.clone());
    outbox.add(&sender.db, "u1", &body("u1")).await.unwrap();
    outbox.spawn_relays(&sender);
    // The relay holds the row and waits for the consumer.
    tokio::time::sleep(Duration::from_millis(800)).await;
    proxy.silence();
    gate.open.add_permits(10);
    eventually("the outbox is empty", || async {
        (outbox.waiting().await.ok() == Some(0)).then_some(())
    })
    .await;
    assert_eq!(*gate.seen.lock().await, ["u1"], "handled once");
    assert!(sender.relay.turns() && sender.relay.carries());
    test.finish().await;
    sound.finish().await;
}

/// Each connection was in use when it went silent, and its user gave up: none keeps its place in the pool.
#[tokio::test]
async fn connections_that_went_silent_leave_the_pool() {
    if !has_servers() {
        return;
    }
    let (test, proxy) = parts_behind("database").await;
    let context = test.context("auth").await;
    let busy = (0..8).map(|_| {
        let db = context.db.clone();
        async move {
            let work = db.execute_unprepared("SELECT pg_sleep(8)");
            assert!(
                tokio::time::timeout(Duration::from_secs(2), work)
                    .await
                    .is_err()
            );
        }
    });
    let silence = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        proxy.silence();
    };
    tokio::join!(futures::future::join_all(busy), silence);
    let began = Instant::now();
    let again = (0..8).map(|_| context.db.execute_unprepared("SELECT pg_sleep(0.2)"));
    for answer in futures::future::join_all(again).await {
        answer.unwrap();
    }
    assert!(
        began.elapsed() < Duration::from_secs(6),
        "{:?}",
        began.elapsed()
    );
    // Those that are idle when it happens are asked before they are used.
    tokio::time::sleep(Duration::from_millis(300)).await;
    proxy.silence();
    let began = Instant::now();
    assert!(db::ping(&context.db).await);
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
    test.finish().await;
}

#[tokio::test]
async fn a_statement_has_a_limit_at_the_server() {
    if !has_servers() {
        return;
    }
    let test = TestParts::open(Shape::Servers, &[], |settings| {
        settings.set("database", "statement_seconds", 1);
    })
    .await;
    let context = test.context("auth").await;
    let error = context.db.execute_unprepared("SELECT pg_sleep(5)").await;
    let error = error.unwrap_err();
    assert!(chassis::error::database_away(&error), "{error}");
    // Migrations may take longer.
    db::migrate::<Migrator>(&context.db).await.unwrap();
    test.finish().await;
}

struct Echo;

impl proto::commands::Server<ServiceError> for Echo {
    const SERVICE: &'static str = "echo";

    async fn handle(&self, _: &str, body: &[u8]) -> Result<Vec<u8>, ServiceError> {
        Ok(body.to_vec())
    }
}

/// Questions pass again on another connection before heartbeats are missed; events too, once the broker has missed those of
/// the consumer that is gone.
#[tokio::test]
async fn a_silent_connection_to_rabbitmq_is_replaced_by_all_that_use_it() {
    if !has_servers() {
        return;
    }
    tracing_subscriber::fmt()
        .with_env_filter("info")
        .with_test_writer()
        .init();
    let (test, proxy) = parts_behind("bus").await;
    let bus: toml::Table = test.settings.section("bus").unwrap();
    let namespace = bus["namespace"].clone();
    // Another process of the same installation, whose connection is sound.
    let other = TestParts::open(Shape::Servers, &[], |settings| {
        settings.set("bus", "namespace", namespace);
    })
    .await;
    other.parts.bus.serve(Echo);
    let receiver = test.context("personal").await;
    Migrator::up(&receiver.db, None).await.unwrap();
    let gate = Gate::new(100);
    test.parts.bus.subscribe(Subscription::observing(
        "personal",
        Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
        gate.clone(),
    ));
    let request = body("u1");
    let ask = || async {
        let asked = test.parts.bus.request("echo", "Echo", &request).await;
        asked.ok() as Option<AccountRegistered>
    };
    eventually("an answer", ask).await;
    publish(&other, "before").await;
    eventually("an event", || async {
        (gate.seen.lock().await.len() == 1).then_some(())
    })
    .await;
    assert!(test.parts.bus.is_connected());

    proxy.silence();
    let began = Instant::now();
    eventually("readiness knows", || async {
        (!test.parts.bus.is_connected()).then_some(())
    })
    .await;
    eventually("an answer on another connection", ask).await;
    assert!(
        began.elapsed() < Duration::from_secs(11),
        "{:?}",
        began.elapsed()
    );
    publish(&other, "after").await;
    eventually("an event on another connection", || async {
        gate.seen
            .lock()
            .await
            .contains(&"after".to_owned())
            .then_some(())
    })
    .await;
    publish(&test, "sent").await;
    eventually("an event of its own", || async {
        gate.seen
            .lock()
            .await
            .contains(&"sent".to_owned())
            .then_some(())
    })
    .await;
    assert!(test.parts.bus.is_connected());
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
    test.finish().await;
    other.finish().await;
}

async fn publish(from: &TestParts, aggregate: &str) {
    let event = Event {
        id: uuid::Uuid::now_v7().to_string(),
        key: <AccountRegistered as proto::events::Published>::KEY.to_owned(),
        aggregate: aggregate.to_owned(),
        version: 1,
        time_ms: 1,
        traceparent: String::new(),
        body: Vec::new(),
    };
    from.parts.bus.publish(vec![event]).await.unwrap();
}

#[tokio::test]
async fn a_silent_connection_to_redis_is_replaced() {
    if !has_servers() {
        return;
    }
    let (test, proxy) = parts_behind("cache").await;
    let cache = &test.parts.cache;
    cache.put("k", b"v", Duration::from_secs(60)).await.unwrap();
    proxy.silence();
    let began = Instant::now();
    let value = eventually("an answer", || async { cache.get("k").await.ok() }).await;
    assert_eq!(value.as_deref(), Some(&b"v"[..]));
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    test.finish().await;
}
