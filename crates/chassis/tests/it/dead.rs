//! Dead letters within one process and on a real broker, and the queues of commands.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chassis::bus::Subscription;
use chassis::dead_letters::{Backlog, DeadLetter, DeadLetters, Unhandled, Verdict};
use chassis::messaging::{Event, Handler, Outbox};
use chassis::testing::{Shape, TestParts, eventually, every_shape, has_servers};
use lapin::options::{BasicGetOptions, BasicNackOptions, QueueDeclareOptions};
use lapin::types::FieldTable;
use lapin::{Channel, Connection, ConnectionProperties};
use proto::auth::v1::AccountRegistered;
use proto::commands::Requester;
use proto::events::Published;
use proto::order::v1::OrderEnded;
use sea_orm::DatabaseTransaction;
use sea_orm_migration::MigratorTrait;
use tokio::sync::Mutex;

use crate::database::Migrator;

/// Remembers ids and keys.
#[derive(Default)]
struct Recorder(Mutex<Vec<(String, String)>>);

#[async_trait::async_trait]
impl Handler for Recorder {
    async fn handle(&self, _: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        let mut seen = self.0.lock().await;
        seen.push((event.id.clone(), event.key.clone()));
        Ok(())
    }
}

/// A client of the broker that is not the bus.
async fn stranger(test: &TestParts) -> Channel {
    let bus: toml::Table = test.settings.section("bus").unwrap();
    let url = bus["url"].as_str().unwrap();
    let connection = Connection::connect(url, ConnectionProperties::default())
        .await
        .unwrap();
    connection.create_channel().await.unwrap()
}

fn backlog(waiting: u64, dead: u64) -> Backlog {
    Backlog {
        consumer: "personal",
        counts: Some(Unhandled { waiting, dead }),
    }
}

fn event(id: &str) -> Event {
    Event {
        id: id.to_owned(),
        key: AccountRegistered::KEY.to_owned(),
        aggregate: "u1".to_owned(),
        version: 7,
        time_ms: 1_700_000_000_000,
        traceparent: "00-t".to_owned(),
        body: b"body".to_vec(),
    }
}

#[tokio::test]
async fn dead_letters_are_seen_replayed_and_dropped() {
    if !has_servers() {
        return;
    }
    let test = TestParts::open(Shape::Servers, &[], |_| {}).await;
    let bus = &test.parts.bus;
    let events = ["a", "b", "c"].map(event).to_vec();
    bus.publish(events).await.unwrap();
    let letters = DeadLetters::open(&test.context("auth").await).unwrap();
    let queue = test.topic("personal");
    for name in [
        "personal",
        queue.as_str(),
        test.topic("personal.dead").as_str(),
    ] {
        assert_eq!(letters.consumer(name), Some("personal"));
    }
    assert_eq!(letters.consumer("nobody"), None);
    // As after the last delivery.
    let channel = stranger(&test).await;
    for _ in 0..3 {
        let got = channel
            .basic_get(queue.as_str().into(), BasicGetOptions::default())
            .await
            .unwrap()
            .unwrap();
        let give_up = BasicNackOptions::default();
        got.delivery.nack(give_up).await.unwrap();
    }
    let count = || async {
        let all = letters.backlogs().await.unwrap();
        all.into_iter()
            .find(|of| of.consumer == "personal")
            .unwrap()
    };
    eventually("the broker moves them", || async {
        (count().await == backlog(0, 3)).then_some(())
    })
    .await;

    // Looking changes nothing, however often.
    for _ in 0..3 {
        let mut seen = Vec::new();
        let look = |letter: &DeadLetter| {
            seen.push(letter.clone());
            Verdict::Keep
        };
        assert_eq!(letters.go_through("personal", 100, look).await.unwrap(), 3);
        let ids: Vec<&str> = seen.iter().map(|letter| letter.id.as_str()).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        let first = &seen[0];
        assert_eq!(first.key, AccountRegistered::KEY);
        assert_eq!((first.aggregate.as_str(), first.version), ("u1", 7));
        assert_eq!((first.time_ms, first.bytes), (1_700_000_000_000, 4));
        assert!(first.died_at_ms > first.time_ms);
    }

    let drop_b = |letter: &DeadLetter| match letter.id.as_str() {
        "b" => Verdict::Drop,
        _ => Verdict::Replay,
    };
    let receiver = test.context("personal").await;
    Migrator::up(&receiver.db, None).await.unwrap();
    let recorder = Arc::new(Recorder::default());
    bus.subscribe(Subscription::observing(
        "personal",
        Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
        recorder.clone(),
    ));
    letters.go_through("personal", 100, drop_b).await.unwrap();
    eventually("the others are handled", || async {
        (recorder.0.lock().await.len() == 2).then_some(())
    })
    .await;
    let mut seen = recorder.0.lock().await.clone();
    seen.sort();
    let key = AccountRegistered::KEY;
    assert_eq!(
        seen,
        [
            ("a".to_owned(), key.to_owned()),
            ("c".to_owned(), key.to_owned())
        ]
    );
    assert_eq!(count().await, backlog(0, 0));
    test.finish().await;
}

