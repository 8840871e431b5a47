//! The three services behind a gateway, with Alipay and WeChat Pay played by the sandbox over HTTP.

use std::collections::BTreeMap;
use std::net::TcpListener;

use chassis::Settings;
use chassis::testing::{NOW_MS, Proxy, Shape, TestParts, eventually};
use gateway::{Options, Upstreams};
use money::{World, hurry};
use sandbox::pay::identity::Identity;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::contexts;

/// The price of a year of the lowest grade, in cents.
pub const PRICE: i64 = 29_900;

pub struct Till {
    pub world: World,
    pub parts: TestParts,
    pub sandbox: String,
    /// Address of the site.
    pub site: String,
    pub http: reqwest::Client,
}

impl std::ops::Deref for Till {
    type Target = World;
    fn deref(&self) -> &World {
        &self.world
    }
}

/// Where the site and the sandbox listen.
struct Place {
    listener: TcpListener,
    site: String,
    sandbox: String,
}

impl Place {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let site = format!("http://{}", listener.local_addr().unwrap());
        // Payment needs it before it listens: an address of this machine that no other test uses.
        let [a, b, c] = rand::random::<[u8; 3]>();
        Self {
            listener,
            site,
            sandbox: format!("127.{a}.{b}.{}:8443", c.clamp(2, 254)),
        }
    }
}

fn defaults() -> Vec<&'static str> {
    let mut defaults = money::DEFAULTS.to_vec();
    defaults.extend([gateway::DEFAULTS, sandbox::DEFAULTS]);
    defaults
}

/// `retry_s` of payment: how soon it polls the channels.
fn settings(settings: &mut Settings, place: &Place, retry_s: i64) {
    let (listen, site) = (place.sandbox.as_str(), place.site.as_str());
    hurry(settings);
    settings.set("payment", "retry_s", retry_s);
    settings.set("payment", "retry_longest_s", retry_s);
    settings.set("payment", "channel_wait_ms", 5000);
    settings.set("payment", "notify_address", site);
    settings.set("payment", "site_origins", vec![site.to_owned()]);
    settings.set("sandbox", "enabled", true);
    settings.set("site", "public_address", "http://127.0.0.1:1");
    settings.set("sandbox", "listen", listen);
    let pay: sandbox::config::SandboxConfig = settings.section("sandbox").unwrap();
    let keys = Identity::open(&pay.pay.folder, NOW_MS).unwrap();
    let keys = keys.merchant_keys().unwrap();
    let address = format!("http://{listen}");
    settings.set("payment", "alipay", keys.alipay(&address));
    settings.set("payment", "wechat", keys.wechat(&address));
    let mut pay: BTreeMap<String, toml::Value> = BTreeMap::new();
    pay.insert("retry_factor".to_owned(), 0.01.into());
    let mut table: toml::Table = settings.section("sandbox").unwrap();
    if let Some(toml::Value::Table(inner)) = table.get_mut("pay") {
        inner.extend(pay);
        settings.set("sandbox", "pay", inner.clone());
    }
}

impl Till {
    /// Channels are polled at once and repeatedly.
    pub async fn start(shape: Shape) -> Self {
        Self::start_asking(shape, 0).await
    }

    pub async fn start_asking(shape: Shape, retry_s: i64) -> Self {
        let place = Place::new();
        let change = |s: &mut Settings| settings(s, &place, retry_s);
        let parts = TestParts::open(shape, &defaults(), change).await;
        Self::on(parts, place).await
    }

    /// On databases whose connections can go silent. None without servers.
    pub async fn behind_proxy(change: impl FnOnce(&mut Settings)) -> Option<(Self, Proxy)> {
        let place = Place::new();
        let change = |s: &mut Settings| {
            settings(s, &place, 0);
            change(s);
        };
        let (parts, proxy) = TestParts::behind_proxy(&defaults(), change).await?;
        Some((Self::on(parts, place).await, proxy))
    }

    async fn on(parts: TestParts, Place { listener, site, .. }: Place) -> Self {
        let inner = &parts.parts;
        let sandbox = sandbox::start(
            &parts.settings,
            &inner.bus,
            inner.clock.clone(),
            &inner.shutdown,
        );
        let sandbox = sandbox.await.unwrap().unwrap().public_address;
        let world = World::start_configured(inner.clone(), contexts(&parts).await)
            .await
            .unwrap();
        let options = Options {
            listener: Some(listener),
            ..Default::default()
        };
        let upstreams = Upstreams::new()
            .local(world.payment_service())
            .local(world.order_service());
        gateway::start(inner.clone(), upstreams, options)
            .await
            .unwrap();
        Self {
            world,
            parts,
            sandbox,
            site,
            http: reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
        }
    }

    pub fn later(&self, minutes: i64) {
        self.parts.parts.clock.advance_ms(minutes * 60_000);
    }

    pub async fn post(&self, path: &str, body: Value) -> u16 {
        let url = format!("{}{path}", self.sandbox);
        let answer = self.http.post(url).json(&body).send().await.unwrap();
        answer.status().as_u16()
    }

    /// Faults of the next trades of a channel.
    pub async fn misbehave(&self, channel: &str, faults: Value) {
        let rule = json!({"channel": channel, "faults": faults});
        assert_eq!(self.post("/api/misbehave", rule).await, 200);
    }

