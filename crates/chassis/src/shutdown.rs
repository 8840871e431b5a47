//! Orderly end: a signal asks, background tasks finish what they hold, then the process ends.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Shared by everything that runs in one process.
#[derive(Clone, Default)]
pub struct Shutdown {
    token: CancellationToken,
    tasks: TaskTracker,
}

impl Shutdown {
    pub fn new() -> Self {
        Self::default()
    }

    /// Resolves when the process is asked to end.
    pub async fn requested(&self) {
        self.token.cancelled().await;
    }

    pub fn is_requested(&self) -> bool {
        self.token.is_cancelled()
    }

    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// Asks everything to end.
    pub fn request(&self) {
        self.token.cancel();
    }

    /// Runs a task that [`Shutdown::finish`] waits for. The task has to watch [`Shutdown::requested`].
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Asks everything to end and waits for the tasks, at most `patience`; `false` if some did not end in time.
    pub async fn finish(&self, patience: Duration) -> bool {
        self.request();
        self.tasks.close();
        tokio::time::timeout(patience, self.tasks.wait())
            .await
            .is_ok()
    }

    /// Resolves on SIGTERM or SIGINT.
    pub async fn signal() {
        use tokio::signal::unix::{SignalKind, signal};
        let terminate = signal(SignalKind::terminate());
        let interrupt = signal(SignalKind::interrupt());
        match (terminate, interrupt) {
            (Ok(mut terminate), Ok(mut interrupt)) => {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            }
            // Without handlers the default action ends the process anyway.
            _ => std::future::pending().await,
        }
    }
}
