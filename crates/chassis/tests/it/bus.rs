use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use chassis::bus::Subscription;
use chassis::db;
use chassis::messaging::{Event, Handler, Outbox};
use chassis::testing::{Shape, TestParts, eventually, every_shape, has_servers};
use proto::auth::v1::AccountRegistered;
use proto::events::Published;
use proto::order::v1::OrderEnded;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryResult, Statement};
use sea_orm_migration::MigratorTrait;
use tokio::sync::{Mutex, Semaphore};

use crate::database::Migrator;

/// Records the events it handled; refuses the first `refuse` deliveries.
struct Recorder {
    refuse: AtomicU32,
    seen: Mutex<Vec<Event>>,
}

#[async_trait::async_trait]
impl Handler for Recorder {
    async fn handle(&self, _: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        if self.refuse.load(Ordering::SeqCst) > 0 {
            self.refuse.fetch_sub(1, Ordering::SeqCst);
            anyhow::bail!("not now");
        }
        self.seen.lock().await.push(event.clone());
        Ok(())
    }
}

fn body(number: i64) -> AccountRegistered {
    AccountRegistered {
        login_id: format!("u{number}"),
        ..Default::default()
    }
}

/// What one process left is not carried past a consumer that the next one has not started yet.
#[tokio::test]
async fn events_wait_while_services_start() {
    let test = TestParts::open(Shape::Embedded, &[], |_| {}).await;
    let sender = test.context("auth").await;
    let receiver = test.context("personal").await;
    Migrator::up(&sender.db, None).await.unwrap();
    Migrator::up(&receiver.db, None).await.unwrap();
    let bus = &test.parts.bus;
    let hold = bus.hold();
    let outbox = Outbox::new(sender.db.clone(), test.parts.clock.clone());
    let transaction = db::begin_write(&sender.db).await.unwrap();
    outbox.add(&transaction, "u1", &body(1)).await.unwrap();
    transaction.commit().await.unwrap();
    outbox.spawn_relays(&sender);
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(outbox.waiting().await.unwrap(), 1);
    let recorder = Arc::new(Recorder {
        refuse: AtomicU32::new(0),
        seen: Mutex::default(),
    });
    bus.subscribe(Subscription::observing(
        "personal",
        Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
        recorder.clone(),
    ));
    drop(hold);
    eventually("it arrives", || async {
        (recorder.seen.lock().await.len() == 1).then_some(())
    })
    .await;
    test.finish().await;
}

/// Handles events of the aggregate "slow" only when it is permitted.
struct Gate {
    open: Semaphore,
    seen: Mutex<Vec<(String, i64)>>,
}

#[async_trait::async_trait]
impl Handler for Gate {
    async fn handle(&self, _: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        if event.aggregate == "slow" {
            self.open.acquire().await?.forget();
        }
        let seen = (event.aggregate.clone(), event.version);
        self.seen.lock().await.push(seen);
        Ok(())
    }
}

