//! What every part of the service shares.

use std::sync::Arc;

use chassis::Context;
use chassis::messaging::Outbox;

use crate::config::OrderConfig;

/// Handle of the service; clones share it.
#[derive(Clone)]
pub struct Orders {
    pub(crate) context: Context,
    pub(crate) config: Arc<OrderConfig>,
    pub(crate) outbox: Outbox,
}

impl Orders {
    pub(crate) fn new(context: Context) -> anyhow::Result<Self> {
        let config: OrderConfig = context.settings.section("order")?;
        config.check()?;
        Ok(Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            config: Arc::new(config),
            context,
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }
}