/// Refuses the events of one version until it is mended.
struct Broken {
    refused: AtomicI64,
    seen: Mutex<Vec<(String, i64)>>,
}

#[async_trait::async_trait]
impl Handler for Broken {
    async fn handle(&self, _: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        anyhow::ensure!(
            event.version != self.refused.load(Ordering::SeqCst),
            "a bug in the consumer"
        );
        let seen = (event.aggregate.clone(), event.version);
        self.seen.lock().await.push(seen);
        Ok(())
    }
}

/// Within one process too an event that its consumer cannot take keeps back nothing but its own aggregate, for some tries,
/// and then it is a dead letter, which another process can look at and give back.
#[tokio::test]
async fn within_one_process_an_event_that_is_refused_is_set_aside() {
    let test = TestParts::open(Shape::Embedded, &[], |_| {}).await;
    let sender = test.context("auth").await;
    let receiver = test.context("personal").await;
    for db in [&sender.db, &receiver.db] {
        Migrator::up(db, None).await.unwrap();
    }
    let broken = Arc::new(Broken {
        refused: AtomicI64::new(7),
        seen: Mutex::default(),
    });
    test.parts.bus.subscribe(Subscription::observing(
        "personal",
        Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
        broken.clone(),
    ));
    let outbox = Outbox::new(sender.db.clone(), test.parts.clock.clone());
    let add = async |aggregate: &str, version: i64| {
        let body = OrderEnded::default();
        let added = outbox.add_streamed(&sender.db, aggregate, version, &body);
        added.await.unwrap();
        outbox.wake();
    };
    outbox.spawn_relays(&sender);
    add("bad", 7).await;
    add("bad", 8).await;
    for number in 0..150 {
        add(&format!("u{number}"), 1).await;
    }
    eventually("the others pass", || async {
        let empty = outbox.waiting().await.unwrap() == 0;
        (empty && broken.seen.lock().await.len() == 150).then_some(())
    })
    .await;
    let of_bad = || async {
        let seen = broken.seen.lock().await;
        let bad = seen.iter().filter(|(aggregate, _)| aggregate == "bad");
        bad.map(|(_, version)| *version).collect::<Vec<_>>()
    };
    assert_eq!(of_bad().await, Vec::<i64>::new(), "its next event waits");

    // As a command of an operator sees it.
    let letters = DeadLetters::open(&sender).unwrap();
    let count = || async {
        let all = letters.backlogs().await.unwrap();
        all.into_iter()
            .find(|of| of.consumer == "personal")
            .unwrap()
    };
    assert_eq!(
        count().await,
        backlog(2, 0),
        "the one refused, and the one behind it"
    );
    let tried = eventually("it is reported", || async {
        let report = test.parts.report().await;
        report
            .retrying
            .into_iter()
            .find(|one| one.consumer == "personal")
    })
    .await;
    assert!(tried.error.contains("a bug in the consumer"), "{tried:?}");
    assert!(
        tried.tries >= 1 && tried.key == OrderEnded::KEY,
        "{tried:?}"
    );
    eventually("it is given up", || async {
        test.parts.clock.advance_ms(10_000);
        (count().await.counts.unwrap().dead == 1).then_some(())
    })
    .await;
    eventually("its next event passes", || async {
        (of_bad().await == [8]).then_some(())
    })
    .await;
    let retrying = test.parts.report().await.retrying;
    assert!(
        retrying.iter().all(|one| one.id != tried.id),
        "{retrying:?}"
    );
    let mut found = Vec::new();
    let look = |letter: &DeadLetter| {
        found.push(letter.clone());
        Verdict::Keep
    };
    assert_eq!(letters.go_through("personal", 10, look).await.unwrap(), 1);
    assert_eq!((found[0].aggregate.as_str(), found[0].version), ("bad", 7));
    assert!(found[0].reason.contains("a bug in the consumer"));
    assert!(found[0].died_at_ms > found[0].time_ms);

    broken.refused.store(9, Ordering::SeqCst);
    let replay = |_: &DeadLetter| Verdict::Replay;
    letters.go_through("personal", 10, replay).await.unwrap();
    eventually("it is handled", || async {
        (of_bad().await == [8, 7]).then_some(())
    })
    .await;
    assert_eq!(count().await, backlog(0, 0));

    add("bad", 9).await;
    eventually("another one is given up", || async {
        test.parts.clock.advance_ms(10_000);
        (count().await.counts.unwrap().dead == 1).then_some(())
    })
    .await;
    let drop_it = |_: &DeadLetter| Verdict::Drop;
    letters.go_through("personal", 10, drop_it).await.unwrap();
    assert_eq!(count().await, backlog(0, 0));
    test.finish().await;
}

