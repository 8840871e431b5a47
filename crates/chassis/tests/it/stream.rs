//! Topics on a real broker, read back by a third-party client.

use std::collections::{BTreeMap, BTreeSet};

use chassis::Context;
use chassis::db;
use chassis::failpoint::Failure;
use chassis::messaging::Outbox;
use chassis::testing::{
    Kafka, OwnServers, Shape, TestParts, eventually, every_shape, has_servers, kafka,
};
use proto::events::Published;
use proto::order::v1::OrderEnded;
use sea_orm::{ConnectionTrait, Statement};
use sea_orm_migration::MigratorTrait;
use serde_json::Value;

use crate::database::Migrator;

const ORDERS: i64 = 8;

/// A service `order` whose events leave for a broker.
struct Test {
    parts: TestParts,
    context: Context,
    outbox: Outbox,
    topic: String,
}

impl Test {
    async fn start(shape: Shape, url: &str) -> Self {
        let parts =
            TestParts::open(shape, &[], |settings| settings.set("stream", "url", url)).await;
        let context = parts.context("order").await;
        Migrator::up(&context.db, None).await.unwrap();
        let outbox = Outbox::new(context.db.clone(), context.clock.clone());
        Self {
            topic: parts.topic("orders"),
            parts,
            context,
            outbox,
        }
    }

    /// Writes events `from..to`, spread over some orders; every fifth is rolled back.
    async fn write(&self, from: i64, to: i64) {
        for number in from..to {
            let order = format!("o{}", number % ORDERS);
            let body = OrderEnded {
                order_id: order.clone(),
                ended_at_ms: number,
                ..Default::default()
            };
            let transaction = db::begin_write(&self.context.db).await.unwrap();
            self.outbox
                .add_streamed(&transaction, &order, number, &body)
                .await
                .unwrap();
            match number % 5 {
                4 => transaction.rollback().await.unwrap(),
                _ => transaction.commit().await.unwrap(),
            }
            self.outbox.wake();
        }
    }

    /// Events that Kafka has not acknowledged.
    async fn waiting(&self) -> usize {
        let question = "SELECT id FROM outbox WHERE streamed_at IS NULL";
        let db = &self.context.db;
        let statement = Statement::from_string(db.get_database_backend(), question);
        db.query_all_raw(statement).await.unwrap().len()
    }

    async fn all_left(&self) {
        eventually("Kafka has everything", || async {
            (self.waiting().await == 0).then_some(())
        })
        .await;
    }

