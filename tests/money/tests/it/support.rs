//! A world for one test.

use std::net::TcpListener;

use chassis::testing::{MigratorTrait, OwnServers, Shape, TestParts};
use chassis::{Context, Settings};
use money::{Contexts, DEFAULTS, World, hurry, hurry_after_faults};
use rand::RngExt;

pub const MINUTE_MS: i64 = 60_000;

pub struct Test {
    pub world: World,
    parts: TestParts,
}

impl std::ops::Deref for Test {
    type Target = World;
    fn deref(&self) -> &World {
        &self.world
    }
}

impl Test {
    pub async fn start(shape: Shape) -> Self {
        Self::start_with(TestParts::open(shape, DEFAULTS, hurry).await).await
    }

    /// With [`money::hurry_after_faults`], and a running clock: work interrupted by a fault is resumed after a while.
    pub async fn start_after_faults(shape: Shape) -> Self {
        let parts = TestParts::open(shape, DEFAULTS, hurry_after_faults).await;
        parts.parts.clock.run();
        Self::start_with(parts).await
    }

    /// With other settings than those of [`hurry`].
    pub async fn start_changed(shape: Shape, change: impl FnOnce(&mut Settings)) -> Self {
        let parts = TestParts::open(shape, DEFAULTS, |settings| {
            hurry(settings);
            change(settings);
        });
        Self::start_with(parts.await).await
    }

    /// On servers of the test's own, with topics.
    pub async fn start_on(own: &OwnServers) -> Self {
        let parts = TestParts::open_on(own, DEFAULTS, |settings| {
            hurry(settings);
            settings.set("stream", "url", own.kafka().url);
        });
        Self::start_with(parts.await).await
    }

    pub async fn start_with(parts: TestParts) -> Self {
        let contexts = contexts(&parts).await;
        let world = World::start(parts.parts.clone(), contexts).await.unwrap();
        Self { world, parts }
    }

    /// The context of a stand-in for a service, with an empty database.
    pub async fn context(&self, service: &'static str) -> Context {
        self.parts.context(service).await
    }

    /// The context of a service beside those of the world.
    pub async fn migrated<M: MigratorTrait>(&self, service: &'static str) -> Context {
        self.parts.migrated::<M>(service).await
    }

    /// The full name of a topic of this test.
    pub fn topic(&self, name: &str) -> String {
        self.parts.topic(name)
    }

    /// Moves the clock of all services.
    pub fn later(&self, minutes: i64) {
        self.world.parts.clock.advance_ms(minutes * MINUTE_MS);
    }

    /// Waits until all work has finished, audits, ends.
    pub async fn sound(self, shape: Shape) {
        let findings = self.world.settle().await.unwrap();
        assert!(findings.is_empty(), "{shape:?}: {findings:?}");
        self.parts.finish().await;
    }
}

/// The databases of order, payment and personal, each with its tables.
pub async fn contexts(parts: &TestParts) -> Contexts {
    Contexts {
        order: parts.migrated::<xl_order::Migrator>(xl_order::NAME).await,
        payment: parts
            .migrated::<xl_payment::Migrator>(xl_payment::NAME)
            .await,
        personal: parts
            .migrated::<xl_personal::Migrator>(xl_personal::NAME)
            .await,
    }
}

/// A free port below the ephemeral range: an outgoing connection could otherwise take it before the server
/// listens, or while that server is killed.
pub fn free_port() -> u16 {
    loop {
        let port = rand::rng().random_range(12_000..32_768);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
