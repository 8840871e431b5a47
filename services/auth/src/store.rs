//! The queries about accounts and wrong passwords.

use chassis::{BusinessError, ServiceError};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, QueryOrder, QuerySelect, Set, SqlErr};

use crate::entity::{account, password_failure};
use crate::rules::{self, AccountName};
use crate::secret;

/// An address as it is kept: the column holds 64 characters.
pub fn address(remote_addr: &str) -> String {
    remote_addr.chars().take(64).collect()
}

pub async fn by_id(
    connection: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Option<account::Model>, DbErr> {
    account::Entity::find_by_id(login_id).one(connection).await
}

pub async fn by_phone(
    connection: &impl ConnectionTrait,
    phone: &str,
) -> Result<Option<account::Model>, DbErr> {
    account::Entity::find()
        .filter(account::Column::Phone.eq(phone))
        .one(connection)
        .await
}

pub async fn by_name(
    connection: &impl ConnectionTrait,
    name: &AccountName,
) -> Result<Option<account::Model>, DbErr> {
    match name {
        AccountName::Phone(phone) => by_phone(connection, phone).await,
        AccountName::Email(email) => {
            account::Entity::find()
                .filter(account::Column::Email.eq(email))
                .one(connection)
                .await
        }
    }
}

/// What a new account begins with.
pub struct NewAccount<'a> {
    pub phone: &'a str,
    pub email: Option<String>,
    pub password_hash: String,
    pub profession: &'static str,
    pub is_operator: bool,
}

