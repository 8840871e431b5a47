//! Devices that an account has signed in on: guesses from elsewhere do not lock their owner out.

use chassis::db;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};

use crate::entity::known_device::{Column, Entity, Model};
use crate::secret;

/// Length of a key ([`secret::token`]).
const KEY_LENGTH: usize = 43;
/// Most devices remembered of an account; the oldest are forgotten.
const MOST: u64 = 20;
/// How long one is remembered without a sign-in.
const LIFE_MS: i64 = 180 * 24 * 3_600_000;

fn id(key: &str, login_id: &str) -> String {
    secret::sha256(&format!("{key}:{login_id}"))
}

fn is_key(text: &str) -> bool {
    text.len() == KEY_LENGTH
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
}

/// Id of the device if the account has signed in on it; empty otherwise.
pub async fn known(
    connection: &impl ConnectionTrait,
    key: &str,
    login_id: &str,
    now_ms: i64,
) -> Result<String, DbErr> {
    if !is_key(key) {
        return Ok(String::new());
    }
    let found = Entity::find_own_by_id(login_id, id(key, login_id))
        .filter(Column::LastSeenAt.gt(now_ms - LIFE_MS))
        .one(connection)
        .await?;
    Ok(found.map_or_else(String::new, |device| device.id))
}

/// Whether the account has signed in on any device.
pub async fn any(connection: &impl ConnectionTrait, login_id: &str) -> Result<bool, DbErr> {
    let known = Entity::find_own(login_id);
    Ok(known.one(connection).await?.is_some())
}

/// Records that the account signed in on the device; returns the device's key (a new one if it has none) and id.
pub async fn remember(
    connection: &impl ConnectionTrait,
    key: &str,
    login_id: &str,
    now_ms: i64,
) -> Result<(String, String), DbErr> {
    let key = if is_key(key) {
        key.to_owned()
    } else {
        secret::token()
    };
    let id = id(&key, login_id);
    let row = Model {
        id: id.clone(),
        login_id: login_id.to_owned(),
        last_seen_at: now_ms,
    };
    db::upsert(row, [Column::LastSeenAt], connection).await?;
    let surplus: Vec<String> = Entity::find_own(login_id)
        .order_by_desc(Column::LastSeenAt)
        .order_by_desc(Column::Id)
        .offset(MOST)
        .limit(100)
        .select_only()
        .column(Column::Id)
        .into_tuple()
        .all(connection)
        .await?;
    if !surplus.is_empty() {
        Entity::delete_own(login_id)
            .filter(Column::Id.is_in(surplus))
            .exec(connection)
            .await?;
    }
    Ok((key, id))
}

/// Forgets the devices of an account but one (its id).
pub async fn forget_others(
    connection: &impl ConnectionTrait,
    login_id: &str,
    id: &str,
) -> Result<(), DbErr> {
    Entity::delete_own(login_id)
        .filter(Column::Id.ne(id))
        .exec(connection)
        .await?;
    Ok(())
}

/// Forgets the devices of an account: an attacker with its password may have signed in on one.
pub async fn forget(connection: &impl ConnectionTrait, login_id: &str) -> Result<(), DbErr> {
    Entity::delete_own(login_id).exec(connection).await?;
    Ok(())
}

pub async fn clean(connection: &impl ConnectionTrait, now_ms: i64) -> Result<u64, DbErr> {
    let removed = Entity::delete_any()
        .filter(Column::LastSeenAt.lt(now_ms - LIFE_MS))
        .exec(connection)
        .await?;
    Ok(removed.rows_affected)
}
