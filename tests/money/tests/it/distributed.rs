//! 7 with the deployed program, as `xuanlan order`, `xuanlan payment` and `xuanlan personal`: each a process
//! of its own on PostgreSQL, RabbitMQ and Redis, killed at every fail point and restarted. For Alipay and WeChat Pay
//! there are `xuanlan sandbox`, which plays them, and `xuanlan gateway`, which receives their notifications.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use chassis::testing::{Shape, TestParts, has_servers};
use chassis::{Principals, Settings};
use money::{DEFAULTS, audit};
use proto::common::v1::Principal;
use proto::order::v1::order_api_client::OrderApiClient;
use proto::order::v1::{CreateMemberOrderRequest, OrderRequest};
use proto::payment::v1::PayRequest;
use proto::payment::v1::payment_api_client::PaymentApiClient;
use tokio::time::{Instant, sleep};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use crate::faults::{COIN_STEPS, OUTSIDE_STEPS};
use crate::support::free_port;
use crate::till::{PRICE, attribute, fields};

const USER: &str = "u1";
const SERVICES: [&str; 3] = ["order", "payment", "personal"];
/// Additional processes for the channels.
const AROUND: [&str; 2] = ["sandbox", "gateway"];
/// Timeout of a step. Three programs are restarted in it, on a machine with other load.
const PATIENCE: Duration = Duration::from_secs(180);

/// The program, built by `cargo build` beside the tests.
fn program() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let folder = own.parent().and_then(|deps| deps.parent()).unwrap();
    let program = folder.join("xuanlan");
    assert!(program.is_file(), "cargo build --workspace --bins");
    program
}

/// A service as a process; killed when dropped.
struct Process {
    child: Child,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The deployment: its servers and processes.
struct Deployment {
    environment: Vec<(String, String)>,
    ports: BTreeMap<&'static str, u16>,
    processes: BTreeMap<&'static str, Process>,
    principals: Principals,
    database: String,
    // Owns the folder of the processes' data.
    parts: TestParts,
}

impl Deployment {
    async fn start() -> Self {
        let parts = TestParts::open(Shape::Servers, DEFAULTS, |_| {}).await;
        // Its principals are checked by processes that use the machine's clock.
        parts.parts.clock.reset();
        for service in SERVICES {
            // Creates the database.
            parts.context(service).await;
        }
        let text = |section: &str, key: &str| -> String {
            let section: serde_json::Value = parts.settings.section(section).unwrap();
            section[key].as_str().unwrap().to_owned()
        };
        let seed = "5a".repeat(32);
        let mut environment = vec![
            variable("SITE__PUBLIC_ADDRESS", "http://127.0.0.1:1"),
            variable("PRINCIPAL__SEED", &seed),
            variable("ORDER__SWEEP_MS", "50"),
            variable("ORDER__RETRY_S", "0"),
            variable("PAYMENT__SWEEP_MS", "50"),
            variable("PAYMENT__RETRY_S", "0"),
            variable("PAYMENT__ABANDONED_S", "3"),
        ];
        for (section, key) in [
            ("database", "url"),
            ("bus", "url"),
            ("bus", "namespace"),
            ("cache", "url"),
            ("cache", "namespace"),
        ] {
            environment.push(variable(&format!("{section}__{key}"), &text(section, key)));
        }
        let mut settings = Settings::load_from(DEFAULTS, None, Vec::new()).unwrap();
        settings.set("principal", "seed", seed);
        let data = parts.folder.path().display().to_string();
        let principals = Principals::load(&settings, &data, parts.parts.clock.clone()).unwrap();
        let database = text("database", "url");
        let mut started = Self {
            environment,
            ports: SERVICES
                .into_iter()
                .chain(AROUND)
                .map(|name| (name, free_port()))
                .collect(),
            processes: BTreeMap::new(),
            principals,
            database,
            parts,
        };
        for service in SERVICES {
            started.run(service, None);
        }
        started
    }

    fn address(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}", self.ports[name])
    }

