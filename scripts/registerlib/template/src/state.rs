//! State shared by all parts of the service.

use chassis::Context;
use chassis::messaging::Outbox;

/// Handle of the service; clones share its state.
#[derive(Clone)]
pub struct @Name@ {
    pub(crate) context: Context,
    pub(crate) outbox: Outbox,
}

impl @Name@ {
    pub(crate) fn new(context: Context) -> Self {
        let outbox = Outbox::new(context.db.clone(), context.clock.clone());
        Self { context, outbox }
    }

    /// Unix time in milliseconds.
    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }
}
