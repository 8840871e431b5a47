//! What auth publishes. It consumes nothing.

use chassis::bus::Bus;
use chassis::messaging::Outbox;
use proto::auth::v1::{AccountRegistered, SessionRevoked};
use sea_orm::{ConnectionTrait, DbErr};

use crate::entity::account;
use crate::rules;

/// A person registered.
pub async fn registered(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    account: &account::Model,
) -> Result<(), DbErr> {
    let event = AccountRegistered {
        login_id: account.id.clone(),
        phone_masked: rules::masked(&account.phone),
        profession_code: account.profession_code.clone(),
        registered_at_ms: account.created_at,
        account_number: account.account_number.clone(),
    };
    outbox
        .add(transaction, &account.id, account.version, &event)
        .await
}

/// Tokens ended. The version is the time, since sessions have none.
pub async fn revoked(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    revocation: &Revocation,
    now_ms: i64,
) -> Result<(), DbErr> {
    if revocation.token_hashes.is_empty() {
        return Ok(());
    }
    let event = SessionRevoked {
        login_id: revocation.login_id.clone(),
        token_hashes: revocation.token_hashes.clone(),
    };
    outbox
        .add(transaction, &revocation.login_id, now_ms, &event)
        .await
}

/// Tokens of one account that ended.
#[derive(Debug, Clone, Default)]
pub struct Revocation {
    pub login_id: String,
    /// Lower-case hex SHA-256 each.
    pub token_hashes: Vec<String>,
}

impl Revocation {
    /// Tells the gateways at once; call it after the transaction was committed.
    pub fn push(&self, bus: &Bus) {
        if self.token_hashes.is_empty() {
            return;
        }
        let message = serde_json::json!({
            "type": "REVOKED",
            "loginId": self.login_id,
            "tokenHashes": self.token_hashes,
        });
        bus.push("#gateway", message.to_string());
    }
}
