//! What a consumer whose database takes nothing costs the others within one process: nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use chassis::bus::Subscription;
use chassis::messaging::{Event, Handler, Outbox};
use chassis::testing::{HeldTable, Shape, TestParts, eventually, has_servers};
use chassis::{Context, Settings, db};
use prost::Message;
use proto::auth::v1::AccountClosed;
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, Statement};
use sea_orm_migration::MigratorTrait;
use tokio::sync::Mutex;

use crate::database::Migrator;

/// Remembers the numbers of each aggregate's events.
#[derive(Default)]
struct Recorder(Mutex<BTreeMap<String, Vec<usize>>>);

#[async_trait::async_trait]
impl Handler for Recorder {
    async fn handle(&self, _: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        let number = AccountClosed::decode(event.body.as_slice())?.closure_id;
        let mut seen = self.0.lock().await;
        let of = seen.entry(event.aggregate.clone()).or_default();
        of.push(number.parse()?);
        Ok(())
    }
}

impl Recorder {
    async fn has(&self, count: usize) -> bool {
        self.0.lock().await.values().map(Vec::len).sum::<usize>() == count
    }

    async fn has_all(&self, what: &str, count: usize) {
        eventually(what, || async { self.has(count).await.then_some(()) }).await;
    }
}

/// A publisher and two of its consumers; that of the first may be at fault.
struct Stage {
    test: TestParts,
    sender: Context,
    outbox: Outbox,
    faulty: DatabaseConnection,
    first: Arc<Recorder>,
    second: Arc<Recorder>,
    added: usize,
}

impl Stage {
    async fn open(test: TestParts) -> Self {
        let sender = test.context("auth").await;
        let outbox = Outbox::new(sender.db.clone(), test.parts.clock.clone());
        Migrator::up(&sender.db, None).await.unwrap();
        let mut consumers = Vec::new();
        for name in ["personal", "process"] {
            let receiver = test.context(name).await.db;
            Migrator::up(&receiver, None).await.unwrap();
            let recorder = Arc::new(Recorder::default());
            test.parts.bus.subscribe(Subscription::observing(
                name,
                Outbox::new(receiver.clone(), test.parts.clock.clone()),
                recorder.clone(),
            ));
            consumers.push((receiver, recorder));
        }
        let (_, second) = consumers.pop().unwrap();
        let (faulty, first) = consumers.pop().unwrap();
        Self {
            test,
            sender,
            outbox,
            faulty,
            first,
            second,
            added: 0,
        }
    }

    /// Adds events of ten aggregates in turn.
    async fn add(&mut self, count: usize) {
        let transaction = db::begin_write(&self.sender.db).await.unwrap();
        for number in self.added..self.added + count {
            let event = AccountClosed {
                closure_id: number.to_string(),
                ..Default::default()
            };
            let aggregate = format!("u{}", number % 10);
            let added = self.outbox.add(&transaction, &aggregate, &event).await;
            added.unwrap();
        }
        transaction.commit().await.unwrap();
        self.outbox.wake();
        self.added += count;
    }

    async fn rename(&self, from: &str, to: &str) {
        for table in ["inbox", "undelivered"] {
            let sql = format!("ALTER TABLE {table}{from} RENAME TO {table}{to}");
            self.faulty.execute_unprepared(&sql).await.unwrap();
        }
    }

    /// Takes the tables away in which the first consumer would note or keep an event.
    async fn break_first(&self) {
        self.rename("", "_away").await;
    }

    async fn mend_first(&self) {
        self.rename("_away", "").await;
    }

    /// Events in the publisher's database that the first consumer has still to get.
    async fn held(&self) -> i64 {
        self.held_in(&self.sender.db).await
    }

    async fn held_in(&self, db: &DatabaseConnection) -> i64 {
        let sql = "SELECT COUNT(*) FROM undelivered WHERE consumer = 'for personal'";
        let query = Statement::from_string(db.get_database_backend(), sql);
        let row = db.query_one_raw(query).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }

