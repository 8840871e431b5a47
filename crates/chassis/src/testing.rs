//! For integration tests: parts on embedded backends, and on real servers where the environment names them.
//!
//! `XUANLAN_TEST_POSTGRES` (`postgres://user@host:port`), `XUANLAN_TEST_REDIS` (`redis://…`), `XUANLAN_TEST_AMQP`
//! (`amqp://…`). With `XUANLAN_TEST_REQUIRE=1` a missing one is a failure, never a skip.

use sea_orm::{ConnectionTrait, Database};
use tempfile::TempDir;

use crate::{Context, Parts, Settings, Shutdown};

/// Which parts stand behind the services under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// SQLite, memory, a folder.
    Embedded,
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

/// The shapes that can be tested here: embedded always, servers when the environment names them.
pub fn shapes() -> Vec<Shape> {
    match servers() {
        Some(_) => vec![Shape::Embedded, Shape::Servers],
        None => vec![Shape::Embedded],
    }
}

/// Parts of one test, apart from those of every other test.
pub struct TestParts {
    pub parts: Parts,
    pub settings: Settings,
    pub folder: TempDir,
    shape: Shape,
    run: String,
}

impl TestParts {
    /// Opens parts; `change` may set values before they are read.
    pub async fn open(shape: Shape, defaults: &[&str], change: impl FnOnce(&mut Settings)) -> Self {
        crate::prepare_process();
        let folder = TempDir::new().expect("a temporary folder");
        let run = format!("t{}", uuid::Uuid::now_v7().simple());
        let data = folder.path().display().to_string();
        let variables = [("XUANLAN__DATA__DIR".to_owned(), data)];
        let mut settings =
            Settings::load_from(defaults, None, variables).expect("defaults are valid");
        if shape == Shape::Servers {
            let servers = servers().expect("asked for by shapes()");
            settings.set(
                "database",
                "url",
                format!("{}/{run}_{{service}}", servers.postgres),
            );
            settings.set("cache", "url", servers.redis);
            settings.set("bus", "url", servers.amqp);
        }
        settings.set("cache", "namespace", run.clone());
        settings.set("bus", "namespace", run.clone());
        change(&mut settings);
        let parts = Parts::open(settings.clone(), Shutdown::new())
            .await
            .expect("parts open");
        Self {
            parts,
            settings,
            folder,
            shape,
            run,
        }
    }

    /// The context of a service; on servers its database is made first.
    pub async fn context(&self, service: &'static str) -> Context {
        if self.shape == Shape::Servers {
            let servers = servers().expect("asked for by shapes()");
            let admin = Database::connect(format!("{}/postgres", servers.postgres))
                .await
                .expect("PostgreSQL answers");
            let made = admin
                .execute_unprepared(&format!("CREATE DATABASE {}_{service}", self.run))
                .await;
            made.expect("database made");
        }
        self.parts.context(service).await.expect("context opens")
    }

    /// Ends everything that runs in the background.
    pub async fn finish(self) {
        self.parts
            .shutdown
            .finish(std::time::Duration::from_secs(10))
            .await;
    }
}

/// Waits until `check` answers `Some`; fails after 30 seconds.
pub async fn eventually<T, F>(what: &str, mut check: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
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
