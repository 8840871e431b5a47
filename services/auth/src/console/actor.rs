//! The actor of an operator's deed: an operator at the console, or a command on the machine. Both leave an audit entry in the
//! transaction of the effect.

use chassis::audit::{self, Deed};
use chassis::messaging::Outbox;
use chassis::{Operator, ServiceError};
use proto::auth::v1::AuditRecorded;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::operator;

/// The actor of an operator's deed.
pub struct Actor<'a> {
    name: String,
    door: Door<'a>,
}

enum Door<'a> {
    Console(&'a Operator),
    /// For example `certification`.
    Command(&'a str),
}

impl<'a> Actor<'a> {
    pub fn console(operator: &'a Operator) -> Self {
        Self {
            name: operator.name().to_owned(),
            door: Door::Console(operator),
        }
    }

    /// The caller of a command gives a name (`--by`). Errors: it is no valid operator name.
    pub fn command(command: &'a str, by: &str) -> Result<Self, ServiceError> {
        Ok(Self {
            name: operator::name(by)?,
            door: Door::Command(command),
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes the audit entry into the transaction of the effect. The caller wakes the outbox after its commit.
    pub async fn record(
        &self,
        outbox: &Outbox,
        transaction: &impl ConnectionTrait,
        deed: Deed<'_>,
    ) -> Result<(), ServiceError> {
        let event = |entry| AuditRecorded { entry: Some(entry) };
        match self.door {
            Door::Console(operator) => {
                audit::record(outbox, transaction, crate::NAME, operator, deed, event).await
            }
            Door::Command(command) => {
                let after = said_by(deed.after, &self.name);
                let deed = Deed { after, ..deed };
                audit::record_command(outbox, transaction, crate::NAME, command, deed, event).await
            }
        }
    }
}

/// Adds the name given to a command to what it did: the entry itself names the command.
fn said_by(after: Value, name: &str) -> Value {
    match after {
        Value::Object(mut fields) => {
            fields.insert("by".to_owned(), json!(name));
            Value::Object(fields)
        }
        Value::Null => json!({"by": name}),
        other => json!({"by": name, "value": other}),
    }
}