    /// Adds the sandbox's Alipay and WeChat Pay, and the gateway that receives their notifications.
    async fn open_channels(&mut self) {
        let sandbox = self.address("sandbox");
        let (payment, site) = (self.ports["payment"], self.address("gateway"));
        let pages = self.parts.folder.path().join("pages");
        std::fs::create_dir(&pages).unwrap();
        std::fs::write(pages.join("index.html"), "").unwrap();
        self.environment.extend([
            variable("SANDBOX__ENABLED", "true"),
            variable("SANDBOX__PAY__RETRY_FACTOR", "0.01"),
            variable("PAYMENT__NOTIFY_ADDRESS", &site),
            variable("PAYMENT__CHANNEL_WAIT_MS", "2000"),
            variable("PAYMENT__RETRY_LONGEST_S", "0"),
            variable("GATEWAY__CLIENT__SECRET", &"5b".repeat(16)),
            variable("GATEWAY__STATIC_DIR", &pages.display().to_string()),
            variable(
                "GATEWAY__UPSTREAMS__PAYMENT",
                &format!("127.0.0.1:{payment}"),
            ),
        ]);
        let keys = self
            .command("sandbox")
            .args(["keys", "--address", &sandbox])
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        let file = self.parts.folder.path().join("channels.toml");
        std::fs::write(&file, keys.stdout).unwrap();
        self.environment
            .push(("XUANLAN_CONFIG".to_owned(), file.display().to_string()));
        for name in AROUND {
            self.run(name, None);
        }
        self.run("payment", None);
        let deadline = Instant::now() + PATIENCE;
        let pages = [format!("{sandbox}/books"), format!("{site}/healthz")];
        for page in pages {
            while reqwest::get(&page).await.is_err() {
                assert!(Instant::now() < deadline, "{page} does not answer");
                sleep(Duration::from_millis(50)).await;
            }
        }
    }

