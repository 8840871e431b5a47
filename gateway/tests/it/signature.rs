//! The signature as seen by a caller: valid, invalid, late, replayed, reordered, on another path.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use chassis::testing::{Shape, eventually, has_servers, shapes};
use gateway::client::{Envelope, SignedClient};
use serde_json::{Value, json};

use crate::support::*;

type Pairs = Vec<(String, String)>;

fn pairs(list: &[(&str, &str)]) -> Pairs {
    list.iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect()
}

/// Signs `signed` but sends `sent` with that signature.
async fn send(client: &SignedClient, signed: &Pairs, sent: &Pairs, time: i64) -> Envelope {
    let d = client.sign("POST", WRITE, &[], signed, time).unwrap();
    let mut sent = sent.clone();
    sent.push(("D".to_owned(), d));
    client.post_form(WRITE, &sent).await.unwrap()
}

#[tokio::test]
async fn only_the_signed_request_passes_and_only_once() {
    for shape in shapes() {
        let running = Running::start(shape, Place::InProcess, |_| {}).await;
        let user = running.user("u1");
        let form = pairs(&[("location", "1"), ("userId", "u1")]);
        let mut reordered = form.clone();
        reordered.reverse();
        assert_eq!(
            send(&user, &form, &reordered, user.clock.now_ms())
                .await
                .resp_code,
            60000
        );

        let changed = pairs(&[("location", "0"), ("userId", "u1")]);
        assert_eq!(
            send(&user, &form, &changed, user.clock.now_ms())
                .await
                .resp_code,
            60302
        );
        let more = pairs(&[("location", "1"), ("userId", "u1"), ("x", "")]);
        assert_eq!(
            send(&user, &form, &more, user.clock.now_ms())
                .await
                .resp_code,
            60302
        );

        let d = user
            .sign("POST", WRITE, &[], &form, user.clock.now_ms())
            .unwrap();
        let mut once = form.clone();
        once.push(("D".to_owned(), d.clone()));
        assert_eq!(user.post_form(WRITE, &once).await.unwrap().resp_code, 60000);
        let again = user.post_form(WRITE, &once).await.unwrap();
        assert_eq!((again.status, again.resp_code), (200, 60304));
        let elsewhere = user.post_form(READ, &once).await.unwrap();
        assert_eq!(elsewhere.resp_code, 60302);
        let other = running.user("u1").post_form(WRITE, &once).await.unwrap();
        assert_eq!(other.resp_code, 60302, "another token");
        once.push(("D".to_owned(), d));
        assert_eq!(user.post_form(WRITE, &once).await.unwrap().resp_code, 60302);
        assert_eq!(user.post_form(WRITE, &form).await.unwrap().resp_code, 60302);

        assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 2);
        running.finish().await;
    }
}

#[tokio::test]
async fn clients_are_known_by_id_and_secret() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    let mut stranger = user.clone();
    stranger.client_id = "other".into();
    let answer = stranger.call(WRITE, &[("location", "1")]).await.unwrap();
    assert_eq!((answer.status, answer.resp_code), (200, 60301));
    let mut guess = user.clone();
    guess.secret = "guess".into();
    let answer = guess.call(WRITE, &[("location", "1")]).await.unwrap();
    assert_eq!(answer.resp_code, 60301);
    let mut kid = user.clone();
    kid.kid = "k9".into();
    let answer = kid.call(WRITE, &[("location", "1")]).await.unwrap();
    assert_eq!(answer.resp_code, 60302);
    let bare = reqwest::Client::new().post(running.url(WRITE)).send();
    let bare: Value = bare.await.unwrap().json().await.unwrap();
    assert_eq!(bare["resp_code"], 60301);
    assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 0);
    running.finish().await;
}

#[tokio::test]
async fn time_may_be_off_by_five_minutes() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    let form = pairs(&[("location", "1")]);
    for off in [-290_000, 290_000] {
        let answer = send(&user, &form, &form, user.clock.now_ms() + off).await;
        assert_eq!(answer.resp_code, 60000, "{off}");
    }
    for off in [-310_000, 310_000, -i64::MAX / 2] {
        let answer = send(&user, &form, &form, (user.clock.now_ms() + off).max(0)).await;
        assert_eq!((answer.status, answer.resp_code), (200, 60303), "{off}");
        let server = answer.datas["serverTime"].as_i64().unwrap();
        assert_eq!(server, user.clock.now_ms());
    }
    running.finish().await;
}

#[tokio::test]
async fn a_start_forgets_nothing_that_was_signed_before_it() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        settings
            .put("gateway.client.secret", "a secret of an earlier start")
            .unwrap();
    })
    .await;
    let user = running.user("u1");
    let form = pairs(&[("location", "1")]);
    let early = send(&user, &form, &form, user.clock.now_ms() - 60_000).await;
    assert_eq!(early.resp_code, 60303);
    assert!(early.datas["serverTime"].is_i64(), "to sign again with");
    assert_eq!(
        send(&user, &form, &form, user.clock.now_ms())
            .await
            .resp_code,
        60000
    );
    assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 1);
    running.finish().await;
}

