//! What every part of the service shares.

use std::sync::Arc;

use chassis::Context;
use chassis::messaging::Outbox;
use proto::order::v1::OrderMoved;

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

    /// Opens the service for one operator command; starts no background tasks.
    pub fn open(context: &Context) -> anyhow::Result<Self> {
        Self::new(context.clone())
    }

    /// Pushes the state of an order to the owner's pages; call it after the commit.
    pub(crate) fn push_order(&self, owner: &str, order_id: &str, status: i32) {
        let moved = OrderMoved {
            order_id: order_id.to_owned(),
            status,
        };
        self.context.bus.push(owner, &moved);
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }
}
