//! State shared by all parts of the service.

use std::sync::Arc;

use chassis::Context;
use chassis::messaging::Outbox;
use chassis::words::Words;
use facts::Uploads;
use proto::process::v1::JobQueued;
use tokio::sync::{Notify, OnceCell};

use crate::config::ProcessConfig;
use crate::worker::Slots;

/// Handle of the service; clones share its state.
#[derive(Clone)]
pub struct Process {
    pub(crate) context: Context,
    pub(crate) config: Arc<ProcessConfig>,
    pub(crate) uploads: Arc<Uploads>,
    pub(crate) outbox: Outbox,
    pub(crate) words: Words,
    /// Wakes the workers of this process.
    pub(crate) wake: Arc<Notify>,
    /// Jobs this process works on.
    pub(crate) slots: Slots,
    pub(crate) engine_version: Arc<OnceCell<String>>,
}

impl Process {
    pub(crate) fn new(context: Context) -> anyhow::Result<Self> {
        let config: ProcessConfig = context.settings.section("process")?;
        let uploads: Uploads = context.settings.section("uploads")?;
        Ok(Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            words: Words::new(context.db.clone(), &config.words_file)?,
            wake: Arc::new(Notify::new()),
            slots: Slots::new(config.workers),
            engine_version: Arc::default(),
            config: Arc::new(config),
            uploads: Arc::new(uploads),
            context,
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// The engine's version; a unique one if it cannot be determined.
    pub(crate) async fn engine_version(&self) -> String {
        let version = self
            .engine_version
            .get_or_try_init(|| crate::engine::version(&self.config));
        match version.await {
            Ok(version) => version.clone(),
            Err(error) => {
                tracing::warn!(%error, "no version of the engine");
                format!("unknown {}", chassis::ids::new_id())
            }
        }
    }

    /// Notifies the relay, and for a new job the workers here and in other processes.
    pub(crate) fn committed(&self, new_job: bool) {
        self.outbox.wake();
        if new_job {
            self.wake.notify_one();
            self.context.bus.notify(&JobQueued {});
        }
    }
}
