//! The record of sign-ins, refused ones too: its owner reads it, and it is kept for 180 days.

use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, Set};

use super::Opening;
use super::agent;
use crate::entity::sign_in::{ActiveModel, Column, Entity, Model};
use crate::store::address;

/// How long a sign-in is kept.
const LIFE_MS: i64 = 180 * 24 * 3_600_000;

chassis::column_enum! {
    /// What came of a sign-in.
    pub enum Outcome {
        Opened = "opened",
        WrongPassword = "wrongPassword",
        WrongFactor = "wrongFactor",
    }
}

/// Notes a sign-in. What limits guesses limits these rows.
pub async fn note(
    connection: &impl ConnectionTrait,
    login_id: &str,
    opening: &Opening<'_>,
    outcome: Outcome,
    new_device: bool,
    now_ms: i64,
) -> Result<(), DbErr> {
    let (kind, device) = agent::read(opening.user_agent);
    let row = ActiveModel {
        id: Set(chassis::ids::new_id()),
        login_id: Set(login_id.to_owned()),
        at: Set(now_ms),
        method: Set(opening.method),
        outcome: Set(outcome),
        kind: Set(kind),
        device: Set(device),
        remote_addr: Set(address(opening.remote_addr)),
        new_device: Set(new_device),
    };
    Entity::insert(row)
        .exec_without_returning(connection)
        .await?;
    Ok(())
}

/// One page of an account's sign-ins, newest first, and how many there are.
pub async fn page(
    db: &DatabaseConnection,
    login_id: &str,
    number: i32,
    size: i32,
) -> Result<(i64, Vec<Model>), DbErr> {
    let all = Entity::find()
        .filter(Column::LoginId.eq(login_id))
        .order_by_desc(Column::At)
        .order_by_desc(Column::Id);
    chassis::db::paged(all, number, size, db).await
}

pub async fn clean(db: &DatabaseConnection, now_ms: i64) -> Result<u64, DbErr> {
    let removed = Entity::delete_many()
        .filter(Column::At.lt(now_ms - LIFE_MS))
        .exec(db)
        .await?;
    Ok(removed.rows_affected)
}
