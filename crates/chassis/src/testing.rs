//! For integration tests: parts on embedded backends, and on real servers where the environment names them.
//!
//! `XUANLAN_TEST_POSTGRES` (`postgres://user@host:port`), `XUANLAN_TEST_REDIS` (`redis://…`), `XUANLAN_TEST_AMQP`
//! (`amqp://…`), `XUANLAN_TEST_KAFKA` (`kafka://…`), `XUANLAN_TEST_PYTHON` (an interpreter that has the packages of
//! `scripts/test-requirements.txt`), `XUANLAN_TEST_SHAPE` (see [`shapes`]). With `XUANLAN_TEST_REQUIRE=1` a missing one is a
//! failure, never a skip.

pub mod console;
mod pages;
mod proxy;
mod running;
mod template;

pub use pages::{SitePage, site_pages};
pub use proxy::{HeldTable, Proxy};
pub use running::{Running, code_of, message_of};
use sea_orm::DatabaseConnection;
pub use sea_orm_migration::MigratorTrait;
use tempfile::TempDir;

use crate::{Context, Parts, Settings, Shutdown};

/// Backends of the services under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// SQLite, memory, a folder.
    Embedded,
    /// PostgreSQL, memory.
    Database,
    /// PostgreSQL, Redis, RabbitMQ.
    Servers,
}

struct Servers {
    postgres: String,
    redis: String,
    amqp: String,
}

fn servers() -> Option<Servers> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let found = variable("XUANLAN_TEST_POSTGRES")
        .zip(variable("XUANLAN_TEST_REDIS"))
        .zip(variable("XUANLAN_TEST_AMQP"));
    match found {
        Some(((postgres, redis), amqp)) => Some(Servers {
            postgres,
            redis,
            amqp,
        }),
        None => {
            let required = variable("XUANLAN_TEST_REQUIRE").is_some();
            assert!(
                !required,
                "XUANLAN_TEST_POSTGRES, _REDIS and _AMQP have to be set: run scripts/test"
            );
            None
        }
    }
}

/// Kafka, and a third-party client to read it with.
pub struct Kafka {
    /// `kafka://host:port`.
    pub url: String,
    /// An interpreter with the packages of `scripts/test-requirements.txt`.
    pub python: String,
}

/// The broker under test; none when the environment names none.
pub fn kafka() -> Option<Kafka> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let found = variable("XUANLAN_TEST_KAFKA").zip(variable("XUANLAN_TEST_PYTHON"));
    assert!(
        found.is_some() || variable("XUANLAN_TEST_REQUIRE").is_none(),
        "XUANLAN_TEST_KAFKA and XUANLAN_TEST_PYTHON have to be set: run scripts/test"
    );
    found.map(|(url, python)| Kafka { url, python })
}

impl Kafka {
    /// Everything in a topic, partition by partition in the broker's order, as confluent-kafka reads it.
    pub fn read(&self, topic: &str) -> Vec<serde_json::Value> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/read_topic.py");
        let brokers = self.url.trim_start_matches("kafka://");
        let output = std::process::Command::new(&self.python)
            .args([script, brokers, topic])
            .output()
            .expect("the interpreter starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{topic}: {said}");
        let lines = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }
}

/// Servers of one test alone, in a folder of its own, that it may kill.
pub struct OwnServers {
    folder: TempDir,
}

impl OwnServers {
    /// Starts all of them; none where `shapes()` has no servers.
    pub fn start() -> Option<Self> {
        servers()?;
        let own = Self {
            folder: TempDir::new().expect("a temporary folder"),
        };
        own.run(&["start"]);
        Some(own)
    }

