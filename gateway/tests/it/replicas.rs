//! Several replicas of a service, one of which is in trouble.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chassis::testing::{Shape, TestParts, eventually};
use futures::future::join_all;
use gateway::Options;
use tokio::net::{TcpListener, TcpStream};

use crate::support::*;

/// A replica of `personal` that can be frozen: the kernel accepts connections and bytes, but nothing responds. Thawed, it forwards
/// everything to a working replica.
struct Frozen {
    address: SocketAddr,
    /// Connections accepted, and forwarded.
    taken: Arc<AtomicUsize>,
    passed_on: Arc<AtomicUsize>,
    behind: Arc<Mutex<Option<SocketAddr>>>,
}

impl Frozen {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let frozen = Self {
            address: listener.local_addr().unwrap(),
            taken: Arc::default(),
            passed_on: Arc::default(),
            behind: Arc::default(),
        };
        let (taken, passed_on) = (frozen.taken.clone(), frozen.passed_on.clone());
        let behind = frozen.behind.clone();
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                taken.fetch_add(1, Ordering::SeqCst);
                let target = *behind.lock().unwrap();
                let Some(target) = target else {
                    kept.push(stream);
                    continue;
                };
                passed_on.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(async move {
                    let mut other = TcpStream::connect(target).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut other).await;
                });
            }
        });
        frozen
    }

    fn thaw(&self, target: SocketAddr) {
        *self.behind.lock().unwrap() = Some(target);
    }
}

async fn running_beside(other: SocketAddr) -> Running {
    let test = TestParts::open(Shape::Embedded, &[gateway::DEFAULTS], |_| {}).await;
    let others = [("personal", other)];
    Running::beside(test, Place::OverHttp2, &others, Options::default()).await
}

#[tokio::test]
async fn a_frozen_replica_costs_its_own_calls_only() {
    let frozen = Frozen::start().await;
    let running = running_beside(frozen.address).await;
    let user = running.user("u1");
    let read = async || {
        let begun = Instant::now();
        let answer = user.call(READ, &[("location", "1")]).await.unwrap();
        (answer.resp_code, begun.elapsed())
    };
    // Half of these reach the frozen one first, and are sent to the other in time.
    for (code, took) in join_all((0..30).map(|_| read())).await {
        assert_eq!(code, 60000);
        assert!(took < Duration::from_secs(4), "{took:?}");
    }
    assert!(
        frozen.taken.load(Ordering::SeqCst) > 0,
        "it was never asked"
    );
    // By now it is known and avoided, so that no call waits for it, not even one that writes, which may be sent only once.
    eventually("the frozen one is avoided", || async {
        let quick = join_all((0..10).map(|_| read())).await;
        let all = quick.iter().all(|(_, took)| *took < Duration::from_secs(1));
        all.then_some(())
    })
    .await;
    // A write sent to it gets no response at all, and fails after `call_wait_ms`.
    for _ in 0..40 {
        let answer = user.call(WRITE, &[("location", "1")]).await.unwrap();
        assert_eq!(answer.resp_code, 60000);
    }
    running.finish().await;
}

#[tokio::test]
async fn a_replica_that_answers_again_gets_calls_again() {
    let frozen = Frozen::start().await;
    let running = running_beside(frozen.address).await;
    let user = running.user("u1");
    for _ in 0..6 {
        let answer = user.call(READ, &[("location", "1")]).await.unwrap();
        assert_eq!(answer.resp_code, 60000);
    }
    frozen.thaw(running.addresses["personal"]);
    eventually("it is asked again", || async {
        // By chance no earlier call may have reached it; then nothing probes it.
        let answer = user.call(READ, &[("location", "1")]).await.unwrap();
        assert_eq!(answer.resp_code, 60000);
        (frozen.passed_on.load(Ordering::SeqCst) > 0).then_some(())
    })
    .await;
    let answer = user.call(WRITE, &[("location", "1")]).await.unwrap();
    assert_eq!(answer.resp_code, 60000);
    running.finish().await;
}

#[tokio::test]
async fn a_replica_that_is_gone_costs_nothing() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = gone.local_addr().unwrap();
    drop(gone);
    let running = running_beside(address).await;
    let user = running.user("u1");
    for _ in 0..40 {
        let begun = Instant::now();
        let answer = user.call(WRITE, &[("location", "1")]).await.unwrap();
        assert_eq!(answer.resp_code, 60000);
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
    running.finish().await;
}
