//! State shared by all parts of the service.

use std::sync::Arc;

use chassis::Context;
use chassis::messaging::Outbox;

use crate::config::AnalyticsConfig;

/// The service; clones share everything.
#[derive(Clone)]
pub(crate) struct Analytics {
    pub context: Context,
    pub config: Arc<AnalyticsConfig>,
    pub outbox: Outbox,
}

impl Analytics {
    pub fn new(context: Context) -> anyhow::Result<Self> {
        let config = Arc::new(context.settings.section("analytics")?);
        let outbox = Outbox::new(context.db.clone(), context.clock.clone());
        Ok(Self {
            context,
            config,
            outbox,
        })
    }

    /// Unix time in milliseconds.
    pub fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }
}