    /// A variable that names a server, for example `XUANLAN_TEST_KAFKA`.
    pub fn variable(&self, name: &str) -> String {
        let file = self.folder.path().join("environment");
        let text = std::fs::read_to_string(file).expect("the servers have started");
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("export {name}=")));
        line.expect("a known variable").to_owned()
    }

    /// Kafka of these servers.
    pub fn kafka(&self) -> Kafka {
        Kafka {
            url: self.variable("XUANLAN_TEST_KAFKA"),
            python: kafka().expect("asked for by start()").python,
        }
    }

    /// `kill -9` of `postgres`, `redis`, `rabbit` or `kafka`.
    pub fn kill(&self, name: &str) {
        self.run(&["kill", name]);
    }

    /// Starts it again, on the same port and data.
    pub fn restart(&self, name: &str) {
        self.run(&["restart", name]);
    }

    fn run(&self, words: &[&str]) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/servers");
        let log = self.folder.path().join("log");
        let output = std::fs::File::create(&log).expect("a log");
        // A file, not a pipe: the servers inherit it and would keep a pipe open.
        let ended = std::process::Command::new(script)
            .arg(words[0])
            .arg(self.folder.path())
            .args(&words[1..])
            .stdin(std::process::Stdio::null())
            .stdout(output.try_clone().expect("a second handle"))
            .stderr(output)
            .status()
            .expect("bash runs");
        let said = std::fs::read_to_string(&log).unwrap_or_default();
        assert!(ended.success(), "{words:?}: {said}");
    }
}

impl Drop for OwnServers {
    fn drop(&mut self) {
        self.run(&["stop"]);
    }
}

/// Whether the environment names servers.
pub fn has_servers() -> bool {
    servers().is_some()
}

/// One shape of each kind of backend: embedded always, servers when the environment names them. For tests that are about these
/// parts.
pub fn every_shape() -> Vec<Shape> {
    match has_servers() {
        true => vec![Shape::Embedded, Shape::Servers],
        false => vec![Shape::Embedded],
    }
}

/// The shapes of a test that is about a service: `XUANLAN_TEST_SHAPE=database` leaves one of them, so that each test runs once.
pub fn shapes() -> Vec<Shape> {
    match std::env::var("XUANLAN_TEST_SHAPE").as_deref() {
        Ok("database") => vec![Shape::Database],
        Ok(other) if !other.is_empty() => panic!("XUANLAN_TEST_SHAPE={other} is unknown"),
        _ => every_shape(),
    }
}

/// The time at which the clock of a test is stopped until it is moved, whatever day it runs: Wednesday, 25 November 2026, 10:00
/// in China. No day within a year of it is a 29 February; bundled files are older, as their dates are checked; the machine's
/// time is later, as Kafka refuses events of the future and object stores go by the machine's. A test that compares the two
/// uses [`crate::Clock::reset`].
pub const NOW_MS: i64 = 1_795_572_000_000;

/// Parts of one test, apart from those of every other test.
pub struct TestParts {
    pub parts: Parts,
    pub settings: Settings,
    pub folder: TempDir,
    servers: Option<Servers>,
    run: String,
}

impl TestParts {
    /// Opens parts; `change` may set values before they are read.
    pub async fn open(shape: Shape, defaults: &[&str], change: impl FnOnce(&mut Settings)) -> Self {
        let servers = match shape {
            Shape::Embedded => None,
            Shape::Database | Shape::Servers => {
                Some(servers().expect("the environment names servers"))
            }
        };
        Self::open_with(shape, servers, defaults, change).await
    }

    /// As [`TestParts::open`], on servers of the test's own.
    pub async fn open_on(
        own: &OwnServers,
        defaults: &[&str],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let servers = Servers {
            postgres: own.variable("XUANLAN_TEST_POSTGRES"),
            redis: own.variable("XUANLAN_TEST_REDIS"),
            amqp: own.variable("XUANLAN_TEST_AMQP"),
        };
        Self::open_with(Shape::Servers, Some(servers), defaults, change).await
    }

    /// Parts whose database is behind a proxy, and the limits of background work short: what is given up is tried again
    /// until it passes, however slow the machine. None without servers.
    pub async fn behind_proxy(
        defaults: &[&str],
        change: impl FnOnce(&mut Settings),
    ) -> Option<(Self, Proxy)> {
        let servers = servers()?;
        let proxy = Proxy::before(&servers.postgres).await;
        let postgres = proxy.through(&servers.postgres);
        let test = Self::open_with(Shape::Database, Some(servers), defaults, |settings| {
            let url: toml::Table = settings.section("database").expect("a section");
            let url = url["url"].as_str().expect("a text");
            let name = url.rsplit_once('/').expect("an address").1;
            settings.set("database", "url", format!("{postgres}/{name}"));
            settings.set("database", "wait_seconds", 3);
            settings.set("database", "ping_seconds", 1);
            settings.set("database", "idle_transaction_seconds", 1);
            change(settings);
        })
        .await;
        Some((test, proxy))
    }

