//! A replica that takes commands from RabbitMQ and answers none: what it keeps from the other one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chassis::ServiceError;
use chassis::testing::{Shape, TestParts, eventually, has_servers};
use proto::commands::{Requester, Server};
use proto::order::v1::{CountsReply, CountsRequest};
use tokio::sync::Semaphore;

/// Most commands that a replica may hold.
const HELD: usize = 16;

/// Answers as often as it is permitted.
#[derive(Clone)]
struct Replica {
    permits: Arc<Semaphore>,
    taken: Arc<AtomicUsize>,
}

impl Replica {
    fn new(permits: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits)),
            taken: Arc::default(),
        }
    }

    fn taken(&self) -> usize {
        self.taken.load(Ordering::SeqCst)
    }
}

impl Server<ServiceError> for Replica {
    const SERVICE: &'static str = "order";

    async fn handle(&self, _: &str, _: &[u8]) -> Result<Vec<u8>, ServiceError> {
        self.taken.fetch_add(1, Ordering::SeqCst);
        let permit = self.permits.acquire().await;
        permit.map_err(anyhow::Error::from)?.forget();
        Ok(Vec::new())
    }
}

/// Two processes of one installation, each with a replica: the first answers nothing. The second one asks.
struct Pair {
    frozen: Replica,
    sound: Replica,
    first: TestParts,
    second: TestParts,
}

impl Pair {
    async fn start(change: impl Fn(&mut chassis::Settings)) -> Option<Self> {
        if !has_servers() {
            return None;
        }
        let first = TestParts::open(Shape::Servers, &[], &change).await;
        let bus: toml::Table = first.settings.section("bus").unwrap();
        let second = TestParts::open(Shape::Servers, &[], |settings| {
            settings.set("bus", "namespace", bus["namespace"].clone());
            change(settings);
        })
        .await;
        let pair = Self {
            frozen: Replica::new(0),
            sound: Replica::new(Semaphore::MAX_PERMITS),
            first,
            second,
        };
        pair.first.parts.bus.serve(pair.frozen.clone());
        pair.second.parts.bus.serve(pair.sound.clone());
        eventually("both replicas take commands", || async {
            let bus = pair.second.parts.bus.clone();
            tokio::spawn(async move {
                let request = CountsRequest::default();
                let asked = bus.request::<CountsReply>("order", "Begin", &request);
                // The frozen one's are never answered.
                let _ = asked.await;
            });
            (pair.frozen.taken() > 0 && pair.sound.taken() > 0).then_some(())
        })
        .await;
        Some(pair)
    }

    async fn ask(&self, command: &str) -> Result<CountsReply, ServiceError> {
        let request = CountsRequest::default();
        let bus = &self.second.parts.bus;
        bus.request("order", command, &request).await
    }

    async fn finish(self) {
        self.frozen.permits.add_permits(1_000);
        self.first.finish().await;
        self.second.finish().await;
    }
}

/// What changes something is asked once. What the frozen replica took is lost to its callers, and no more than that.
#[tokio::test]
async fn a_frozen_replica_keeps_no_more_commands_than_it_may_hold() {
    let Some(pair) = Pair::start(|_| {}).await else {
        return;
    };
    let answered = AtomicUsize::new(0);
    let asked = futures::future::join_all((0..200).map(|_| async {
        pair.ask("Begin").await.unwrap();
        answered.fetch_add(1, Ordering::SeqCst);
    }));
    let judged = async {
        eventually("the other one answers the rest", || async {
            (answered.load(Ordering::SeqCst) >= 200 - HELD).then_some(())
        })
        .await;
        assert!(pair.frozen.taken() <= HELD, "{}", pair.frozen.taken());
        // It wakes up: what it held is answered after all.
        pair.frozen.permits.add_permits(200);
    };
    tokio::join!(asked, judged);
    pair.finish().await;
}

/// What changes nothing is asked again and answered by the other replica.
#[tokio::test]
async fn a_question_to_a_frozen_replica_is_asked_of_the_other_one() {
    let again = |settings: &mut chassis::Settings| settings.set("bus", "ask_again_ms", 200);
    let Some(pair) = Pair::start(again).await else {
        return;
    };
    let before = pair.frozen.taken();
    eventually("the frozen replica takes some", || async {
        pair.ask("Counts").await.unwrap();
        (pair.frozen.taken() >= before + 3).then_some(())
    })
    .await;
    pair.finish().await;
}
