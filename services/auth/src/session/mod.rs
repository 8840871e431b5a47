//! Sessions: a token is 32 random bytes, and only its hash is stored. A session ends when its token is not renewed, when it is
//! idle for long, and in any case some time after the sign-in.

pub mod agent;
mod calls;
pub mod sign_in;

use chassis::bus::Bus;
use chassis::{ServiceError, db};
use proto::auth::v1::TokensRevoked;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, QueryOrder, QuerySelect, Select, Set};

use crate::config::TokenConfig;
use crate::entity::session::{ActiveModel, Column, Entity, Method, Model};
use crate::secret;

/// Details of a sign-in beside the account.
#[derive(Debug, Clone, Copy)]
pub struct Opening<'a> {
    pub method: Method,
    pub remote_addr: &'a str,
    pub user_agent: &'a str,
    /// Key of the device; empty without one.
    pub device: &'a str,
}

/// Accuracy of `last_seen_at`.
const SEEN_MS: i64 = 600_000;
/// How long a confirmed session may change ways into the account.
pub const CONFIRMED_MS: i64 = 600_000;

/// Tokens of one account that ended.
#[derive(Debug, Clone, Default)]
pub struct Revocation {
    pub login_id: String,
    /// Lower-case hex SHA-256 each.
    pub token_hashes: Vec<String>,
    /// The sessions, unless their tokens were only renewed.
    pub session_ids: Vec<String>,
}

impl Revocation {
    /// Notifies the gateways at once; call it after the transaction was committed.
    pub fn push(&self, bus: &Bus) {
        if self.token_hashes.is_empty() {
            return;
        }
        bus.notify(&TokensRevoked {
            login_id: self.login_id.clone(),
            token_hashes: self.token_hashes.clone(),
        });
    }
}

/// A new token; it is returned only once.
pub struct Issued {
    token: String,
    login_id: String,
    expires_in_seconds: i64,
    /// Key of the device that signed in; empty where a token is only renewed.
    device: String,
}

impl Issued {
    /// With the key of the device that signed in.
    pub fn on(self, device: String) -> Self {
        Self { device, ..self }
    }

    /// The text of `datas`: {access_token, token_type, expires_in (seconds), loginId, device}.
    pub fn datas(&self) -> String {
        let mut datas = serde_json::json!({
            "access_token": self.token,
            "token_type": "bearer",
            "expires_in": self.expires_in_seconds,
            "loginId": self.login_id,
        });
        if !self.device.is_empty() {
            datas["device"] = self.device.as_str().into();
        }
        datas.to_string()
    }
}

fn issued(login_id: &str, life_ms: i64) -> Issued {
    Issued {
        token: secret::token(),
        login_id: login_id.to_owned(),
        expires_in_seconds: life_ms / 1000,
        device: String::new(),
    }
}

/// When a session ends if it is not used any more.
pub fn ends_at(session: &Model, config: &TokenConfig) -> i64 {
    Ord::min(session.expires_at, session.last_seen_at + config.idle_ms())
}

/// The sessions that have not ended.
fn living(rows: Select<Entity>, config: &TokenConfig, now_ms: i64) -> Select<Entity> {
    rows.filter(Column::ExpiresAt.gt(now_ms))
        .filter(Column::LastSeenAt.gt(now_ms - config.idle_ms()))
}

/// Opens a session on a known device (its id); those beyond the account's limit end, the oldest first. Returns its id too.
pub async fn open(
    transaction: &impl ConnectionTrait,
    config: &TokenConfig,
    login_id: &str,
    opening: &Opening<'_>,
    device: &str,
    now_ms: i64,
) -> Result<(Issued, String, Revocation), DbErr> {
    let life_ms = Ord::min(config.life_ms(), config.absolute_ms());
    let issued = issued(login_id, life_ms);
    let id = chassis::ids::new_id();
    let row = Model {
        id: id.clone(),
        login_id: login_id.to_owned(),
        token_hash: secret::sha256(&issued.token),
        remote_addr: crate::store::address(opening.remote_addr),
        created_at: now_ms,
        expires_at: now_ms + life_ms,
        last_seen_at: now_ms,
        kind: agent::read(opening.user_agent).0,
        method: opening.method,
        user_agent: agent::kept(opening.user_agent),
        device: device.to_owned(),
        // A sign-in is proof of identity.
        confirmed_until: now_ms + CONFIRMED_MS,
    };
    db::insert(row, transaction).await?;
    let surplus = Entity::find_own(login_id)
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .offset(Ord::max(config.max_sessions, 1))
        .limit(100)
        .all(transaction)
        .await?;
    let revocation = end(transaction, login_id, surplus).await?;
    Ok((issued, id, revocation))
}

