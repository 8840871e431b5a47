//! Requests refused before any service gets them.

use std::sync::atomic::Ordering;

use chassis::testing::{Shape, shapes};
use serde_json::Value;

use crate::support::*;

#[tokio::test]
async fn an_owner_field_names_the_caller_or_nobody() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    let own = user.call(WRITE, &[("userId", "u1"), ("location", "1")]);
    assert_eq!(own.await.unwrap().resp_code, 60000);
    let foreign = user.call(WRITE, &[("userId", "u2"), ("location", "1")]);
    let foreign = foreign.await.unwrap();
    assert_eq!((foreign.status, foreign.resp_code), (200, 60403));
    let get = user.get(INFO, &[("userId", "u2")]).await.unwrap();
    assert_eq!(get.resp_code, 60403);
    let json = serde_json::json!({ "userId": "u2", "location": 1 });
    assert_eq!(user.call_json(WRITE, &json).await.unwrap().resp_code, 60403);
    let nobody = running
        .client
        .call(STORAGE, &[("userId", "u1")])
        .await
        .unwrap();
    assert_eq!(nobody.resp_code, 60403);
    assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 1);
    running.finish().await;
}

#[tokio::test]
async fn unknown_and_wrong_fields_are_named() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    let unknown = user.call(WRITE, &[("location", "1"), ("locatoin", "1")]);
    let unknown = unknown.await.unwrap();
    assert_eq!(
        (unknown.resp_code, unknown.resp_msg.as_str()),
        (60101, "不支持的参数：locatoin")
    );
    let wrong = user.call(WRITE, &[("location", "here")]).await.unwrap();
    assert_eq!(
        (wrong.resp_code, wrong.resp_msg.as_str()),
        (60100, "参数 location 应为整数")
    );
    let read = user.call(READ, &[("location", "1"), ("other", "1")]);
    assert_eq!(read.await.unwrap().resp_code, 60000);
    assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 0);
    running.finish().await;
}

#[tokio::test]
async fn bodies_have_a_limit() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    let large = "x".repeat((1 << 20) + 1);
    let refused = user.call(SCAN, &[("content", &large)]).await.unwrap();
    assert_eq!((refused.status, refused.resp_code), (413, 413));
    // The same without a Content-Length.
    let chunks = (0..20).map(|_| Ok::<_, std::io::Error>(vec![b'x'; 64 * 1024]));
    let chunks = futures::stream::iter(chunks);
    let answer = reqwest::Client::new()
        .post(running.url(SCAN))
        .header("client-id", &user.client_id)
        .header("client-secret", &user.secret)
        .body(reqwest::Body::wrap_stream(chunks))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status().as_u16(), 413);
    // This one fits: it reaches the service, whose rule finds the text too long.
    let fits = "x".repeat(1 << 19);
    let answer = user.call(SCAN, &[("content", &fits)]).await.unwrap();
    assert_eq!((answer.status, answer.resp_code), (200, 60100));
    running.finish().await;
}

#[tokio::test]
async fn other_kinds_of_bodies_are_refused() {
    let running = Running::embedded().await;
    let answer = reqwest::Client::new()
        .post(running.url(READ))
        .header("client-id", &running.client.client_id)
        .header("client-secret", &running.client.secret)
        .header("content-type", "text/xml")
        .body("<a/>")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status().as_u16(), 415);
    let json: Value = answer.json().await.unwrap();
    assert_eq!(json["resp_code"], 415);
    running.finish().await;
}

#[tokio::test]
async fn calls_to_come_say_so_and_other_paths_do_not_exist() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    for path in [
        "/api-personal/laozi/v3/account/availablePackageList",
        "/api-transaction/laozi/v3/transaction/model/packageDeduction",
    ] {
        let anonymous = running.client.call(path, &[]).await.unwrap();
        assert_eq!(
            (anonymous.status, anonymous.resp_code),
            (401, 401),
            "{path}"
        );
        let answer = user.call(path, &[("anything", "1")]).await.unwrap();
        assert_eq!(
            (answer.status, answer.resp_code, answer.resp_msg.as_str()),
            (200, 60404, "该服务尚未开放"),
            "{path}"
        );
        assert_eq!(answer.datas, Value::Null);
    }
    for path in [
        "/api-auth/nothing",
        "/api-x",
        "/api-personal/laozi/v3/attention/a/b",
    ] {
        let answer = user.call(path, &[]).await.unwrap();
        assert_eq!((answer.status, answer.resp_code), (404, 404), "{path}");
    }
    running.finish().await;
}

#[tokio::test]
async fn too_many_calls_are_asked_to_wait() {
    for shape in shapes() {
        for shared in [true, false] {
            let limits = |settings: &mut chassis::Settings| {
                settings.set("gateway", "rate", limits(3, 2, shared));
            };
            let running = Running::start(shape, Place::InProcess, limits).await;
            let (one, two) = (running.user("u1"), running.user("u2"));
            assert_eq!(one.call(READ, &[]).await.unwrap().status, 200);
            assert_eq!(one.call(READ, &[]).await.unwrap().status, 200);
            let user = one.call(READ, &[]).await.unwrap();
            assert_eq!(
                (user.status, user.resp_code),
                (429, 429),
                "the user's limit"
            );
            let answer = reqwest::Client::new()
                .post(running.url(READ))
                .header("client-id", &two.client_id)
                .header("client-secret", &two.secret)
                .send()
                .await
                .unwrap();
            assert_eq!(answer.status().as_u16(), 429, "the address's limit");
            let wait = answer.headers()["retry-after"].to_str().unwrap();
            assert!((1..=3600).contains(&wait.parse::<u64>().unwrap()));
            running.finish().await;
        }
    }
}

/// Limits for every class, in windows of an hour.
pub fn limits(address: i64, user: i64, shared: bool) -> toml::Table {
    let mut all = toml::Table::new();
    for class in ["normal", "sign_in", "sms", "heavy"] {
        let mut one = toml::Table::new();
        one.insert("window_s".into(), 3600.into());
        one.insert("address".into(), address.into());
        one.insert("user".into(), user.into());
        one.insert("shared".into(), shared.into());
        all.insert(class.into(), one.into());
    }
    all
}

#[tokio::test]
async fn a_service_without_an_address_is_away() {
    use chassis::testing::TestParts;
    use gateway::{Options, Upstreams};

    let test = TestParts::open(Shape::Embedded, &[gateway::DEFAULTS], |_| {}).await;
    // A port that was free a moment ago: nothing listens there.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let target = free.local_addr().unwrap().to_string();
    drop(free);
    let upstreams = Upstreams::new()
        .remote("personal", &target)
        .remote("auth", &target);
    let options = Options {
        listener: Some(std::net::TcpListener::bind("127.0.0.1:0").unwrap()),
        ..Options::default()
    };
    let handle = gateway::start(test.parts.clone(), upstreams, options)
        .await
        .unwrap();
    let base = format!("http://{}", handle.address);
    let mut client = gateway::client::SignedClient::connect(&base).await.unwrap();
    client.clock = test.parts.clock.clone();
    let anonymous = client.call(STORAGE, &[]).await.unwrap();
    assert_eq!((anonymous.status, anonymous.resp_code), (503, 503));
    let user = client.signed_in("some-token", "u1");
    let answer = user.call(INFO, &[]).await.unwrap();
    assert_eq!((answer.status, answer.resp_code), (503, 503));
    test.finish().await;
}
