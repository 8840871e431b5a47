//! Recent wrong passwords, of an account from all addresses and of an address for all accounts.

use chassis::db;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, QueryOrder, QuerySelect, Select};

use crate::config::PasswordConfig;
use crate::entity::password_failure::{Column, Entity, Model};
use crate::store::subscriber;

/// Window of the wrong passwords that demand the slider.
const WINDOW_MS: i64 = 15 * 60_000;
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Who tries a password.
#[derive(Debug, Clone, Copy)]
pub struct Guesser<'a> {
    /// Empty if no account has the name.
    pub login_id: &'a str,
    pub remote_addr: &'a str,
    /// Id of the known device, or [`near`] of an address that the account has signed in from lately; empty for any other.
    pub device: &'a str,
}

const NEAR: &str = "near:";

/// What stands in place of a device for callers at an address that the account has signed in from lately: those who are
/// nowhere near it do not keep the owner's new device out.
pub fn near(remote_addr: &str) -> String {
    format!("{NEAR}{}", subscriber(remote_addr))
}

/// Recent wrong passwords.
#[derive(Debug, Clone, Copy, Default)]
pub struct Guesses {
    /// For the account, within the short window, from any device.
    pub account: u64,
    /// From the address, within the short window, for any account.
    pub address: u64,
    /// Milliseconds until the account may be tried again: on the known device, from the known address, or from anywhere else.
    pub wait_ms: Option<i64>,
}

/// Counts the wrong passwords besides the attempt `own`, which is recorded already.
pub async fn of_late(
    connection: &impl ConnectionTrait,
    config: &PasswordConfig,
    guesser: &Guesser<'_>,
    own: &str,
    now_ms: i64,
) -> Result<Guesses, DbErr> {
    let of_account = Entity::find_own(guesser.login_id).filter(Column::Id.ne(own));
    let of_address = Entity::find_any()
        .filter(Column::Id.ne(own))
        .filter(Column::RemoteAddr.eq(subscriber(guesser.remote_addr)));
    let of_device = of_account.clone().filter(Column::Device.eq(guesser.device));
    let limits = match guesser.device {
        device if device.is_empty() || device.starts_with(NEAR) => vec![
            (config.per_account_hour, HOUR_MS),
            (config.per_account_day, DAY_MS),
        ],
        _ => vec![(config.per_device_hour, HOUR_MS)],
    };
    let mut wait_ms = None;
    for (most, window) in limits {
        // Those of strangers count together, across addresses; those of a known device or address count separately.
        let left = wait(connection, of_device.clone(), most, window, now_ms).await?;
        wait_ms = Ord::max(wait_ms, left);
    }
    let recent = Column::At.gt(now_ms - WINDOW_MS);
    Ok(Guesses {
        account: of_account.filter(recent.clone()).count(connection).await?,
        address: of_address.filter(recent).count(connection).await?,
        wait_ms,
    })
}

/// Milliseconds until fewer than `most` are within the window.
async fn wait(
    connection: &impl ConnectionTrait,
    rows: Select<Entity>,
    most: u64,
    window: i64,
    now_ms: i64,
) -> Result<Option<i64>, DbErr> {
    let first = rows
        .order_by_desc(Column::At)
        .offset(most.clamp(1, 10_000) - 1)
        .limit(1)
        .one(connection)
        .await?;
    let left = first.map_or(0, |row| row.at + window - now_ms);
    Ok((left > 0).then_some(left))
}

/// Records a wrong password before it is verified, so that concurrent tries see each other. Returns its id.
pub async fn note(
    connection: &impl ConnectionTrait,
    guesser: &Guesser<'_>,
    now_ms: i64,
) -> Result<String, DbErr> {
    let id = chassis::ids::new_id();
    let row = Model {
        id: id.clone(),
        login_id: guesser.login_id.to_owned(),
        remote_addr: subscriber(guesser.remote_addr),
        at: now_ms,
        device: guesser.device.to_owned(),
    };
    db::insert(row, connection).await?;
    Ok(id)
}

/// Removes an attempt that was right, or refused before the password was verified.
pub async fn withdraw(
    connection: &impl ConnectionTrait,
    guesser: &Guesser<'_>,
    id: &str,
) -> Result<(), DbErr> {
    Entity::delete_own(guesser.login_id)
        .filter(Column::Id.eq(id))
        .exec(connection)
        .await?;
    Ok(())
}

/// Deletes the signed-in user's own wrong tries. Guesses of others stay: the owner's sign-in gives them no new tries.
pub async fn forgive(
    connection: &impl ConnectionTrait,
    guesser: &Guesser<'_>,
) -> Result<(), DbErr> {
    let mut own = Column::RemoteAddr.eq(subscriber(guesser.remote_addr));
    if !guesser.device.is_empty() {
        own = own.or(Column::Device.eq(guesser.device));
    }
    Entity::delete_own(guesser.login_id)
        .filter(own)
        .exec(connection)
        .await?;
    Ok(())
}

/// Deletes all of an account whose password has changed.
pub async fn forget(connection: &impl ConnectionTrait, login_id: &str) -> Result<(), DbErr> {
    Entity::delete_own(login_id).exec(connection).await?;
    Ok(())
}

pub async fn clean(connection: &impl ConnectionTrait, now_ms: i64) -> Result<u64, DbErr> {
    let removed = Entity::delete_any()
        .filter(Column::At.lt(now_ms - DAY_MS))
        .exec(connection)
        .await?;
    Ok(removed.rows_affected)
}
