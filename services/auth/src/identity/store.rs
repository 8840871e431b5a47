//! The rows of identities.

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, Set};

use super::attempt::Vouched;
use super::provider::Provider;
use crate::entity::account;
use crate::entity::identity::{ActiveModel, Column, Entity, Model};

/// The row of a person: by union id, else by the open id of our application.
///
/// Errors: the provider gives one open id two union ids.
pub async fn find(
    connection: &impl ConnectionTrait,
    vouched: &Vouched,
) -> Result<Option<Model>, ServiceError> {
    let of_provider = Entity::find_any().filter(Column::Provider.eq(vouched.provider));
    if let Some(union_id) = &vouched.union_id {
        let by_person = of_provider.clone().filter(Column::UnionId.eq(union_id));
        if let Some(found) = by_person.one(connection).await? {
            return Ok(Some(found));
        }
    }
    let found = of_provider
        .filter(Column::AppId.eq(&vouched.app_id))
        .filter(Column::OpenId.eq(&vouched.open_id))
        .one(connection)
        .await?;
    let differs = |row: &Model| {
        row.union_id.is_some() && vouched.union_id.is_some() && row.union_id != vouched.union_id
    };
    if found.as_ref().is_some_and(differs) {
        tracing::error!(provider = %vouched.provider, "an open id came back with another union id");
        return Err(super::conflict(super::NOT_FINISHED));
    }
    Ok(found)
}

/// Updates a known identity from the provider's response, ids included: an open id can change, a union id can be added.
pub async fn refresh(
    connection: &impl ConnectionTrait,
    known: &Model,
    vouched: &Vouched,
) -> Result<(), ServiceError> {
    let mut change = ActiveModel {
        app_id: Set(vouched.app_id.clone()),
        open_id: Set(vouched.open_id.clone()),
        ..Default::default()
    };
    if vouched.union_id.is_some() {
        change.union_id = Set(vouched.union_id.clone());
    }
    if !vouched.nickname.is_empty() {
        change.nickname = Set(vouched.nickname.clone());
    }
    if !vouched.avatar.is_empty() {
        change.avatar = Set(vouched.avatar.clone());
    }
    let changed = Entity::update_own(&known.login_id)
        .set(change)
        .filter(Column::Id.eq(&known.id))
        .exec(connection)
        .await;
    changed
        .map(|_| ())
        .map_err(|error| collided(error, vouched.provider))
}

/// Links an identity that no account has.
///
/// Errors: 60205 when another account has it, 60105 when this account has another one of the provider.
pub async fn link(
    connection: &impl ConnectionTrait,
    vouched: &Vouched,
    login_id: &str,
    now_ms: i64,
) -> Result<(), ServiceError> {
    let provider = vouched.provider;
    let another = Entity::find_own(login_id).filter(Column::Provider.eq(provider));
    if another.count(connection).await? > 0 {
        let title = provider.title();
        return Err(super::conflict(format!("已绑定其他{title}账号，请先解绑")));
    }
    let row = Model {
        id: chassis::ids::new_id(),
        provider,
        app_id: vouched.app_id.clone(),
        open_id: vouched.open_id.clone(),
        union_id: vouched.union_id.clone(),
        login_id: login_id.to_owned(),
        nickname: vouched.nickname.clone(),
        avatar: vouched.avatar.clone(),
        created_at: now_ms,
    };
    let added = db::insert(row, connection).await;
    added.map_err(|error| collided(error, provider))
}

fn collided(error: DbErr, provider: Provider) -> ServiceError {
    match crate::store::is_taken(&error) {
        true => taken(provider),
        false => error.into(),
    }
}

/// The identity belongs to another account.
pub fn taken(provider: Provider) -> ServiceError {
    let message = format!("该{}账号已绑定其他用户", provider.title());
    BusinessError::new(code::ACCOUNT_EXISTS, message).into()
}

/// The identities of an account, the oldest first.
pub async fn of_account(
    connection: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Vec<Model>, DbErr> {
    Entity::find_own(login_id)
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .all(connection)
        .await
}

/// As [`of_account`], and locks them until the end of the transaction: of two concurrent unlinks each sees the other.
pub async fn lock(transaction: &impl ConnectionTrait, login_id: &str) -> Result<Vec<Model>, DbErr> {
    Entity::update_own(login_id)
        .col_expr(Column::LoginId, Expr::value(login_id))
        .exec(transaction)
        .await?;
    of_account(transaction, login_id).await
}

/// Whether an account with these identities has no other way in.
pub fn is_last_way(account: &account::Model, identities: &[Model]) -> bool {
    // A phone receives codes; a password needs a name to go with it, which is phone or e-mail address.
    let by_password = !account.password_hash.is_empty() && account.email.is_some();
    account.phone.is_empty() && !by_password && identities.len() == 1
}

pub async fn unlink(
    connection: &impl ConnectionTrait,
    login_id: &str,
    id: &str,
) -> Result<(), DbErr> {
    Entity::delete_own(login_id)
        .filter(Column::Id.eq(id))
        .exec(connection)
        .await?;
    Ok(())
}