/// Panics at the events of one aggregate, and at the first others.
struct Panicking {
    first: AtomicI64,
    seen: Mutex<Vec<String>>,
}

#[async_trait::async_trait]
impl Handler for Panicking {
    async fn handle(&self, _: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        let is_first = self.first.fetch_sub(1, Ordering::SeqCst) > 0;
        assert!(!is_first && event.aggregate != "bad", "a bug in a handler");
        self.seen.lock().await.push(event.aggregate.clone());
        Ok(())
    }
}

/// A panic is an error of the handler: it counts as a try, and what comes after it is handled.
#[tokio::test]
async fn a_handler_that_panics_ends_nothing() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        // What has failed is tried again after a while.
        test.parts.clock.run();
        let sender = test.context("auth").await;
        let receiver = test.context("personal").await;
        for db in [&sender.db, &receiver.db] {
            Migrator::up(db, None).await.unwrap();
        }
        let panicking = Arc::new(Panicking {
            first: AtomicI64::new(2),
            seen: Mutex::default(),
        });
        test.parts.bus.subscribe(Subscription::observing(
            "personal",
            Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
            panicking.clone(),
        ));
        let outbox = Outbox::new(sender.db.clone(), test.parts.clock.clone());
        outbox.spawn_relays(&sender);
        let names: Vec<String> = (0..20).map(|number| format!("u{number}")).collect();
        for aggregate in std::iter::once("bad").chain(names.iter().map(String::as_str)) {
            let body = OrderEnded::default();
            let added = outbox.add_streamed(&sender.db, aggregate, 1, &body);
            added.await.unwrap();
            outbox.wake();
        }
        eventually("all others are handled", || async {
            let mut seen = panicking.seen.lock().await.clone();
            seen.sort();
            let mut all = names.clone();
            all.sort();
            (seen == all).then_some(())
        })
        .await;
        // On a broker it would take minutes.
        if shape != Shape::Servers {
            let letters = DeadLetters::open(&receiver).unwrap();
            let found = eventually("it is given up", || async {
                test.parts.clock.advance_ms(10_000);
                let mut reason = None;
                let look = |letter: &DeadLetter| {
                    reason = Some(letter.reason.clone());
                    Verdict::Keep
                };
                letters.go_through("personal", 1, look).await.unwrap();
                reason
            })
            .await;
            assert_eq!(found, "handler panicked: a bug in a handler");
        }
        test.finish().await;
    }
}

struct Echo;

impl proto::commands::Server<chassis::ServiceError> for Echo {
    const SERVICE: &'static str = "echo";

    async fn handle(&self, _: &str, body: &[u8]) -> Result<Vec<u8>, chassis::ServiceError> {
        Ok(body.to_vec())
    }
}

/// RabbitMQ 4 refuses queues that are neither durable nor exclusive. One that an older version has made is used as it is.
#[tokio::test]
async fn requests_wait_in_durable_queues_and_in_those_of_older_versions() {
    if !has_servers() {
        return;
    }
    for left_by_older in [false, true] {
        let test = TestParts::open(Shape::Servers, &[], |_| {}).await;
        let queue = test.topic("commands.echo");
        let declare = async |durable: bool| {
            let options = QueueDeclareOptions {
                durable,
                auto_delete: true,
                ..Default::default()
            };
            let mut arguments = FieldTable::default();
            if durable {
                let expires = lapin::types::AMQPValue::LongInt(60_000);
                arguments.insert("x-expires".into(), expires);
            }
            let channel = stranger(&test).await;
            let declared = channel.queue_declare(queue.as_str().into(), options, arguments);
            declared.await.map(|_| ())
        };
        if left_by_older {
            declare(false).await.unwrap();
        }
        test.parts.bus.serve(Echo);
        let request = AccountRegistered {
            login_id: "u1".to_owned(),
            ..Default::default()
        };
        let answer = eventually("an answer", || async {
            let asked = test.parts.bus.request("echo", "Echo", &request);
            asked.await.ok() as Option<AccountRegistered>
        })
        .await;
        assert_eq!(answer, request);
        // The broker compares a declaration with the queue it has.
        assert_eq!(declare(true).await.is_ok(), !left_by_older);
        assert_eq!(declare(false).await.is_ok(), left_by_older);
        test.finish().await;
    }
}
