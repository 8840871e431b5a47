//! Signs that an invitation is a farm's. None of them is proof: the reward waits for an operator, no user is refused.

use std::net::IpAddr;

use sea_orm::ConnectionTrait;
use sea_orm::QuerySelect;
use sea_orm::entity::prelude::*;

use super::Newcomer;
use crate::device;
use crate::entity::{account, invitation, session};

const HOUR_MS: i64 = 3_600_000;
/// Invitations of one user within an hour that are not suspicious.
const USUAL_AN_HOUR: u64 = 10;

/// Suspicions as stored, by which operators filter.
const SAME_ADDRESS: &str = "与邀请人使用同一网络地址";
const SAME_DEVICE: &str = "与邀请人使用同一设备";
const CHAIN: &str = "邀请人自己刚被邀请";
const MANY: &str = "一小时内邀请过多";
const BETWEEN: &str = "；";

/// The stored form of a suspicion that a filter names.
pub fn named(name: &str) -> Option<&'static str> {
    match name {
        "address" => Some(SAME_ADDRESS),
        "device" => Some(SAME_DEVICE),
        "chain" => Some(CHAIN),
        "many" => Some(MANY),
        _ => None,
    }
}

/// Splits what [`of`] found.
pub fn words(kept: &str) -> Vec<String> {
    let each = kept.split(BETWEEN).filter(|word| !word.is_empty());
    each.map(str::to_owned).collect()
}

/// Returns suspicions, worded for operators; empty: none.
pub async fn of(
    connection: &impl ConnectionTrait,
    newcomer: &Newcomer<'_>,
    inviter: &str,
    now: i64,
) -> Result<String, DbErr> {
    let mut found = Vec::new();
    if same_address(connection, newcomer, inviter).await? {
        found.push(SAME_ADDRESS);
    }
    let known = device::known(connection, newcomer.device, inviter, now).await?;
    if !known.is_empty() {
        found.push(SAME_DEVICE);
    }
    if in_chain(connection, inviter, now).await? {
        found.push(CHAIN);
    }
    let lately = invitation::Entity::find()
        .filter(invitation::Column::Inviter.eq(inviter))
        .filter(invitation::Column::CreatedAt.gt(now - HOUR_MS))
        .count(connection)
        .await?;
    if lately >= USUAL_AN_HOUR {
        found.push(MANY);
    }
    Ok(found.join(BETWEEN))
}

/// A loopback address is no evidence: all users have it behind a proxy that is not configured, and in development.
pub fn tells(address: &str) -> bool {
    let parsed: Result<IpAddr, _> = address.parse();
    parsed.is_ok_and(|address| !address.is_loopback())
}

async fn same_address(
    connection: &impl ConnectionTrait,
    newcomer: &Newcomer<'_>,
    inviter: &str,
) -> Result<bool, DbErr> {
    let of = |login_id: &str| {
        session::Entity::find_own(login_id)
            .select_only()
            .column(session::Column::RemoteAddr)
            .into_tuple::<String>()
    };
    let mut theirs = of(newcomer.login_id).all(connection).await?;
    theirs.push(newcomer.remote_addr.to_owned());
    let inviters = of(inviter).all(connection).await?;
    Ok(theirs
        .iter()
        .any(|address| tells(address) && inviters.contains(address)))
}

/// Whether the inviter registered less than a day ago and was invited too.
async fn in_chain(
    connection: &impl ConnectionTrait,
    inviter: &str,
    now: i64,
) -> Result<bool, DbErr> {
    let young = account::Entity::find_by_id(inviter)
        .filter(account::Column::CreatedAt.gt(now - 24 * HOUR_MS))
        .count(connection)
        .await?;
    if young == 0 {
        return Ok(false);
    }
    let brought = invitation::Entity::find()
        .filter(invitation::Column::Invitee.eq(inviter))
        .count(connection)
        .await?;
    Ok(brought > 0)
}