/// A slow event holds back the next ones of its aggregate, not all events.
#[tokio::test]
async fn a_slow_event_holds_back_its_own_aggregate_only() {
    if !has_servers() {
        return;
    }
    let test = TestParts::open(Shape::Servers, &[], |_| {}).await;
    let sender = test.context("auth").await;
    let receiver = test.context("personal").await;
    Migrator::up(&sender.db, None).await.unwrap();
    Migrator::up(&receiver.db, None).await.unwrap();
    let gate = Arc::new(Gate {
        open: Semaphore::new(0),
        seen: Mutex::default(),
    });
    test.parts.bus.subscribe(Subscription::observing(
        "personal",
        Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
        gate.clone(),
    ));
    let outbox = Outbox::new(sender.db.clone(), test.parts.clock.clone());
    let transaction = db::begin_write(&sender.db).await.unwrap();
    let slow = [("slow".to_owned(), 1), ("slow".to_owned(), 2)];
    let others = (1..=16).map(|number| (format!("u{number}"), 1));
    for (aggregate, version) in slow.iter().cloned().chain(others) {
        outbox
            .add_streamed(&transaction, &aggregate, version, &OrderEnded::default())
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    outbox.spawn_relays(&sender);
    let seen = || async { gate.seen.lock().await.clone() };
    // Those that share its lane wait with it.
    eventually("others pass", || async {
        (seen().await.len() >= 4).then_some(())
    })
    .await;
    assert!(
        seen()
            .await
            .iter()
            .all(|(aggregate, _)| aggregate != "slow")
    );
    gate.open.add_permits(2);
    eventually("all are handled", || async {
        (seen().await.len() == 18).then_some(())
    })
    .await;
    let mut order = seen().await;
    order.retain(|(aggregate, _)| aggregate == "slow");
    assert_eq!(order, slow);
    test.finish().await;
}

/// Adds one to what it gets; refuses below zero.
struct Adder;

impl proto::commands::Server<chassis::ServiceError> for Adder {
    const SERVICE: &'static str = "adder";

    async fn handle(&self, command: &str, body: &[u8]) -> Result<Vec<u8>, chassis::ServiceError> {
        use prost::Message;
        let request: AccountRegistered = proto::commands::decode(body)?;
        let value = request.registered_at_ms;
        match command {
            "Add" if value >= 0 => {
                let mut reply = request;
                reply.registered_at_ms = value + 1;
                Ok(reply.encode_to_vec())
            }
            "Add" => Err(chassis::BusinessError::invalid("太小").into()),
            other => Err(proto::commands::unknown(other).into()),
        }
    }
}

#[tokio::test]
async fn commands_are_answered_refused_or_away() {
    use chassis::ServiceError;
    use proto::commands::Requester;
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let bus = &test.parts.bus;
        let ask = |value: i64, command: &'static str| async move {
            let mut request = body(1);
            request.registered_at_ms = value;
            bus.request::<AccountRegistered>("adder", command, &request)
                .await
        };
        let nobody = ask(1, "Add").await;
        assert!(
            matches!(nobody, Err(ServiceError::Unavailable(_))),
            "{nobody:?}"
        );
        bus.serve(Adder);
        eventually("the service answers", || async { ask(1, "Add").await.ok() }).await;
        let many = futures::future::join_all((0..200).map(|value| ask(value, "Add"))).await;
        for (value, answer) in many.into_iter().enumerate() {
            assert_eq!(answer.unwrap().registered_at_ms, value as i64 + 1);
        }
        match ask(-1, "Add").await {
            Err(ServiceError::Business(refusal)) => assert_eq!(refusal.message, "太小"),
            other => panic!("{other:?}"),
        }
        assert!(matches!(
            ask(1, "Divide").await,
            Err(ServiceError::Internal(_))
        ));
        test.finish().await;
    }
}

#[tokio::test]
async fn committed_events_arrive_once_and_in_order_rolled_back_ones_never() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        // A refused one is tried again after a while.
        test.parts.clock.run();
        let sender = test.context("auth").await;
        let receiver = test.context("personal").await;
        Migrator::up(&sender.db, None).await.unwrap();
        Migrator::up(&receiver.db, None).await.unwrap();
        let recorder = Arc::new(Recorder {
            refuse: AtomicU32::new(2),
            seen: Mutex::default(),
        });
        test.parts.bus.subscribe(Subscription::observing(
            "personal",
            Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
            recorder.clone(),
        ));
        let outbox = Outbox::new(sender.db.clone(), test.parts.clock.clone());
        outbox.spawn_relays(&sender);
        for number in 0..20 {
            let transaction = db::begin_write(&sender.db).await.unwrap();
            outbox
                .add_streamed(
                    &transaction,
                    &format!("o{number}"),
                    number,
                    &OrderEnded::default(),
                )
                .await
                .unwrap();
            if number % 5 == 4 {
                transaction.rollback().await.unwrap();
            } else {
                transaction.commit().await.unwrap();
            }
            outbox.wake();
        }
        eventually("all events arrive", || async {
            let arrived = recorder.seen.lock().await.len();
            (arrived >= 16 && outbox.waiting().await.unwrap() == 0).then_some(())
        })
        .await;
        let seen = recorder.seen.lock().await;
        let mut versions: Vec<i64> = seen.iter().map(|event| event.version).collect();
        versions.sort_unstable();
        let committed: Vec<i64> = (0..20).filter(|n| n % 5 != 4).collect();
        assert_eq!(versions, committed, "{shape:?}");
        assert!(
            seen.iter()
                .all(|event| event.key == OrderEnded::KEY && !event.id.is_empty())
        );
        drop(seen);
        test.finish().await;
    }
}

