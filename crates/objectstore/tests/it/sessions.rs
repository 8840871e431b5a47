//! What was issued to a session ends with it, and nothing else does.

use std::time::Duration;

use bytes::Bytes;
use objectstore::{CredentialIssuer, Grantee, Quota};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

use crate::harness::{BUCKET, Caller, TestStore, answer, head, noise, rest};

const MINUTE: Duration = Duration::from_secs(60);

/// A user's browser: its session, with credentials and a link.
struct Browser {
    caller: Caller,
    link: String,
}

fn of_session(session: &str) -> Grantee<'_> {
    Grantee {
        user: "1",
        session,
        left: None,
    }
}

impl Browser {
    async fn of(store: &TestStore, issuer: &dyn CredentialIssuer, session: &str) -> Self {
        let to = of_session(session);
        let made = issuer
            .issue_within(&to, "u/1/", MINUTE, &Quota::default())
            .await
            .unwrap();
        let objects = store.embedded.objects(BUCKET).unwrap();
        Self {
            caller: Caller::of(&store.base(), &made),
            link: objects
                .presign_get_for(&to, "d/1/seen", MINUTE, Some("齿轮.glb"), None)
                .unwrap(),
        }
    }

    async fn follow(&self) -> crate::harness::Answer {
        answer(reqwest::Client::new().get(&self.link)).await
    }

    async fn works(&self) {
        self.caller.put("u/1/x", "x").await.expect(200);
        self.caller.get("u/1/x").await.expect(200);
        self.caller.list(&[("prefix", "u/1/")]).await.expect(200);
        let seen = self.follow().await.expect(200);
        assert_eq!(seen.text(), "seen");
        assert!(seen.header("content-disposition").starts_with("attachment"));
    }

    async fn is_out(&self, upload: &str) {
        let caller = &self.caller;
        for refused in [
            caller.put("u/1/x", "y").await,
            caller.get("u/1/x").await,
            caller.list(&[("prefix", "u/1/")]).await,
            caller.part("u/1/big", upload, 2, noise(1, 100)).await,
            caller.list_parts("u/1/big", upload, &[]).await,
            caller.complete("u/1/big", upload, &[]).await,
            self.follow().await,
        ] {
            refused.refused(403, "ExpiredToken");
        }
        let head = reqwest::Client::new().head(&self.link);
        assert_eq!(answer(head).await.status, 403);
    }
}

#[tokio::test]
async fn an_ended_session_is_out_and_the_others_notice_nothing() {
    let mut store = TestStore::start().await;
    let root = store.root();
    root.put("d/1/seen", "seen").await.expect(200);
    // In the store's own process, and from another one.
    let remote = store.client().await;
    for issuer in [store.embedded.issuer(), remote.issuer] {
        let gone = format!("s-{}", uuid::Uuid::new_v4().simple());
        let ended = Browser::of(&store, issuer.as_ref(), &gone).await;
        let stays = Browser::of(&store, issuer.as_ref(), "stays").await;
        ended.works().await;
        let upload = ended.caller.begin("u/1/big").await;
        let part = ended.caller.part("u/1/big", &upload, 1, noise(1, 100));
        part.await.expect(200);
        issuer.revoke(std::slice::from_ref(&gone)).await.unwrap();
        // An end that is reported twice is still one.
        issuer.revoke(std::slice::from_ref(&gone)).await.unwrap();
        ended.is_out(&upload).await;
        stays.works().await;
        store.user("1").await.put("u/1/y", "y").await.expect(200);
        assert_eq!(root.get("u/1/x").await.text(), "x");
        // A gateway that has not heard of the end may have something issued after it.
        Browser::of(&store, issuer.as_ref(), &gone)
            .await
            .is_out(&upload)
            .await;
        drop(issuer);
        store = store.restarted().await;
        ended.is_out(&upload).await;
        stays.works().await;
    }
    store.stop().await;
}

#[tokio::test]
async fn only_the_root_key_reports_ends() {
    let store = TestStore::start().await;
    let user = store.user("1").await;
    let objects = store.client().await;
    let report = |key: &str, secret: &str| objectstore::ClientConfig {
        url: format!("s3:{}", store.base()),
        access_key: key.into(),
        secret_key: secret.into(),
        ..Default::default()
    };
    let signer = &user.signer;
    let config = report(&signer.access_key, &signer.secret_key);
    let theirs = objectstore::connect(&config, &store.config).await.unwrap();
    let sessions = ["a".to_owned()];
    let refused = theirs.issuer.revoke(&sessions).await.unwrap_err();
    assert!(refused.to_string().contains("AccessDenied"), "{refused}");
    let url = format!("{}/?revoke-sessions=", store.base());
    let nobody = reqwest::Client::new()
        .post(url)
        .body(r#"{"sessions":["a"]}"#);
    answer(nobody).await.refused(403, "AccessDenied");
    Browser::of(&store, objects.issuer.as_ref(), "a")
        .await
        .caller
        .put("u/1/x", "x")
        .await
        .expect(200);
    assert!(objects.issuer.revoke(&["a\nb".to_owned()]).await.is_err());
    store.stop().await;
}

#[tokio::test]
async fn transfers_under_way_end_with_their_next_piece() {
    let store = TestStore::start().await;
    let issuer = store.embedded.issuer();
    let browser = Browser::of(&store, issuer.as_ref(), "a").await;
    // More than the buffers between store and client hold.
    let size = 24 * 1024 * 1024;
    let objects = store.embedded.objects(BUCKET).unwrap();
    let large = Bytes::from(noise(1, size));
    objects.put_bytes("u/1/large", large, "").await.unwrap();
    let address = store.config.listen.parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 * 1024).unwrap();
    let mut download = socket.connect(address).await.unwrap();
    let request = head(&browser.caller, "GET", "u/1/large", &[]);
    download.write_all(request.as_bytes()).await.unwrap();
    let mut first = [0; 15];
    download.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");

    let mut upload = TcpSocket::new_v4().unwrap().connect(address).await.unwrap();
    let announced = [("content-length", "2000"), ("expect", "100-continue")];
    let request = head(&browser.caller, "PUT", "u/1/small", &announced);
    upload.write_all(request.as_bytes()).await.unwrap();
    // The store asks for the body only when it has let the request in.
    let mut asked = [0; 25];
    upload.read_exact(&mut asked).await.unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");

    issuer.revoke(&["a".to_owned()]).await.unwrap();
    upload.write_all(&[7; 2000]).await.unwrap();
    let told = String::from_utf8_lossy(&rest(&mut upload).await).into_owned();
    assert!(told.starts_with("HTTP/1.1 403"), "{told}");
    assert!(told.contains("<Code>ExpiredToken</Code>"), "{told}");
    assert_eq!(store.root().get("u/1/small").await.status, 404);
    assert!(rest(&mut download).await.len() < size);
    store.stop().await;
}
