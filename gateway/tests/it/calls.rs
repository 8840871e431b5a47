//! Successful calls, and errors of the service, wherever it runs.

use std::sync::atomic::Ordering;

use chassis::testing::shapes;
use serde_json::{Value, json};

use crate::support::*;

#[tokio::test]
async fn a_call_reaches_its_service_in_the_callers_name() {
    for shape in shapes() {
        for place in [Place::InProcess, Place::OverHttp2] {
            let running = Running::start(shape, place, |_| {}).await;
            let user = running.user("u1");
            let answer = user.call(INFO, &[]).await.unwrap();
            assert_eq!(
                (answer.status, answer.resp_code, answer.resp_msg.as_str()),
                (200, 60000, "成功"),
                "{shape:?} {place:?}"
            );
            assert_eq!(answer.datas["userId"], "u1");
            // The form's userId reached the service, too.
            assert_eq!(answer.datas["professionCode"], "u1");
            assert_eq!(
                answer.datas["accountNumber"],
                d3sig::token_hash(&user.token)
            );
            assert_eq!(answer.datas["mobileNum"], "127.0.0.1");
            assert_eq!(answer.datas["memberStatus"], Value::Null);
            assert_eq!(answer.datas["introduce"], "s-u1 for 3600s");

            let written = user.call(WRITE, &[("location", "1")]).await.unwrap();
            assert_eq!((written.resp_code, &written.datas), (60000, &Value::Null));
            assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 1);
            running.finish().await;
        }
    }
}

#[tokio::test]
async fn form_json_and_get_are_the_same_call() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    for (location, read) in [("1", true), ("0", false)] {
        let form = user.call(READ, &[("location", location)]).await.unwrap();
        assert_eq!(form.datas, read);
        let get = user.get(READ, &[("location", location)]).await.unwrap();
        assert_eq!((get.resp_code, get.datas), (60000, json!(read)));
        let body = json!({ "location": location.parse::<i32>().unwrap(), "userId": "u1" });
        let sent = user.call_json(READ, &body).await.unwrap();
        assert_eq!((sent.resp_code, sent.datas), (60000, json!(read)));
    }
    let get = user.get(WRITE, &[("location", "1")]).await.unwrap();
    assert_eq!((get.status, get.resp_code), (405, 405));
    assert_eq!(running.fakes.writes.load(Ordering::SeqCst), 0);
    running.finish().await;
}

#[tokio::test]
async fn errors_of_services_become_envelopes() {
    for place in [Place::InProcess, Place::OverHttp2] {
        let waiting = async |wait_ms: i64| {
            Running::start(chassis::testing::Shape::Embedded, place, |settings| {
                settings.set("gateway", "call_wait_ms", wait_ms);
            })
            .await
        };
        let running = waiting(180_000).await;
        let user = running.user("u1");
        let scan = async |text: &str| user.call(SCAN, &[("content", text)]).await.unwrap();

        let business = scan("bad").await;
        assert_eq!(
            (business.status, business.resp_code, business.resp_msg),
            (200, 60102, "内容含有敏感词".to_owned())
        );
        assert_eq!(business.datas, json!({ "word": "x" }));

        let fault = scan("boom").await;
        assert_eq!((fault.status, fault.resp_code), (500, 500));
        assert!(fault.resp_msg.starts_with("服务出错了，请稍后再试（编号 "));
        assert!(!fault.resp_msg.contains("secret"));

        let away = scan("away").await;
        assert_eq!((away.status, away.resp_code), (503, 503));
        let missing = user.call("/api-personal/laozi/v3/personalInfo/avatarInformation", &[]);
        let missing = missing.await.unwrap();
        assert_eq!(
            (missing.resp_code, missing.resp_msg.as_str()),
            (60404, "该服务尚未开放")
        );
        running.finish().await;

        let running = waiting(1000).await;
        let late = running.user("u1").call(SCAN, &[("content", "never")]).await;
        let late = late.unwrap();
        assert_eq!((late.status, late.resp_code), (504, 504));
        running.finish().await;
    }
}

#[tokio::test]
async fn a_call_that_reads_is_sent_again_when_its_service_was_not_reached() {
    let shape = chassis::testing::Shape::Embedded;
    let running = Running::start(shape, Place::OverHttp2, |_| {}).await;
    let user = running.user("u1");
    let answer = user.call(SCAN, &[("content", "flaky")]).await.unwrap();
    assert_eq!(answer.resp_code, 60000);
    assert_eq!(running.fakes.flaky.load(Ordering::SeqCst), 3);
    running.finish().await;
}

#[tokio::test]
async fn identity_from_outside_is_not_passed_on() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    let pairs = [("userId".to_owned(), "u1".to_owned())];
    let d = user
        .sign("POST", INFO, &[], &pairs, user.clock.now_ms())
        .unwrap();
    let answer = reqwest::Client::new()
        .post(running.url(INFO))
        .header("client-id", &user.client_id)
        .header("client-secret", &user.secret)
        .header("authorization", format!("Bearer {}", user.token))
        .header("principal-bin", "AAAA")
        .header("x-forwarded-for", "198.51.100.7")
        .header("x-request-id", "chosen-by-a-stranger")
        .form(&[("userId", "u1"), ("D", d.as_str())])
        .send()
        .await
        .unwrap();
    let id = answer.headers()["x-request-id"]
        .to_str()
        .unwrap()
        .to_owned();
    assert_ne!(id, "chosen-by-a-stranger");
    let json: Value = answer.json().await.unwrap();
    assert_eq!(json["datas"]["userId"], "u1");
    assert_eq!(json["datas"]["mobileNum"], "127.0.0.1");
    running.finish().await;
}

#[tokio::test]
async fn a_response_names_its_trace() {
    let running = Running::embedded().await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let of = async |traceparent: &str| {
        let request = client.post(running.url(INFO));
        let answer = request.header("traceparent", traceparent).send().await;
        let answer = answer.unwrap();
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        (header("x-trace-id"), header("x-request-id"))
    };
    let (named, request) = of(&format!("00-{trace}-b7ad6b7169203331-01")).await;
    assert_eq!(named, trace);
    assert_ne!(request, trace);
    // An invalid trace context is ignored: the trace gets the request id.
    let (named, request) = of("00-0-0-01").await;
    assert_eq!(named, request);
    running.finish().await;
}
