//! What every part of the service shares.

use std::sync::Arc;

use chassis::Context;
use chassis::messaging::Outbox;
use contentscan::Scanner;
use facts::Uploads;
use tokio::sync::{Notify, Semaphore};

use crate::config::ProcessConfig;

/// Handle of the service; clones share it.
#[derive(Clone)]
pub struct Process {
    pub(crate) context: Context,
    pub(crate) config: Arc<ProcessConfig>,
    pub(crate) uploads: Arc<Uploads>,
    pub(crate) outbox: Outbox,
    pub(crate) scanner: Arc<Scanner>,
    /// Wakes a worker of this process.
    pub(crate) wake: Arc<Notify>,
    /// Held by the worker of this process that turns a preview.
    pub(crate) turning: Arc<Semaphore>,
}

impl Process {
    pub(crate) fn new(context: Context) -> anyhow::Result<Self> {
        let config: ProcessConfig = context.settings.section("process")?;
        let uploads: Uploads = context.settings.section("uploads")?;
        let words = match config.words_file.as_str() {
            "" => String::new(),
            path => std::fs::read_to_string(path)?,
        };
        Ok(Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            scanner: Arc::new(Scanner::new(&words)),
            wake: Arc::new(Notify::new()),
            turning: Arc::new(Semaphore::new(1)),
            config: Arc::new(config),
            uploads: Arc::new(uploads),
            context,
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// Tells relay and workers, here and in other processes, that something was committed.
    pub(crate) fn committed(&self, new_job: bool) {
        self.outbox.wake();
        if new_job {
            self.wake.notify_one();
            self.context.bus.push(crate::worker::WAKE, String::new());
        }
    }
}

/// A new id: sortable by time.
pub(crate) fn new_id() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}
