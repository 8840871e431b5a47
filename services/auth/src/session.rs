//! Sessions: a token is 32 random bytes, and only its hash is kept.

use chassis::ServiceError;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect, Set};

use crate::config::TokenConfig;
use crate::entity::session::{ActiveModel, Column, Entity, Model};
use crate::events::Revocation;
use crate::secret;

/// How exact `last_seen_at` is.
const SEEN_MS: i64 = 600_000;

/// A token as it is handed out, once.
pub struct Issued {
    token: String,
    login_id: String,
    expires_in_seconds: i64,
}

impl Issued {
    /// The text of `datas`: {access_token, token_type, expires_in (seconds), loginId}.
    pub fn datas(&self) -> String {
        serde_json::json!({
            "access_token": self.token,
            "token_type": "bearer",
            "expires_in": self.expires_in_seconds,
            "loginId": self.login_id,
        })
        .to_string()
    }
}

fn issued(login_id: &str, config: &TokenConfig) -> Issued {
    Issued {
        token: secret::token(),
        login_id: login_id.to_owned(),
        expires_in_seconds: config.life_ms() / 1000,
    }
}

/// Opens a session; those beyond the account's limit end, the oldest first.
pub async fn open(
    transaction: &impl ConnectionTrait,
    config: &TokenConfig,
    login_id: &str,
    remote_addr: &str,
    now_ms: i64,
) -> Result<(Issued, Revocation), DbErr> {
    let issued = issued(login_id, config);
    let row = ActiveModel {
        id: Set(chassis::ids::new_id()),
        login_id: Set(login_id.to_owned()),
        token_hash: Set(secret::sha256(&issued.token)),
        remote_addr: Set(crate::store::address(remote_addr)),
        created_at: Set(now_ms),
        expires_at: Set(now_ms + config.life_ms()),
        last_seen_at: Set(now_ms),
    };
    Entity::insert(row)
        .exec_without_returning(transaction)
        .await?;
    let surplus = Entity::find()
        .filter(Column::LoginId.eq(login_id))
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .offset(config.max_sessions.max(1))
        .limit(100)
        .all(transaction)
        .await?;
    let revocation = end(transaction, login_id, surplus).await?;
    Ok((issued, revocation))
}

/// Gives the session of a token a new one. Of several callers at once one gets it.
///
/// Errors: `Unauthenticated` when the old token is not good any more.
pub async fn rotate(
    transaction: &impl ConnectionTrait,
    config: &TokenConfig,
    login_id: &str,
    old_hash: &str,
    now_ms: i64,
) -> Result<(Issued, Revocation), ServiceError> {
    let issued = issued(login_id, config);
    let changed = Entity::update_many()
        .set(ActiveModel {
            token_hash: Set(secret::sha256(&issued.token)),
            expires_at: Set(now_ms + config.life_ms()),
            last_seen_at: Set(now_ms),
            ..Default::default()
        })
        .filter(Column::TokenHash.eq(old_hash))
        .filter(Column::LoginId.eq(login_id))
        .filter(Column::ExpiresAt.gt(now_ms))
        .exec(transaction)
        .await?;
    if changed.rows_affected != 1 {
        return Err(ServiceError::Unauthenticated);
    }
    let revocation = Revocation {
        login_id: login_id.to_owned(),
        token_hashes: vec![old_hash.to_owned()],
    };
    Ok((issued, revocation))
}

/// Ends the session of one token.
pub async fn close(
    transaction: &impl ConnectionTrait,
    login_id: &str,
    token_hash: &str,
) -> Result<Revocation, DbErr> {
    let rows = Entity::find()
        .filter(Column::LoginId.eq(login_id))
        .filter(Column::TokenHash.eq(token_hash))
        .all(transaction)
        .await?;
    end(transaction, login_id, rows).await
}

/// Ends every session of an account.
pub async fn close_all(
    transaction: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Revocation, DbErr> {
    let rows = Entity::find()
        .filter(Column::LoginId.eq(login_id))
        .all(transaction)
        .await?;
    end(transaction, login_id, rows).await
}

async fn end(
    transaction: &impl ConnectionTrait,
    login_id: &str,
    rows: Vec<Model>,
) -> Result<Revocation, DbErr> {
    let mut revocation = Revocation {
        login_id: login_id.to_owned(),
        token_hashes: Vec::new(),
    };
    if rows.is_empty() {
        return Ok(revocation);
    }
    let mut ids = Vec::new();
    for row in rows {
        ids.push(row.id);
        revocation.token_hashes.push(row.token_hash);
    }
    Entity::delete_many()
        .filter(Column::LoginId.eq(login_id))
        .filter(Column::Id.is_in(ids))
        .exec(transaction)
        .await?;
    Ok(revocation)
}

/// The living session of a token; notes now and then that it was seen.
pub async fn find(
    db: &DatabaseConnection,
    token_hash: &str,
    now_ms: i64,
) -> Result<Option<Model>, DbErr> {
    let found = Entity::find()
        .filter(Column::TokenHash.eq(token_hash))
        .filter(Column::ExpiresAt.gt(now_ms))
        .one(db)
        .await?;
    if let Some(session) = &found
        && now_ms - session.last_seen_at > SEEN_MS
    {
        Entity::update_many()
            .set(ActiveModel {
                last_seen_at: Set(now_ms),
                ..Default::default()
            })
            .filter(Column::Id.eq(&session.id))
            .exec(db)
            .await?;
    }
    Ok(found)
}

/// Removes what has expired.
pub async fn clean(db: &DatabaseConnection, now_ms: i64) -> Result<u64, DbErr> {
    let removed = Entity::delete_many()
        .filter(Column::ExpiresAt.lte(now_ms))
        .exec(db)
        .await?;
    Ok(removed.rows_affected)
}
