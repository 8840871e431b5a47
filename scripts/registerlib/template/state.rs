//! State shared by all parts of the service, and its calls.

use chassis::messaging::Outbox;
use chassis::{Context, ServiceError};
use proto::@name@::v1::@Name@Calls;

#[derive(Clone)]
pub(crate) struct @Name@ {
    pub(crate) context: Context,
    pub(crate) outbox: Outbox,
}

impl @Name@ {
    pub(crate) fn new(context: Context) -> Self {
        let outbox = Outbox::new(context.db.clone(), context.clock.clone());
        Self { context, outbox }
    }
}

impl @Name@Calls<ServiceError> for @Name@ {}