    fn command(&self, service: &str) -> Command {
        let mut command = Command::new(program());
        let data = self.parts.folder.path().join(service);
        command
            .arg(service)
            .envs(self.environment.iter().cloned())
            .env("XUANLAN__DATA__DIR", data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Starts a service, and kills the running one.
    fn run(&mut self, service: &'static str, fail: Option<&str>) {
        self.processes.remove(service);
        let mut command = self.command(service);
        let listen = format!("127.0.0.1:{}", self.ports[service]);
        command.env(
            format!("XUANLAN__{}__LISTEN", service.to_uppercase()),
            listen,
        );
        if let Some(fail) = fail {
            command.env("XUANLAN_FAILPOINTS", format!("{fail}=abort"));
        }
        let child = command.spawn().unwrap();
        self.processes.insert(service, Process { child });
    }

    /// Whether a service has died; checks its exit status.
    fn died(&mut self, service: &str) -> bool {
        let process = self.processes.get_mut(service).unwrap();
        match process.child.try_wait().unwrap() {
            None => false,
            Some(status) => {
                assert_eq!(status.code(), None, "{service} ended by itself");
                true
            }
        }
    }

    fn channel(&self, service: &str) -> Channel {
        Endpoint::from_shared(self.address(service))
            .unwrap()
            .connect_lazy()
    }

    fn by_user<T>(&self, audience: &str, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.set_timeout(Duration::from_secs(5));
        let principal = Principal {
            login_id: USER.to_owned(),
            audience: audience.to_owned(),
            ..Default::default()
        };
        self.principals
            .attach(principal, request.metadata_mut())
            .unwrap();
        request
    }

    async fn order(&self) -> Result<String, Status> {
        let request = CreateMemberOrderRequest {
            member_grade_id: "1".to_owned(),
            ..Default::default()
        };
        let mut orders = OrderApiClient::new(self.channel("order"));
        let made = orders
            .create_member_order(self.by_user("order", request))
            .await?;
        Ok(made.into_inner().order_id)
    }

    async fn pay(&self, order: &str, way: &str) -> anyhow::Result<()> {
        let request = PayRequest {
            order_id: order.to_owned(),
            ..Default::default()
        };
        let request = self.by_user("payment", request);
        let mut payments = PaymentApiClient::new(self.channel("payment"));
        let sandbox = self.address("sandbox");
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let http = http.build()?;
        let (page, press) = match way {
            "alipay" => {
                let form = payments.pc_alipay(request).await?.into_inner().form;
                let form = http.post(attribute(&form, "action")).form(&fields(&form));
                let answer = form.send().await?;
                let place = answer.headers().get("location").map(|l| l.to_str());
                let place = place.transpose()?.unwrap_or_default();
                let (page, number) = place.split_once("?no=").unwrap_or_default();
                (page.to_owned(), ("no", number.to_owned()))
            }
            "wechat" => {
                let code = payments.weixin_pay(request).await?.into_inner().code_url;
                let (_, code) = code.split_once("pr=").unwrap_or_default();
                ("/wechat/phone".to_owned(), ("pr", code.to_owned()))
            }
            _ => return Ok(payments.cloud_coin_pay(request).await.map(drop)?),
        };
        let press = [press, ("act", "pay".to_owned())];
        let pressed = http.post(format!("{sandbox}{page}")).form(&press);
        pressed.send().await?.error_for_status()?;
        Ok(())
    }

    /// Whether an order is paid and delivered.
    async fn is_delivered(&self, order: &str) -> bool {
        let request = OrderRequest {
            order_id: order.to_owned(),
            ..Default::default()
        };
        let mut orders = OrderApiClient::new(self.channel("order"));
        let found = orders
            .find_by_order_id(self.by_user("order", request))
            .await;
        found.is_ok_and(|found| found.into_inner().fulfilled)
    }

    /// Like a user: retries until the membership is active, while `service` dies at `step` and is restarted.
    async fn buy(&mut self, way: &str, service: &'static str, step: &str) {
        let deadline = Instant::now() + PATIENCE;
        let mut order = None;
        let mut has_paid = false;
        let mut has_died = false;
        loop {
            assert!(
                Instant::now() < deadline,
                "{way} {step}: died {has_died}, order {order:?}, paid {has_paid}"
            );
            if !has_died && self.died(service) {
                has_died = true;
                self.run(service, None);
            }
            match &order {
                None => order = self.order().await.ok(),
                // After an outside payment it only waits; coins are sent again until the order is paid.
                Some(id) if !self.is_delivered(id).await => {
                    if !has_paid || way == "coins" {
                        has_paid = self.pay(id, way).await.is_ok();
                    }
                }
                // Steps outside the delivery may come after it.
                Some(_) if has_died => break,
                Some(_) => {}
            }
            sleep(Duration::from_millis(50)).await;
        }
    }
}

fn variable(name: &str, value: &str) -> (String, String) {
    (
        format!("XUANLAN__{}", name.to_uppercase()),
        value.to_owned(),
    )
}

#[tokio::test]
async fn invariant_7_each_program_is_killed_at_each_step_and_started_again() {
    if !has_servers() {
        return;
    }
    let mut deployed = Deployment::start().await;
    let cents = (COIN_STEPS.len() * 29_900).to_string();
    let granted = deployed
        .command("payment")
        .args(["grant", "--owner", USER, "--key", "test", "--cents", &cents])
        .status()
        .unwrap();
    assert!(granted.success());
    for step in COIN_STEPS {
        let service = service_of(step);
        deployed.run(service, Some(step));
        deployed.buy("coins", service, step).await;
    }
    let found = audit::ask(&deployed.database, &["--wait", "60"]).unwrap();
    assert_eq!(found, [""; 0]);
    let listed = deployed
        .command("payment")
        .args(["attempts", "--state", "succeeded", "--json"])
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    let listed: Vec<serde_json::Value> = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed.len(), COIN_STEPS.len());
}

/// The service that a step belongs to.
fn service_of(step: &str) -> &'static str {
    let name = step.split('.').next().unwrap();
    SERVICES.into_iter().find(|known| *known == name).unwrap()
}

#[tokio::test]
async fn invariant_7_each_program_is_killed_at_each_step_of_alipay_and_wechat() {
    if !has_servers() {
        return;
    }
    let mut deployed = Deployment::start().await;
    deployed.open_channels().await;
    for way in ["alipay", "wechat"] {
        for step in OUTSIDE_STEPS {
            let service = service_of(step);
            deployed.run(service, Some(step));
            deployed.buy(way, service, step).await;
        }
    }
    let books = deployed.address("sandbox");
    let found = audit::ask(&deployed.database, &["--wait", "60", "--books", &books]).unwrap();
    assert_eq!(found, [""; 0]);
    let books = reqwest::get(format!("{books}/books")).await.unwrap();
    let books: serde_json::Value = books.json().await.unwrap();
    let trades = books["trades"].as_array().unwrap();
    let paid = trades.iter().filter(|trade| trade["state"] == "paid");
    let paid: i64 = paid.map(|trade| trade["amount"].as_i64().unwrap()).sum();
    // Each user paid once.
    assert_eq!(paid, 2 * OUTSIDE_STEPS.len() as i64 * PRICE);
    assert_eq!(books["refunds"].as_array().unwrap().len(), 0);
}
