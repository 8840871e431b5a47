//! What auth publishes.

use chassis::messaging::Outbox;
use proto::auth::v1::{AccountChanged, AccountRegistered, IdentityRegistered, SessionRevoked};
use sea_orm::{ConnectionTrait, DbErr};

use crate::entity::account;
use crate::rules;
use crate::session::Revocation;

/// A user registered.
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
    outbox.add(transaction, &account.id, &event).await
}

/// A user registered by a provider: name and picture there.
pub async fn introduced(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    account: &account::Model,
    nickname: &str,
    picture: Vec<u8>,
) -> Result<(), DbErr> {
    let event = IdentityRegistered {
        login_id: account.id.clone(),
        nickname: nickname.to_owned(),
        picture,
    };
    outbox.add(transaction, &account.id, &event).await
}

/// Account data that other services copy has changed.
pub async fn changed(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    account: &account::Model,
) -> Result<(), DbErr> {
    let email = account.email.as_deref();
    let event = AccountChanged {
        login_id: account.id.clone(),
        version: account.version,
        phone_masked: rules::masked(&account.phone),
        email_masked: email.map(rules::masked_email).unwrap_or_default(),
    };
    outbox.add(transaction, &account.id, &event).await
}

/// Tokens ended.
pub async fn revoked(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    revocation: &Revocation,
) -> Result<(), DbErr> {
    if revocation.token_hashes.is_empty() {
        return Ok(());
    }
    let event = SessionRevoked {
        login_id: revocation.login_id.clone(),
        token_hashes: revocation.token_hashes.clone(),
        session_ids: revocation.session_ids.clone(),
    };
    outbox.add(transaction, &revocation.login_id, &event).await
}