/// Replaces the token of a session. Of concurrent callers one succeeds.
///
/// Errors: `Unauthenticated` when the old token is no longer valid.
pub async fn rotate(
    transaction: &impl ConnectionTrait,
    config: &TokenConfig,
    login_id: &str,
    old_hash: &str,
    now_ms: i64,
) -> Result<(Issued, Revocation), ServiceError> {
    let known = living(Entity::find_own(login_id), config, now_ms)
        .filter(Column::TokenHash.eq(old_hash))
        .one(transaction)
        .await?;
    let known = known.ok_or(ServiceError::Unauthenticated)?;
    let absolute_end = known.created_at + config.absolute_ms();
    let life_ms = Ord::min(config.life_ms(), absolute_end - now_ms);
    if life_ms <= 0 {
        return Err(ServiceError::Unauthenticated);
    }
    let issued = issued(login_id, life_ms);
    let changed = Entity::update_own(login_id)
        .set(ActiveModel {
            token_hash: Set(secret::sha256(&issued.token)),
            expires_at: Set(now_ms + life_ms),
            last_seen_at: Set(now_ms),
            ..Default::default()
        })
        .filter(Column::Id.eq(&known.id))
        .filter(Column::TokenHash.eq(old_hash))
        .exec(transaction)
        .await?;
    if changed.rows_affected != 1 {
        return Err(ServiceError::Unauthenticated);
    }
    let revocation = Revocation {
        login_id: login_id.to_owned(),
        token_hashes: vec![old_hash.to_owned()],
        // The session goes on, with its uploads and links.
        session_ids: Vec::new(),
    };
    Ok((issued, revocation))
}

/// Ends the session of one token.
pub async fn close(
    transaction: &impl ConnectionTrait,
    login_id: &str,
    token_hash: &str,
) -> Result<Revocation, DbErr> {
    let rows = Entity::find_own(login_id)
        .filter(Column::TokenHash.eq(token_hash))
        .all(transaction)
        .await?;
    end(transaction, login_id, rows).await
}

/// Ends one session of an account by its id.
pub async fn close_one(
    transaction: &impl ConnectionTrait,
    login_id: &str,
    id: &str,
) -> Result<Revocation, DbErr> {
    let rows = Entity::find_own_by_id(login_id, id)
        .all(transaction)
        .await?;
    end(transaction, login_id, rows).await
}

/// Ends every session of an account but that of one token.
pub async fn close_others(
    transaction: &impl ConnectionTrait,
    login_id: &str,
    token_hash: &str,
) -> Result<Revocation, DbErr> {
    let rows = Entity::find_own(login_id)
        .filter(Column::TokenHash.ne(token_hash))
        .all(transaction)
        .await?;
    end(transaction, login_id, rows).await
}

/// Ends every session of an account.
pub async fn close_all(
    transaction: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Revocation, DbErr> {
    let rows = Entity::find_own(login_id).all(transaction).await?;
    end(transaction, login_id, rows).await
}

async fn end(
    transaction: &impl ConnectionTrait,
    login_id: &str,
    rows: Vec<Model>,
) -> Result<Revocation, DbErr> {
    let mut revocation = Revocation {
        login_id: login_id.to_owned(),
        ..Default::default()
    };
    if rows.is_empty() {
        return Ok(revocation);
    }
    for row in rows {
        revocation.session_ids.push(row.id);
        revocation.token_hashes.push(row.token_hash);
    }
    Entity::delete_own(login_id)
        .filter(Column::Id.is_in(&revocation.session_ids))
        .exec(transaction)
        .await?;
    Ok(revocation)
}

/// The living session of a token; records now and then that it was used.
pub async fn find(
    db: &DatabaseConnection,
    config: &TokenConfig,
    token_hash: &str,
    now_ms: i64,
) -> Result<Option<Model>, DbErr> {
    let found = living(Entity::find_any(), config, now_ms)
        .filter(Column::TokenHash.eq(token_hash))
        .one(db)
        .await?;
    if let Some(session) = &found
        && now_ms - session.last_seen_at > SEEN_MS
    {
        Entity::update_own(&session.login_id)
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
pub async fn clean(
    db: &DatabaseConnection,
    config: &TokenConfig,
    now_ms: i64,
) -> Result<u64, DbErr> {
    let idle = Column::LastSeenAt.lte(now_ms - config.idle_ms());
    let removed = Entity::delete_any()
        .filter(Column::ExpiresAt.lte(now_ms).or(idle))
        .exec(db)
        .await?;
    Ok(removed.rows_affected)
}

/// Records that the session's owner was confirmed; returns until when that counts.
pub async fn confirm(
    connection: &impl ConnectionTrait,
    session: &Model,
    now_ms: i64,
) -> Result<i64, DbErr> {
    let until = now_ms + CONFIRMED_MS;
    Entity::update_own(&session.login_id)
        .set(ActiveModel {
            confirmed_until: Set(until),
            ..Default::default()
        })
        .filter(Column::Id.eq(&session.id))
        .exec(connection)
        .await?;
    Ok(until)
}