    /// What `write(0, to)` committed is there, nothing else, and per order in its order; answers how many messages there
    /// were, repeated ones counted.
    fn check(&self, kafka: &Kafka, to: i64) -> usize {
        let messages = kafka.read(&self.topic);
        let mut seen = BTreeSet::new();
        let mut last: BTreeMap<String, i64> = BTreeMap::new();
        let mut ids: BTreeMap<i64, String> = BTreeMap::new();
        for message in &messages {
            let number = message["value"]["endedAtMs"].as_i64().unwrap();
            let key = message["key"].as_str().unwrap().to_owned();
            assert_eq!(key, format!("o{}", number % ORDERS));
            let id = text(&message["headers"]["ce_id"]);
            assert_eq!(
                ids.entry(number).or_insert(id.clone()),
                &id,
                "one event, one id"
            );
            if seen.insert(number) {
                let before = last.insert(key, number);
                assert!(before < Some(number), "{number} after {before:?}");
            }
        }
        let committed: BTreeSet<i64> = (0..to).filter(|number| number % 5 != 4).collect();
        assert_eq!(seen, committed);
        messages.len()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn what_was_committed_is_read_back_by_a_strangers_client() {
    let Some(kafka) = kafka() else { return };
    for shape in every_shape() {
        let test = Test::start(shape, &kafka.url).await;
        test.write(0, 20).await;
        test.outbox.spawn_relays(&test.context);
        test.write(20, 60).await;
        test.all_left().await;
        assert_eq!(test.check(&kafka, 60), 48, "{shape:?}: none twice");
        let messages = kafka.read(&test.topic);
        let headers = &messages[0]["headers"];
        for (name, value) in [
            ("ce_specversion", "1.0"),
            ("ce_type", OrderEnded::KEY),
            ("content-type", "application/json"),
        ] {
            assert_eq!(headers[name], value);
        }
        assert_eq!(headers["ce_subject"], messages[0]["key"]);
        let namespace = test.topic.trim_end_matches(".orders");
        assert_eq!(text(&headers["ce_source"]), format!("/{namespace}/order"));
        assert!(messages[0]["timestamp"].as_i64().unwrap() > 1_600_000_000_000);
        test.parts.finish().await;
    }
}

/// One broken event holds up neither its aggregate nor the topic.
#[tokio::test]
async fn an_event_without_json_is_passed_over() {
    let Some(kafka) = kafka() else { return };
    for shape in every_shape() {
        let test = Test::start(shape, &kafka.url).await;
        test.write(0, 20).await;
        let db = &test.context.db;
        let body = match shape {
            Shape::Embedded => "x'ff'",
            Shape::Database | Shape::Servers => "'\\xff'::bytea",
        };
        let broken =
            format!("UPDATE outbox SET body = {body} WHERE aggregate = 'o3' AND version = 3");
        assert_eq!(
            db.execute_unprepared(&broken)
                .await
                .unwrap()
                .rows_affected(),
            1
        );
        test.outbox.spawn_relays(&test.context);
        test.all_left().await;
        let messages = kafka.read(&test.topic);
        let numbers: BTreeSet<i64> = messages
            .iter()
            .map(|message| message["value"]["endedAtMs"].as_i64().unwrap())
            .collect();
        let whole = (0..20).filter(|number| number % 5 != 4 && *number != 3);
        assert_eq!(numbers, whole.collect(), "{shape:?}");
        test.parts.finish().await;
    }
}

/// As if the process had died between the broker's acknowledgement and the mark.
#[tokio::test]
async fn what_was_sent_and_not_marked_is_sent_again() {
    let Some(kafka) = kafka() else { return };
    for shape in every_shape() {
        let test = Test::start(shape, &kafka.url).await;
        test.parts
            .parts
            .fail
            .arm("stream.acknowledged", Failure::Error, 2);
        test.write(0, 40).await;
        test.outbox.spawn_relays(&test.context);
        test.all_left().await;
        assert_eq!(test.check(&kafka, 40), 3 * 32, "{shape:?}");
        test.parts.finish().await;
    }
}

/// Several replicas: one of them leads, and when it ends the next one follows.
#[tokio::test]
async fn one_replica_leads() {
    let Some(kafka) = kafka() else { return };
    if !has_servers() {
        return;
    }
    let test = Test::start(Shape::Servers, &kafka.url).await;
    let mut other = test.context.clone();
    other.parts.shutdown = chassis::Shutdown::new();
    Outbox::new(test.context.db.clone(), test.context.clock.clone()).spawn_relays(&other);
    test.outbox.spawn_relays(&test.context);
    test.write(0, 40).await;
    test.all_left().await;
    other
        .parts
        .shutdown
        .finish(std::time::Duration::from_secs(5))
        .await;
    test.write(40, 60).await;
    test.all_left().await;
    assert_eq!(test.check(&kafka, 60), 48, "none twice");
    test.parts.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_that_is_away_or_dies_loses_nothing() {
    let Some(own) = OwnServers::start() else {
        return;
    };
    let kafka = own.kafka();
    own.kill("kafka");
    let test = Test::start(Shape::Embedded, &kafka.url).await;
    test.parts.parts.clock.run();
    // Away at the start.
    test.outbox.spawn_relays(&test.context);
    test.write(0, 50).await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert_eq!(test.waiting().await, 40);
    own.restart("kafka");
    test.all_left().await;
    // Killed while events are on their way.
    let (killed, _) = tokio::join!(
        tokio::task::spawn_blocking(move || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            own.kill("kafka");
            own.restart("kafka");
            own
        }),
        test.write(50, 450),
    );
    let _own = killed.unwrap();
    test.write(450, 500).await;
    test.all_left().await;
    test.check(&kafka, 500);
    test.parts.finish().await;
}

/// Runs the example's consumer until it has so many new events; answers the lines it printed, and how many it knows in all.
async fn consume(
    kafka: &Kafka,
    topic: &str,
    database: &std::path::Path,
    events: usize,
) -> (usize, i64) {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../deploy/examples/consumer/consumer.py"
    );
    let output = std::process::Command::new(&kafka.python)
        .args([
            example,
            "--brokers",
            kafka.url.trim_start_matches("kafka://"),
        ])
        .args([
            "--topic",
            topic,
            "--group",
            topic,
            "--until-count",
            &events.to_string(),
            "--database",
        ])
        .arg(database)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let lines = output.stdout.iter().filter(|byte| **byte == b'\n').count();
    let kept = sea_orm::Database::connect(format!("sqlite://{}", database.display()))
        .await
        .unwrap();
    let question = "SELECT count(*) AS known FROM handled";
    let statement = Statement::from_string(kept.get_database_backend(), question);
    let row = kept.query_one_raw(statement).await.unwrap().unwrap();
    (lines, row.try_get("", "known").unwrap())
}

#[tokio::test]
async fn the_examples_consumer_goes_on_where_it_stopped() {
    let Some(kafka) = kafka() else { return };
    let test = Test::start(Shape::Embedded, &kafka.url).await;
    test.outbox.spawn_relays(&test.context);
    let database = test.parts.folder.path().join("orders.db");
    test.write(0, 20).await;
    test.all_left().await;
    let took = consume(&kafka, &test.topic, &database, 16).await;
    assert_eq!(took, (16, 16));
    // Had it forgotten what it knows, it would print the first ones again.
    test.write(20, 30).await;
    test.all_left().await;
    let took = consume(&kafka, &test.topic, &database, 8).await;
    assert_eq!(took, (8, 24));
    test.parts.finish().await;
}