#[tokio::test]
async fn a_used_signature_stays_used_when_redis_is_emptied_at_every_gateway() {
    if !has_servers() {
        return;
    }
    let first = Running::start(Shape::Servers, Place::InProcess, |_| {}).await;
    let second = first.second_gateway().await;
    let user = first.user("u1");
    let form = pairs(&[("location", "1")]);
    let signed = |ahead_ms: i64| {
        let d = user.sign("POST", WRITE, &[], &form, user.clock.now_ms() + ahead_ms);
        let mut sent = form.clone();
        sent.push(("D".to_owned(), d.unwrap()));
        sent
    };
    let (used, ahead, soon) = (signed(0), signed(60_000), signed(90_000));
    let bus = &first.test.parts.bus;
    let pushes = Mutex::new(bus.pushes());
    for sent in [&used, &ahead, &soon] {
        assert_eq!(user.post_form(WRITE, sent).await.unwrap().resp_code, 60000);
        assert_eq!(user.post_form(WRITE, sent).await.unwrap().resp_code, 60304);
    }
    let mut elsewhere = user.clone();
    elsewhere.base = second;
    let again = elsewhere.post_form(WRITE, &used).await.unwrap();
    assert_eq!(again.resp_code, 60304);
    // Pushes arrive in order: whoever has heard that the token ended has heard of both signatures.
    let told = Mutex::new(0);
    eventually("the other gateways are told", || async {
        while let Ok(push) = pushes.lock().unwrap().try_recv() {
            let message: Value = serde_json::from_str(&push.json).unwrap();
            *told.lock().unwrap() += message["nonces"].as_array().map_or(0, Vec::len);
        }
        (*told.lock().unwrap() == 2).then_some(())
    })
    .await;
    let other = first.user("u2");
    let revoked = json!({ "type": "REVOKED", "loginId": "u2", "tokenHashes": [] });
    let mut ended = other.clone();
    ended.base.clone_from(&elsewhere.base);
    assert_eq!(ended.call(INFO, &[]).await.unwrap().status, 200);
    first.fakes.sign_out(&other.token);
    bus.push_text("#gateway", revoked.to_string());
    eventually("the other gateway has heard", || async {
        let answer = ended.call(INFO, &[]).await.unwrap();
        (answer.status == 401).then_some(())
    })
    .await;

    first.test.parts.clock.advance_ms(1);
    first.test.empty_redis().await;
    for client in [&elsewhere, &user] {
        let again = client.post_form(WRITE, &used).await.unwrap();
        assert_eq!(again.resp_code, 60303, "signed before the memory began");
    }
    for client in [&elsewhere, &user] {
        let again = client.post_form(WRITE, &ahead).await.unwrap();
        let why = "dated ahead of the moment it was emptied";
        assert_eq!(again.resp_code, 60304, "{why}");
    }
    // Its date has come, and lies behind the moment.
    first.test.parts.clock.advance_ms(100_000);
    for client in [&elsewhere, &user] {
        let again = client.post_form(WRITE, &soon).await.unwrap();
        assert_eq!(again.resp_code, 60304, "used before its date");
    }
    for client in [&elsewhere, &user] {
        let fresh = client.call(WRITE, &[("location", "1")]).await.unwrap();
        assert_eq!(fresh.resp_code, 60000);
    }
    assert_eq!(first.fakes.writes.load(Ordering::SeqCst), 5);
    first.finish().await;
}

#[tokio::test]
async fn json_is_signed_by_its_header() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    let body = json!({ "location": 1 }).to_string();
    let request = d3sig::Request {
        method: "POST",
        path: WRITE,
        token: &user.token,
    };
    let none: [(&str, &str); 0] = [];
    let time = user.clock.now_ms();
    let salt = d3sig::fresh_salt();
    let bytes = body.as_bytes();
    let md5 = d3sig::sign_json(&user.key(), &request, &none, bytes, time, &salt).unwrap();
    let post = async |headers: &[&str], body: &str| -> i64 {
        let mut request = reqwest::Client::new()
            .post(running.url(WRITE))
            .header("client-id", &user.client_id)
            .header("client-secret", &user.secret)
            .header("authorization", format!("Bearer {}", user.token))
            .header("content-type", "application/json; charset=utf-8")
            .body(body.to_owned());
        for header in headers {
            request = request.header("md5", *header);
        }
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        answer["resp_code"].as_i64().unwrap()
    };
    assert_eq!(post(&[], &body).await, 60302);
    assert_eq!(post(&[&md5, &md5], &body).await, 60302);
    assert_eq!(post(&[&md5], "{\"location\":0}").await, 60302);
    assert_eq!(post(&[&md5], &body).await, 60000);
    assert_eq!(post(&[&md5], &body).await, 60304);
    assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 1);
    running.finish().await;
}

#[tokio::test]
async fn without_memory_for_nonces_calls_that_write_are_refused() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        // Nothing listens there.
        settings.set("cache", "url", "redis://127.0.0.1:1/0");
    })
    .await;
    let user = running.user("u1");
    let write = user.call(WRITE, &[("location", "1")]).await.unwrap();
    assert_eq!((write.status, write.resp_code), (503, 503));
    assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 0);
    let read = user.call(READ, &[("location", "1")]).await.unwrap();
    assert_eq!((read.status, read.resp_code), (200, 60000));
    running.finish().await;
}