/// A mark outlives every delivery of its event, and does not stay for ever.
#[tokio::test]
async fn marks_are_forgotten_after_a_month() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let context = test.context("personal").await;
        Migrator::up(&context.db, None).await.unwrap();
        let day = 24 * 3600 * 1000;
        let now = test.parts.clock.now_ms();
        let marks = format!(
            "INSERT INTO inbox (consumer, message_id, received_at) VALUES ('personal', 'old', {}), ('personal', 'young', {})",
            now - 31 * day,
            now - 29 * day
        );
        context.db.execute_unprepared(&marks).await.unwrap();
        let outbox = Outbox::new(context.db.clone(), test.parts.clock.clone());
        outbox.spawn_relays(&context);
        eventually("the old mark goes", || async {
            let backend = context.db.get_database_backend();
            let all = Statement::from_string(backend, "SELECT message_id FROM inbox");
            let rows = context.db.query_all_raw(all).await.unwrap();
            let name = |row: &QueryResult| row.try_get::<String>("", "message_id").unwrap();
            let left: Vec<_> = rows.iter().map(name).collect();
            assert!(left.contains(&"young".to_owned()), "{shape:?}");
            (left.len() == 1).then_some(())
        })
        .await;
        test.finish().await;
    }
}

#[tokio::test]
async fn the_same_message_twice_is_handled_once() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let receiver = test.context("personal").await;
        Migrator::up(&receiver.db, None).await.unwrap();
        let recorder = Arc::new(Recorder {
            refuse: AtomicU32::new(0),
            seen: Mutex::default(),
        });
        test.parts.bus.subscribe(Subscription::observing(
            "personal",
            Outbox::new(receiver.db.clone(), test.parts.clock.clone()),
            recorder.clone(),
        ));
        let event = Event {
            id: "one".into(),
            key: AccountRegistered::KEY.into(),
            aggregate: "u1".into(),
            version: 1,
            time_ms: 1,
            traceparent: String::new(),
            body: Vec::new(),
        };
        let last = Event {
            id: "last".into(),
            ..event.clone()
        };
        test.parts
            .bus
            .publish(vec![event.clone(), event.clone()])
            .await
            .unwrap();
        test.parts.bus.publish(vec![event, last]).await.unwrap();
        eventually("the last event arrives", || async {
            recorder
                .seen
                .lock()
                .await
                .iter()
                .any(|event| event.id == "last")
                .then_some(())
        })
        .await;
        assert_eq!(recorder.seen.lock().await.len(), 2, "{shape:?}");
        test.finish().await;
    }
}

#[tokio::test]
async fn pushes_reach_every_listener() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let mut first = test.parts.bus.pushes();
        let mut second = test.parts.bus.pushes();
        let bus = test.parts.bus.clone();
        // A listener on a broker may not be bound yet: pushes may be lost, so they are repeated.
        let both = async {
            let a = first.recv().await.unwrap();
            let b = second.recv().await.unwrap();
            assert_eq!((a.user_id.as_str(), a.json.as_str()), ("u1", "{}"));
            assert_eq!(b.user_id, "u1");
        };
        let repeat = async {
            loop {
                bus.push_text("u1", "{}".into());
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        };
        tokio::select! {
            () = both => {}
            () = repeat => {}
            () = tokio::time::sleep(std::time::Duration::from_secs(30)) => panic!("{shape:?}: no push"),
        }
        test.finish().await;
    }
}