    /// The database of a service, on servers; past a proxy.
    pub async fn database(&self, service: &str) -> DatabaseConnection {
        let servers = self.servers.as_ref().expect("the test runs on servers");
        template::open(&servers.postgres, &format!("{}_{service}", self.run)).await
    }

    async fn open_with(
        shape: Shape,
        servers: Option<Servers>,
        defaults: &[&str],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        crate::prepare_process();
        let folder = TempDir::new().expect("a temporary folder");
        let run = format!("t{}", uuid::Uuid::now_v7().simple());
        let data = folder.path().display().to_string();
        let variables = [("XUANLAN__DATA__DIR".to_owned(), data)];
        let mut settings =
            Settings::load_from(defaults, None, variables).expect("defaults are valid");
        if let Some(servers) = &servers {
            settings.set(
                "database",
                "url",
                format!("{}/{run}_{{service}}", servers.postgres),
            );
            if shape == Shape::Servers {
                settings.set("cache", "url", servers.redis.clone());
                settings.set("bus", "url", servers.amqp.clone());
            }
        }
        // A busy machine needs ten times the limits of the product. A test about a limit sets it by itself.
        let patience = PATIENCE.as_secs() as i64;
        settings.set("cache", "wait_ms", patience * 1000);
        settings.set("ops", "wait_ms", patience * 1000);
        settings.set("bus", "reply_wait_ms", patience * 1000);
        settings.set("bus", "ask_again_ms", patience * 1000);
        settings.set("bus", "answer_seconds", patience);
        settings.set("database", "acquire_seconds", patience);
        settings.set("database", "wait_seconds", patience);
        // A file of megabytes for each test.
        settings.set("data", "reserve_mb", 0);
        settings.set("cache", "namespace", run.clone());
        settings.set("bus", "namespace", run.clone());
        settings.set("stream", "namespace", run.clone());
        change(&mut settings);
        let parts = Parts::open(settings.clone(), Shutdown::new())
            .await
            .expect("parts open");
        parts.clock.stop_at(NOW_MS);
        Self {
            parts,
            settings,
            folder,
            servers,
            run,
        }
    }

    /// The context of a service, with an empty database; on servers it is made first.
    pub async fn context(&self, service: &'static str) -> Context {
        if let Some(servers) = &self.servers {
            let name = format!("{}_{service}", self.run);
            template::make(&servers.postgres, &name, None).await;
        }
        self.parts.context(service).await.expect("context opens")
    }

    /// The context of a service; on servers its database is a copy of one that `M` has brought up to date.
    pub async fn migrated<M: MigratorTrait>(&self, service: &'static str) -> Context {
        if let Some(servers) = &self.servers {
            let template = template::of::<M>(&servers.postgres, service).await;
            let name = format!("{}_{service}", self.run);
            template::make(&servers.postgres, &name, Some(&template)).await;
        }
        self.parts.context(service).await.expect("context opens")
    }

    /// The full name of a topic of this test.
    pub fn topic(&self, name: &str) -> String {
        format!("{}.{name}", self.run)
    }

    /// Empties the cache, as if Redis had lost everything that this test put there. Only on servers.
    pub async fn empty_redis(&self) {
        let servers = self.servers.as_ref().expect("the test runs on servers");
        let config = deadpool_redis::Config::from_url(&servers.redis);
        let pool = config
            .create_pool(Some(deadpool_redis::Runtime::Tokio1))
            .expect("the address is valid");
        let mut redis = pool.get().await.expect("Redis answers");
        let every =
            "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end";
        let mut script = deadpool_redis::redis::cmd("EVAL");
        script.arg(every).arg(0).arg(format!("{}:*", self.run));
        let () = script.query_async(&mut redis).await.expect("keys removed");
    }

    /// Ends everything that runs in the background.
    pub async fn finish(&self) {
        self.parts
            .shutdown
            .finish(std::time::Duration::from_secs(10))
            .await;
    }
}

/// Longest time that a test waits for what must come. Even the busiest machine needs less.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(180);

/// Waits until `check` answers `Some`; fails after [`PATIENCE`]: work of low priority waits long on a busy machine.
pub async fn eventually<T, F>(what: &str, mut check: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        if let Some(value) = check().await {
            return value;
        }
        assert!(
            tokio::time::Instant::now() < deadline,
            "waited in vain: {what}"
        );
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
