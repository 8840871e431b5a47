//! Needs and providers as operators have them. Effect and audit entry are one transaction.

mod demands;
mod grpc;
mod providers;

use chassis::audit::{self, Deed};
use chassis::{Caller, ServiceError};
use proto::matchup::v1::AuditRecorded;
use sea_orm::DatabaseTransaction;
use serde_json::json;

use crate::Matchup;
use crate::state::invalid;

/// A state as it was, and as it became.
type Change<'a> = (&'a str, &'a str);

impl Matchup {
    /// Writes the entry of what `caller` does to `target`.
    async fn audit(
        &self,
        transaction: &DatabaseTransaction,
        caller: &Caller,
        target: &str,
        (before, after): Change<'_>,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let deed = Deed {
            target,
            before: json!({"state": before}),
            after: json!({"state": after}),
            reason,
            by: None,
        };
        let event = |entry| AuditRecorded { entry: Some(entry) };
        audit::record(&self.outbox, transaction, crate::NAME, caller, deed, event).await
    }
}

/// Whether it is approved.
fn approved(decision: &str) -> Result<bool, ServiceError> {
    match decision {
        "approve" => Ok(true),
        "refuse" => Ok(false),
        _ => Err(invalid("请选择通过或不通过")),
    }
}
