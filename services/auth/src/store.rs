//! Queries on accounts.

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::personal::v1::ProfileChanged;
use proto::transaction::v1::ModelerChanged;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, Set, SqlErr};

use crate::entity::account;
use crate::messages;
use crate::rules::AccountName;
use crate::secret;

/// An address to store: the column holds 64 characters.
pub fn address(remote_addr: &str) -> String {
    remote_addr.chars().take(64).collect()
}

/// What limits count as one address: the first address of an IPv6 subscriber's /64, who could use a fresh one for each call.
pub fn subscriber(remote_addr: &str) -> String {
    let of = remote_addr.parse().map(peers::subscriber);
    of.map_or_else(|_| address(remote_addr), |of| of.to_string())
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

/// Initial data of a new account.
pub struct NewAccount<'a> {
    pub phone: &'a str,
    pub email: Option<String>,
    pub password_hash: String,
    pub profession: &'static str,
}

/// Adds an account.
///
/// Errors: 60205 when the phone number or the e-mail address is taken, even concurrently.
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
        is_operator: false,
        version: 1,
        created_at: now_ms,
        interest: None,
        register_purpose: None,
        email_verified_at: None,
        profile_version: 0,
        modeler_version: 0,
        updated_at: now_ms,
        first_upload_at: 0,
    };
    match db::insert(row.clone(), transaction).await {
        Ok(()) => Ok(row),
        Err(error) if is_taken(&error) => {
            Err(BusinessError::new(code::ACCOUNT_EXISTS, messages::USER_EXISTS).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// A free number. Two concurrent transactions could still draw the same one of 9 000 million; then the unique index
/// refuses the second.
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

/// Sets the e-mail address, which a code confirmed at `verified_at`; `false` if there is no such account.
///
/// Errors: 60205 when another account has it.
pub async fn set_email(
    connection: &impl ConnectionTrait,
    login_id: &str,
    email: &str,
    verified_at: Option<i64>,
    now_ms: i64,
) -> Result<bool, ServiceError> {
    let changed = account::Entity::update_many()
        .set(account::ActiveModel {
            email: Set(Some(email.to_owned())),
            email_verified_at: Set(verified_at),
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
            Err(BusinessError::new(code::ACCOUNT_EXISTS, messages::EMAIL_EXISTS).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Sets the phone number; `false` if there is no such account.
///
/// Errors: 60205 when another account has it.
pub async fn set_phone(
    connection: &impl ConnectionTrait,
    login_id: &str,
    phone: &str,
    now_ms: i64,
) -> Result<bool, ServiceError> {
    let changed = account::Entity::update_many()
        .set(account::ActiveModel {
            phone: Set(phone.to_owned()),
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
            Err(BusinessError::new(code::ACCOUNT_EXISTS, messages::PHONE_EXISTS).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Copies names and avatar of a profile, unless a newer version is known.
pub async fn set_appearance(
    connection: &impl ConnectionTrait,
    profile: ProfileChanged,
) -> Result<(), DbErr> {
    let mut change = account::ActiveModel {
        avatar: Set(profile.avatar),
        nickname: Set(profile.nickname),
        profile_version: Set(profile.version),
        ..Default::default()
    };
    if !profile.username.is_empty() {
        change.username = Set(profile.username);
    }
    account::Entity::update_many()
        .set(change)
        .filter(account::Column::Id.eq(profile.login_id))
        .filter(account::Column::ProfileVersion.lt(profile.version))
        .exec(connection)
        .await?;
    Ok(())
}

/// Copies the type of a maker, unless a newer version is known: events may arrive out of order.
pub async fn set_uploader_type(
    connection: &impl ConnectionTrait,
    modeler: ModelerChanged,
) -> Result<(), DbErr> {
    account::Entity::update_many()
        .set(account::ActiveModel {
            uploader_type: Set(modeler.uploader_type),
            modeler_version: Set(modeler.version),
            ..Default::default()
        })
        .filter(account::Column::Id.eq(modeler.login_id))
        .filter(account::Column::ModelerVersion.lt(modeler.version))
        .exec(connection)
        .await?;
    Ok(())
}

/// Locks the account's row until the end of the transaction, if its password is still the one that was verified: a
/// sign-in must not slip past a concurrent password change.
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
