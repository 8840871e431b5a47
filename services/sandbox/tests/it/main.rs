//! The sandbox over HTTP, fed by the bus.

mod keys;
mod strangers;

use std::time::Duration;

use chassis::bus::Bus;
use chassis::testing::eventually;
use chassis::{Clock, Settings, Shutdown};
use sandbox::Sandbox;
use serde_json::{Value, json};

const PRIVATE: &str = "[site]\nenvironment = \"development\"\npublic_address = \"http://127.0.0.1:1\"\n\
                       [sandbox]\nenabled = true\nlisten = \"127.0.0.1:0\"";

fn settings(over: &str) -> Settings {
    let quiet = (
        "XUANLAN__SANDBOX__PAY__ENABLED".to_owned(),
        "false".to_owned(),
    );
    Settings::load_from(&[sandbox::DEFAULTS, over], None, [quiet]).unwrap()
}

struct Running {
    sandbox: Sandbox,
    bus: Bus,
    shutdown: Shutdown,
    client: reqwest::Client,
}

impl Running {
    async fn start() -> Self {
        let shutdown = Shutdown::new();
        let bus = Bus::within_process(&shutdown);
        let sandbox = sandbox::start(&settings(PRIVATE), &bus, Clock::system(), &shutdown)
            .await
            .unwrap()
            .unwrap();
        Self {
            sandbox,
            bus,
            shutdown,
            client: reqwest::Client::new(),
        }
    }

    async fn get(&self, path: &str, accept: &str) -> (u16, String, String) {
        let address = format!("{}{path}", self.sandbox.public_address);
        let answer = self
            .client
            .get(address)
            .header("accept", accept)
            .send()
            .await
            .unwrap();
        let kind = answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        (answer.status().as_u16(), kind, answer.text().await.unwrap())
    }

    /// Polls a JSON response until a push has changed it.
    async fn json_when(&self, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
        eventually("the page shows what was pushed", || async {
            let (_, kind, text) = self.get(path, "*/*").await;
            assert_eq!(kind, "application/json");
            let value = serde_json::from_str(&text).unwrap();
            holds(&value).then_some(value)
        })
        .await
    }
}

fn sms(phone: &str, code: &str, text: &str) -> String {
    json!({"type": "SMS", "phone": phone, "purpose": "login", "code": code, "text": text, "time": 5})
        .to_string()
}

#[actix_web::test]
async fn the_inbox_shows_messages_newest_first() {
    let running = Running::start().await;
    running
        .bus
        .push_text("#sandbox", sms("13800138000", "111111", "first"));
    running
        .bus
        .push_text("u0123", sms("13800138000", "999999", "not for the sandbox"));
    running
        .bus
        .push_text("#sandbox", sms("13900139000", "222222", "another's"));
    running
        .bus
        .push_text("#sandbox", sms("13800138000", "333333", "<img src=x>"));
    let path = "/sms?phone=13800138000";
    let list = running
        .json_when(path, |v| v.as_array().is_some_and(|a| a.len() == 2))
        .await;
    assert_eq!(
        list[0],
        json!({"phone": "13800138000", "purpose": "login", "code": "333333", "text": "<img src=x>", "time": 5})
    );
    assert_eq!(list[1]["code"], "111111");

    let (status, kind, page) = running
        .get(path, "text/html,application/xhtml+xml,*/*;q=0.8")
        .await;
    assert_eq!((status, kind.as_str()), (200, "text/html; charset=utf-8"));
    assert!(
        page.contains("333333") && page.contains("&lt;img src=x&gt;"),
        "{page}"
    );
    assert!(!page.contains("222222") && !page.contains("<img"), "{page}");
    let (_, kind, _) = running.get("/sms?format=json", "text/html").await;
    assert_eq!(kind, "application/json");
    assert!(
        running.shutdown.finish(Duration::from_secs(20)).await,
        "it ends when asked"
    );
}

#[actix_web::test]
async fn the_answer_of_a_puzzle_is_shown() {
    let running = Running::start().await;
    let puzzle = json!({
        "type": "SLIDER", "id": "abc", "kind": "slide", "width": 380, "height": 176, "x": 123, "pieceY": 9,
        "background": "data:image/png;base64,AAAA", "piece": "data:image/png;base64,BBBB", "expiresAt": 77,
    });
    running.bus.push_text("#sandbox", puzzle.to_string());
    let answer = running.json_when("/slider?id=abc", |v| v["x"] == 123).await;
    assert_eq!(
        (&answer["kind"], &answer["expiresAt"]),
        (&json!("slide"), &json!(77))
    );
    let (status, _, page) = running.get("/slider?id=abc", "text/html").await;
    assert_eq!(status, 200);
    assert!(page.contains("data:image/png;base64,AAAA") && page.contains("123"));
    let (status, _, _) = running.get("/slider?id=other", "*/*").await;
    assert_eq!(status, 404);
    let (status, _, page) = running.get("/", "text/html").await;
    assert!(status == 200 && page.contains("href=\"/sms\""));
    running.shutdown.finish(Duration::from_secs(20)).await;
}

#[actix_web::test]
async fn it_is_off_by_default_and_refused_in_production() {
    let shutdown = Shutdown::new();
    let bus = Bus::within_process(&shutdown);
    let off = sandbox::start(&settings(""), &bus, Clock::system(), &shutdown)
        .await
        .unwrap();
    assert!(off.is_none());
    let refused = [
        PRIVATE.replace("development", "production"),
        PRIVATE.replace("http://127.0.0.1:1", "https://3d.example.com"),
        PRIVATE.replace("http://127.0.0.1:1", ""),
        format!("{PRIVATE}\n[gateway]\npublic_address = \"https://3d.example.com\""),
    ];
    for text in refused {
        let error = sandbox::start(&settings(&text), &bus, Clock::system(), &shutdown)
            .await
            .err();
        let error = error.expect(&text).to_string();
        assert!(error.contains("shows every code"), "{error}");
    }
    let meant = format!(
        "{}\ni_know_this_shows_every_code = true",
        PRIVATE.replace("development", "production")
    );
    assert!(
        sandbox::start(&settings(&meant), &bus, Clock::system(), &shutdown)
            .await
            .unwrap()
            .is_some()
    );
    shutdown.finish(Duration::from_secs(20)).await;
}
