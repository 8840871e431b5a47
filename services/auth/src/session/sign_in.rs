//! The record of sign-ins, including refused ones: visible to the owner, and stored for 180 days.

use chassis::ServiceError;
use chassis::db::list::Page;
use chassis::db::{self, List};
use proto::auth::v1::ListSignInsRequest;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};

use super::Opening;
use super::agent;
use crate::entity::sign_in::{Column, Entity, Model, Outcome};
use crate::store::{address, subscriber};

/// How long a sign-in is kept.
const LIFE_MS: i64 = 180 * 24 * 3_600_000;

/// How long the address of a sign-in is taken for one of the owner's.
const NEAR_MS: i64 = 90 * 24 * 3_600_000;
/// Most sign-ins looked through for an address.
const LOOKED_THROUGH: u64 = 500;

/// Whether the account has signed in from the address lately.
pub async fn is_near(
    connection: &impl ConnectionTrait,
    login_id: &str,
    remote_addr: &str,
    now_ms: i64,
) -> Result<bool, DbErr> {
    let addresses: Vec<String> = Entity::find_own(login_id)
        .filter(Column::Outcome.eq(Outcome::Opened))
        .filter(Column::At.gt(now_ms - NEAR_MS))
        .order_by_desc(Column::At)
        .limit(LOOKED_THROUGH)
        .select_only()
        .column(Column::RemoteAddr)
        .into_tuple()
        .all(connection)
        .await?;
    let own = subscriber(remote_addr);
    Ok(addresses.iter().any(|address| subscriber(address) == own))
}

/// Records a sign-in. The limits of guesses also limit these rows.
pub async fn note(
    connection: &impl ConnectionTrait,
    login_id: &str,
    opening: &Opening<'_>,
    outcome: Outcome,
    new_device: bool,
    now_ms: i64,
) -> Result<(), DbErr> {
    let (kind, device) = agent::read(opening.user_agent);
    let row = Model {
        id: chassis::ids::new_id(),
        login_id: login_id.to_owned(),
        at: now_ms,
        method: opening.method,
        outcome,
        kind,
        device,
        remote_addr: address(opening.remote_addr),
        new_device,
    };
    db::insert(row, connection).await
}

/// One page of an account's sign-ins, newest first, and how many there are.
pub async fn page(
    db: &DatabaseConnection,
    login_id: &str,
    asked: &ListSignInsRequest,
) -> Result<Page<Model>, ServiceError> {
    List::<Entity>::own(login_id)
        .newest_first(Column::At, Column::Id)
        .page(asked, db)
        .await
}

pub async fn clean(db: &DatabaseConnection, now_ms: i64) -> Result<u64, DbErr> {
    let removed = Entity::delete_any()
        .filter(Column::At.lt(now_ms - LIFE_MS))
        .exec(db)
        .await?;
    Ok(removed.rows_affected)
}
