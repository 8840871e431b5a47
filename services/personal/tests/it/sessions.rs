//! What the object store issued to a session ends when auth says that the session has.

use std::path::Path;
use std::time::Duration;

use chassis::testing::{eventually, shapes};
use objectstore::sign::Signer;
use objectstore::{StoreConfig, server};
use proto::auth::v1::SessionRevoked;
use proto::common::v1::Principal;
use proto::personal::v1::{StorageParam, UserRequest};
use tokio::net::TcpListener;

use crate::Running;

const ROOT_KEY: &str = "ROOTKEYOFTHETEST";
const ROOT_SECRET: &str = "root secret of the test, long enough";

/// Temporary keys as a browser gets them.
async fn keys(running: &Running, session: &str, left_ms: i64) -> StorageParam {
    let caller = Principal {
        login_id: "u1".into(),
        session_id: session.into(),
        session_left_ms: left_ms,
        ..Principal::default()
    };
    let request = running.signed(caller, UserRequest::default());
    let reply = running.uploads().get_huawei_param(request).await;
    reply.unwrap().into_inner()
}

/// The answer to a look for an object that is not there: 404 to those who may look.
async fn look(keys: &StorageParam) -> u16 {
    let signer = Signer {
        access_key: keys.ak.clone().unwrap(),
        secret_key: keys.sk.clone().unwrap(),
        session_token: keys.security_token.clone(),
        region: "us-east-1".into(),
        service: "s3",
    };
    let path = format!("/{}/u/u1/none", keys.private_bucket.as_deref().unwrap());
    let now = time::OffsetDateTime::now_utc();
    let minute = Duration::from_secs(60);
    let url = signer.presign(("GET", &keys.server, &path), &[], minute, now);
    let answer = reqwest::get(url.unwrap()).await.unwrap();
    answer.status().as_u16()
}

fn config(folder: &Path, address: &str) -> StoreConfig {
    StoreConfig {
        root: folder.join("store"),
        listen: address.to_owned(),
        root_key: ROOT_KEY.into(),
        root_secret: ROOT_SECRET.into(),
        ..StoreConfig::default()
    }
}

async fn start(shape: chassis::testing::Shape, store: &StoreConfig, remote: bool) -> Running {
    let bucket = store.private_bucket.clone();
    Running::start_with(shape, |settings| {
        settings.set("objects", "bucket", bucket.clone());
        if remote {
            settings.set("objects", "url", format!("s3:http://{}", store.listen));
            settings.set("objects", "access_key", ROOT_KEY);
            settings.set("objects", "secret_key", ROOT_SECRET);
            return;
        }
        let root = store.root.display().to_string();
        settings.set("objects", "url", format!("file:{root}"));
        settings.set("objectstore", "private_bucket", bucket.clone());
        settings.set("objectstore", "listen", store.listen.clone());
        settings.set("objectstore", "root_key", ROOT_KEY);
        settings.set("objectstore", "root_secret", ROOT_SECRET);
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_end_with_their_session_wherever_the_store_is() {
    for shape in shapes() {
        for remote in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            // An address of its own, so that nobody takes the port while the store is away.
            let listener = TcpListener::bind("127.0.0.7:0").await.unwrap();
            let address = listener.local_addr().unwrap().to_string();
            let store = config(folder.path(), &address);
            drop(listener);
            let running = start(shape, &store, remote).await;
            let (ended, renewed) = (keys(&running, "s1", 0).await, keys(&running, "s2", 0).await);
            let revoked = |hash: &str, ids: &[&str]| SessionRevoked {
                login_id: "u1".into(),
                token_hashes: vec![hash.into()],
                session_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            };
            running.publish("e1", &revoked("h2", &[])).await;
            running.publish("e2", &revoked("h1", &["s1"])).await;
            let noted = "SELECT COUNT(*) FROM ended_session";
            if remote {
                // The store is away: what it has to know waits for it.
                running.becomes(noted, 1).await;
            }
            let listener = TcpListener::bind(&address).await.unwrap();
            let stop = chassis::Shutdown::new();
            let serving = tokio::spawn(server::serve(store, listener, stop.token()));
            eventually("the session's keys end", || async {
                (look(&ended).await == 403).then_some(())
            })
            .await;
            running.becomes(noted, 0).await;
            assert_eq!(look(&renewed).await, 404);
            // Issued by a gateway that had not heard of it yet.
            assert_eq!(look(&keys(&running, "s1", 0).await).await, 403);
            running.test.finish().await;
            stop.request();
            serving.await.unwrap().unwrap();
        }
    }
}

#[tokio::test]
async fn keys_do_not_outlive_their_session() {
    let running = Running::start(chassis::testing::Shape::Embedded).await;
    let expiration = keys(&running, "s1", 300_000).await.expiration.unwrap();
    assert!(expiration <= chassis::Clock::system().now_ms() + 300_000);
    running.test.finish().await;
}