    /// Faults of this trade from now on.
    pub async fn misbehave_with(&self, channel: &str, number: &str, faults: Value) {
        let rule = json!({"channel": channel, "outTradeNo": number, "faults": faults});
        assert_eq!(self.post("/api/misbehave", rule).await, 200);
    }

    /// Number of the newest attempt of an order through a channel.
    pub async fn number(&self, order: &str, channel: &str) -> String {
        let question = format!(
            "SELECT id FROM attempt WHERE order_id = '{order}' AND channel = '{channel}' \
             ORDER BY id DESC LIMIT 1"
        );
        self.first(&question).await.expect("an attempt")
    }

    /// The first column of the first row, from payment's database.
    pub async fn first(&self, question: &str) -> Option<String> {
        let db = &self.world.contexts.payment.db;
        let question = Statement::from_string(db.get_database_backend(), question);
        let row = db.query_one_raw(question).await.unwrap()?;
        Some(row.try_get_by_index(0).unwrap())
    }

    pub async fn state(&self, number: &str) -> String {
        let question = format!("SELECT state FROM attempt WHERE id = '{number}'");
        self.first(&question).await.unwrap()
    }

    pub async fn reaches(&self, number: &str, state: &str) {
        eventually(&format!("{number} becomes {state}"), || async {
            (self.state(number).await == state).then_some(())
        })
        .await;
    }

    /// Starts a payment up to the buttons; returns the number of the attempt.
    pub async fn begin(&self, channel: &str, user: &str, order: &str) -> String {
        match channel {
            "alipay" => {
                let form = self.pay_by_form(user, order, "").await.unwrap();
                let place = self.submit(&form).await;
                assert!(place.starts_with("/alipay/cashier?no="), "{place}");
            }
            _ => {
                let code = self.pay_outside(user, order).await.unwrap();
                assert!(code.starts_with("weixin://wxpay/bizpayurl?pr="), "{code}");
            }
        }
        self.number(order, channel).await
    }

    /// Submits a form like a browser; returns the redirect's target, else the response's text.
    pub async fn submit(&self, form: &str) -> String {
        let fields = fields(form);
        let action = attribute(form, "action");
        let answer = self.http.post(action).form(&fields).send().await.unwrap();
        let place = answer
            .headers()
            .get("location")
            .map(|l| l.to_str().unwrap().to_owned());
        match place {
            Some(place) => place,
            None => answer.text().await.unwrap(),
        }
    }

    /// Presses "pay"; `false` if it cannot be paid (any more).
    pub async fn press(&self, channel: &str, number: &str) -> bool {
        let which = json!({"channel": channel, "outTradeNo": number});
        self.post("/api/pay", which).await == 200
    }

    pub async fn books(&self) -> Value {
        let url = format!("{}/books", self.sandbox);
        let answer = self.http.get(url).send().await.unwrap();
        answer.json().await.unwrap()
    }

    /// Waits until the providers have sent a notification of a trade that was not acknowledged.
    pub async fn told_in_vain(&self, number: &str) {
        eventually("a notification is refused", || async {
            let books = self.books().await;
            let waiting = books["deliveries"].as_array()?.iter();
            let mut of_it = waiting.filter(|one| one["outTradeNo"] == number);
            of_it
                .any(|one| one["tries"].as_u64() > Some(0))
                .then_some(())
        })
        .await;
    }

    /// Waits until every notification was acknowledged.
    pub async fn told_all(&self) {
        eventually("every notification is acknowledged", || async {
            let books = self.books().await;
            books["deliveries"].as_array()?.is_empty().then_some(())
        })
        .await;
    }

    /// Cents that the providers took and did not refund.
    pub async fn kept(&self) -> i64 {
        let books = self.books().await;
        let sum = |entries: &Value, counts: &dyn Fn(&Value) -> bool| -> i64 {
            let entries = entries.as_array().unwrap().iter();
            let counted = entries.filter(|entry| counts(entry));
            counted.map(|entry| entry["amount"].as_i64().unwrap()).sum()
        };
        let paid = sum(&books["trades"], &|trade| trade["state"] == "paid");
        paid - sum(&books["refunds"], &|_| true)
    }

    /// Waits until all work has finished, audits, compares with the providers' books, ends.
    pub async fn sound(self, shape: Shape) {
        let findings = self.world.settle().await.unwrap();
        assert!(findings.is_empty(), "{shape:?}: {findings:?}");
        let question =
            "SELECT CAST(COALESCE(-SUM(posted), 0) AS TEXT) FROM account WHERE kind = 'clearing'";
        let cleared = self.first(question).await.unwrap();
        assert_eq!(
            cleared,
            self.kept().await.to_string(),
            "{shape:?}: the books differ"
        );
        self.parts.finish().await;
    }
}

fn unescape(text: &str) -> String {
    [
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Value of the first attribute of that name.
pub fn attribute(html: &str, name: &str) -> String {
    let begin = format!("{name}=\"");
    let rest = html.split_once(&begin).map_or("", |(_, rest)| rest);
    unescape(rest.split('"').next().unwrap_or_default())
}

/// Names and values of a form's hidden fields.
pub fn fields(form: &str) -> Vec<(String, String)> {
    let inputs = form.split("<input type=\"hidden\"").skip(1);
    inputs
        .map(|input| (attribute(input, "name"), attribute(input, "value")))
        .collect()
}
