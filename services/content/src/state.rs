//! State shared by all parts of the service.

use chassis::audit::{self, Deed};
use chassis::messaging::Outbox;
use chassis::{BusinessError, Context, Operator, ServiceError};
use proto::code;
use proto::content::v1::{AuditRecorded, ContentChanged};
use sea_orm::DatabaseTransaction;

/// Handle of the service; clones share it.
#[derive(Clone)]
pub struct Library {
    pub(crate) context: Context,
    pub(crate) outbox: Outbox,
}

impl Library {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            context,
        }
    }

    /// Unix time in milliseconds.
    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// Notifies gateways that the shown content has changed, so that they drop it. One that misses this keeps it for a minute.
    pub(crate) fn tell_gateways(&self) {
        self.context.bus.notify(&ContentChanged {});
    }

    pub(crate) async fn audit(
        &self,
        transaction: &DatabaseTransaction,
        operator: &Operator,
        deed: Deed<'_>,
    ) -> Result<(), ServiceError> {
        let event = |entry| AuditRecorded { entry: Some(entry) };
        let outbox = &self.outbox;
        audit::record(outbox, transaction, crate::NAME, operator, deed, event).await
    }
}

pub(crate) fn conflict(message: &str) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

pub(crate) fn invalid(message: impl Into<String>) -> ServiceError {
    BusinessError::invalid(message).into()
}

pub(crate) fn missing() -> ServiceError {
    BusinessError::not_found("没有这篇内容").into()
}