/// Adds an account.
///
/// Errors: 60205 when the phone number or the e-mail address is taken, also by somebody who was quicker.
pub async fn add(
    transaction: &impl ConnectionTrait,
    new: NewAccount<'_>,
    now_ms: i64,
) -> Result<account::Model, ServiceError> {
    let account_number = free_account_number(transaction).await?;
    let row = account::Model {
        id: secret::login_id(),
        phone: new.phone.to_owned(),
        email: new.email,
        username: format!("xl_{account_number}"),
        account_number,
        nickname: None,
        avatar: None,
        profession_code: new.profession.to_owned(),
        password_hash: new.password_hash,
        uploader_type: 0,
        is_operator: new.is_operator,
        version: 1,
        created_at: now_ms,
        updated_at: now_ms,
    };
    let active = account::ActiveModel::from(row.clone()).reset_all();
    let inserted = account::Entity::insert(active)
        .exec_without_returning(transaction)
        .await;
    match inserted {
        Ok(_) => Ok(row),
        Err(error) if is_taken(&error) => {
            Err(BusinessError::new(code::ACCOUNT_EXISTS, rules::USER_EXISTS).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// A number nobody has. Two transactions at once could still draw the same one of 9 000 million; then the unique
/// index refuses the second.
async fn free_account_number(connection: &impl ConnectionTrait) -> Result<String, ServiceError> {
    for _ in 0..20 {
        let number = secret::account_number();
        let taken = account::Entity::find()
            .filter(account::Column::AccountNumber.eq(&number))
            .count(connection)
            .await?;
        if taken == 0 {
            return Ok(number);
        }
    }
    Err(ServiceError::Internal(anyhow::anyhow!(
        "no free account number found"
    )))
}

pub fn is_taken(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

/// Sets a password; `false` if there is no such account.
pub async fn set_password(
    transaction: &impl ConnectionTrait,
    login_id: &str,
    password_hash: &str,
    now_ms: i64,
) -> Result<bool, DbErr> {
    let changed = account::Entity::update_many()
        .set(account::ActiveModel {
            password_hash: Set(password_hash.to_owned()),
            updated_at: Set(now_ms),
            ..Default::default()
        })
        .col_expr(
            account::Column::Version,
            Expr::col(account::Column::Version).add(1),
        )
        .filter(account::Column::Id.eq(login_id))
        .exec(transaction)
        .await?;
    Ok(changed.rows_affected == 1)
}

/// Sets the e-mail address; `false` if there is no such account.
///
/// Errors: 60205 when another account has it.
pub async fn set_email(
    connection: &impl ConnectionTrait,
    login_id: &str,
    email: &str,
    now_ms: i64,
) -> Result<bool, ServiceError> {
    let changed = account::Entity::update_many()
        .set(account::ActiveModel {
            email: Set(Some(email.to_owned())),
            updated_at: Set(now_ms),
            ..Default::default()
        })
        .col_expr(
            account::Column::Version,
            Expr::col(account::Column::Version).add(1),
        )
        .filter(account::Column::Id.eq(login_id))
        .exec(connection)
        .await;
    match changed {
        Ok(changed) => Ok(changed.rows_affected == 1),
        Err(error) if is_taken(&error) => {
            Err(BusinessError::new(code::ACCOUNT_EXISTS, "邮箱已被使用").into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Holds the account's row until the end of the transaction, if its password is still the one that was verified: a
/// sign-in must not slip past a password change that happened meanwhile.
pub async fn hold_with_password(
    transaction: &impl ConnectionTrait,
    account: &account::Model,
) -> Result<bool, DbErr> {
    let held = account::Entity::update_many()
        .col_expr(
            account::Column::Version,
            Expr::col(account::Column::Version),
        )
        .filter(account::Column::Id.eq(&account.id))
        .filter(account::Column::PasswordHash.eq(&account.password_hash))
        .exec(transaction)
        .await?;
    Ok(held.rows_affected == 1)
}

/// Wrong passwords of late.
#[derive(Debug, Clone, Copy, Default)]
pub struct Failures {
    /// For the account, within the short window.
    pub account: u64,
    /// From the address, within the short window, for whatever account.
    pub address: u64,
    /// For the account since its last sign-in by password, within a day.
    pub account_day: u64,
    /// The last of `account_day`; 0 without one.
    pub last_at: i64,
}

/// The short window of wrong passwords.
const WINDOW_MS: i64 = 15 * 60_000;
const DAY_MS: i64 = 24 * 3_600_000;

/// The wrong passwords besides the attempt `own`, which has been added already.
pub async fn failures(
    connection: &impl ConnectionTrait,
    login_id: &str,
    remote_addr: &str,
    own: &str,
    now_ms: i64,
) -> Result<Failures, DbErr> {
    use password_failure::{Column, Entity};
    let others = Entity::find().filter(Column::Id.ne(own));
    let of_account = others.clone().filter(Column::LoginId.eq(login_id));
    let of_address = others.filter(Column::RemoteAddr.eq(address(remote_addr)));
    let last = of_account
        .clone()
        .order_by_desc(Column::At)
        .limit(1)
        .one(connection)
        .await?;
    Ok(Failures {
        account: of_account
            .clone()
            .filter(Column::At.gt(now_ms - WINDOW_MS))
            .count(connection)
            .await?,
        address: of_address
            .filter(Column::At.gt(now_ms - WINDOW_MS))
            .count(connection)
            .await?,
        account_day: of_account
            .filter(Column::At.gt(now_ms - DAY_MS))
            .count(connection)
            .await?,
        last_at: last.map_or(0, |row| row.at),
    })
}

/// Notes a wrong password, before it is known to be one: of many tries at once each sees the others. Answers its id.
pub async fn add_failure(
    connection: &impl ConnectionTrait,
    login_id: &str,
    remote_addr: &str,
    now_ms: i64,
) -> Result<String, DbErr> {
    let id = chassis::ids::new_id();
    let row = password_failure::ActiveModel {
        id: Set(id.clone()),
        login_id: Set(login_id.to_owned()),
        remote_addr: Set(address(remote_addr)),
        at: Set(now_ms),
    };
    password_failure::Entity::insert(row)
        .exec_without_returning(connection)
        .await?;
    Ok(id)
}

/// Takes back an attempt that was refused before the password was looked at.
pub async fn withdraw_failure(connection: &impl ConnectionTrait, id: &str) -> Result<(), DbErr> {
    password_failure::Entity::delete_by_id(id)
        .exec(connection)
        .await?;
    Ok(())
}

/// Forgets an account's wrong passwords.
pub async fn forgive(connection: &impl ConnectionTrait, login_id: &str) -> Result<(), DbErr> {
    password_failure::Entity::delete_many()
        .filter(password_failure::Column::LoginId.eq(login_id))
        .exec(connection)
        .await?;
    Ok(())
}

pub async fn clean_failures(connection: &impl ConnectionTrait, now_ms: i64) -> Result<u64, DbErr> {
    let removed = password_failure::Entity::delete_many()
        .filter(password_failure::Column::At.lt(now_ms - DAY_MS))
        .exec(connection)
        .await?;
    Ok(removed.rows_affected)
}
