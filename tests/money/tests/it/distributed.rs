//! 7 with the programs that are really deployed: `xuanlan-order`, `xuanlan-payment` and `xuanlan-personal`, each a process
//! of its own on PostgreSQL, RabbitMQ and Redis, killed at every fail point and started again.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use chassis::testing::{Shape, TestParts, shapes};
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

use crate::faults::COIN_STEPS;
use crate::support::free_port;

const USER: &str = "u1";
const SERVICES: [&str; 3] = ["order", "payment", "personal"];
/// After this a step has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that `cargo build` has put beside the tests.
fn program(service: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let folder = own.parent().and_then(|deps| deps.parent()).unwrap();
    let program = folder.join(format!("xuanlan-{service}"));
    assert!(program.is_file(), "cargo build -p xuanlan-{service}");
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

/// What is deployed: where the parts are, and the processes.
struct Deployment {
    environment: Vec<(String, String)>,
    ports: [u16; 3],
    processes: Vec<Option<Process>>,
    principals: Principals,
    database: String,
    // Holds the folder of the processes' data.
    parts: TestParts,
}

impl Deployment {
    async fn start() -> Self {
        let parts = TestParts::open(Shape::Servers, DEFAULTS, |_| {}).await;
        for service in SERVICES {
            // Makes the database.
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
            ports: [0; 3].map(|_: u16| free_port()),
            processes: vec![None, None, None],
            principals,
            database,
            parts,
        };
        for service in SERVICES {
            started.run(service, None);
        }
        started
    }

    fn command(&self, service: &str) -> Command {
        let mut command = Command::new(program(service));
        let data = self.parts.folder.path().join(service);
        command
            .envs(self.environment.iter().cloned())
            .env("XUANLAN__DATA__DIR", data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Starts a service, in the place of the one that runs, which is killed.
    fn run(&mut self, service: &str, fail: Option<&str>) {
        let at = SERVICES.iter().position(|known| *known == service).unwrap();
        self.processes[at] = None;
        let mut command = self.command(service);
        let listen = format!("127.0.0.1:{}", self.ports[at]);
        command.env(
            format!("XUANLAN__{}__LISTEN", service.to_uppercase()),
            listen,
        );
        if let Some(fail) = fail {
            command.env("XUANLAN_FAILPOINTS", format!("{fail}=abort"));
        }
        let child = command.spawn().unwrap();
        self.processes[at] = Some(Process { child });
    }

    /// Whether a service has died; how it did is looked at.
    fn died(&mut self, service: &str) -> bool {
        let at = SERVICES.iter().position(|known| *known == service).unwrap();
        let process = self.processes[at].as_mut().unwrap();
        match process.child.try_wait().unwrap() {
            None => false,
            Some(status) => {
                assert_eq!(status.code(), None, "{service} ended by itself");
                true
            }
        }
    }

    fn channel(&self, at: usize) -> Channel {
        let address = format!("http://127.0.0.1:{}", self.ports[at]);
        Endpoint::from_shared(address).unwrap().connect_lazy()
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
        let mut orders = OrderApiClient::new(self.channel(0));
        let made = orders
            .create_member_order(self.by_user("order", request))
            .await?;
        Ok(made.into_inner().order_id)
    }

    async fn pay(&self, order: &str) -> Result<(), Status> {
        let request = PayRequest {
            order_id: order.to_owned(),
            ..Default::default()
        };
        let mut payments = PaymentApiClient::new(self.channel(1));
        payments
            .cloud_coin_pay(self.by_user("payment", request))
            .await
            .map(drop)
    }

    /// Whether an order is paid and delivered.
    async fn is_delivered(&self, order: &str) -> bool {
        let request = OrderRequest {
            order_id: order.to_owned(),
            ..Default::default()
        };
        let mut orders = OrderApiClient::new(self.channel(0));
        let found = orders
            .find_by_order_id(self.by_user("order", request))
            .await;
        found.is_ok_and(|found| found.into_inner().fulfilled)
    }

    /// What a person does until the membership is there, while `service` dies at `step` and comes back.
    async fn buy(&mut self, service: &str, step: &str) {
        let deadline = Instant::now() + PATIENCE;
        let mut order = None;
        let mut has_died = false;
        loop {
            assert!(
                Instant::now() < deadline,
                "{step}: died {has_died}, order {order:?}"
            );
            if !has_died && self.died(service) {
                has_died = true;
                self.run(service, None);
            }
            match &order {
                None => order = self.order().await.ok(),
                Some(id) if !self.is_delivered(id).await => drop(self.pay(id).await),
                // Steps beside the delivery may come after it.
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
    if !shapes().contains(&Shape::Servers) {
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
        let service = step.split('.').next().unwrap();
        deployed.run(service, Some(step));
        deployed.buy(service, step).await;
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