    /// Every consumer has handled every event once, those of an aggregate in order.
    async fn all_are_handled(&self) {
        for recorder in [&self.first, &self.second] {
            recorder.has_all("every event", self.added).await;
            for (aggregate, numbers) in recorder.0.lock().await.iter() {
                let in_order = numbers.windows(2).all(|pair| pair[0] < pair[1]);
                assert!(in_order, "{aggregate}: {numbers:?}");
            }
        }
        eventually("nothing is held", || async {
            (self.held().await == 0).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_consumer_whose_database_takes_nothing_holds_up_nobody() {
    let mut shapes = vec![Shape::Embedded];
    shapes.extend(has_servers().then_some(Shape::Database));
    for shape in shapes {
        let mut stage = Stage::open(TestParts::open(shape, &[], |_| {}).await).await;
        stage.outbox.spawn_relays(&stage.sender);
        stage.add(5).await;
        stage.all_are_handled().await;

        stage.break_first().await;
        // More than a relay takes at a time.
        stage.add(150).await;
        stage
            .second
            .has_all("the other consumer goes on", 155)
            .await;
        eventually("nothing stays in the outbox", || async {
            (stage.outbox.waiting().await.unwrap() == 0).then_some(())
        })
        .await;
        assert!(stage.first.has(5).await && stage.held().await == 150);
        assert!(stage.sender.relay.carries() && stage.sender.relay.turns());

        stage.mend_first().await;
        // They come after what is held.
        stage.add(20).await;
        stage.all_are_handled().await;
        // Past the lane's end, without a detour.
        stage.add(20).await;
        stage.all_are_handled().await;
        stage.test.finish().await;
    }
}

/// To wait for a lock takes longer than a batch may.
#[tokio::test]
async fn a_consumer_whose_file_is_locked_holds_up_nobody() {
    let mut stage = Stage::open(TestParts::open(Shape::Embedded, &[], |_| {}).await).await;
    let lock = db::begin_write(&stage.faulty).await.unwrap();
    stage.outbox.spawn_relays(&stage.sender);
    stage.add(30).await;
    stage.second.has_all("the other consumer goes on", 30).await;
    assert!(stage.first.has(0).await);
    lock.rollback().await.unwrap();
    stage.all_are_handled().await;
    stage.test.finish().await;
}

#[tokio::test]
async fn what_is_held_is_carried_by_the_next_process() {
    let mut before = Stage::open(TestParts::open(Shape::Embedded, &[], |_| {}).await).await;
    before.break_first().await;
    before.outbox.spawn_relays(&before.sender);
    before.add(30).await;
    eventually("it is held", || async {
        (before.held().await == 30).then_some(())
    })
    .await;
    before
        .second
        .has_all("the other consumer goes on", 30)
        .await;
    before.test.finish().await;
    before.mend_first().await;
    assert!(before.first.has(0).await);

    let folder = before.test.folder.path().display().to_string();
    let again = TestParts::open(Shape::Embedded, &[], |settings| {
        settings.set("database", "url", format!("sqlite:{folder}/{{service}}.db"));
    })
    .await;
    let mut after = Stage::open(again).await;
    *after.second.0.lock().await = before.second.0.lock().await.clone();
    after.added = before.added;
    after.outbox.spawn_relays(&after.sender);
    after.add(10).await;
    after.all_are_handled().await;
    after.test.finish().await;
}

/// Whoever delivers what is held has the turn of its lane: nobody else would deliver it.
#[tokio::test]
async fn a_lane_goes_on_after_its_connection_went_silent() {
    let limit = |settings: &mut Settings| settings.set("outbox", "round_seconds", 3);
    let Some((test, proxy)) = TestParts::behind_proxy(&[], limit).await else {
        return;
    };
    let mut stage = Stage::open(test).await;
    stage.break_first().await;
    stage.outbox.spawn_relays(&stage.sender);
    stage.add(30).await;
    let past = stage.test.database("auth").await;
    eventually("it is held", || async {
        (stage.held_in(&past).await == 30).then_some(())
    })
    .await;
    let held = HeldTable::hold_writes(&past, "undelivered").await;
    stage.mend_first().await;
    held.silence(&proxy, "DELETE").await;
    stage.first.has_all("every event", 30).await;
    eventually("nothing is held", || async {
        (stage.held_in(&past).await == 0).then_some(())
    })
    .await;
    stage.test.finish().await;
}
