//! The authenticator's codes (RFC 6238), each for one use, and the recovery codes that replace them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chassis::ServiceError;
use rand::RngExt;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, Set};
use serde::{Deserialize, Serialize};
use totp_rs::{Builder, Totp};

use super::Operators;
use super::entity::operator::{ActiveModel, Column, Entity, Model};
use super::entity::recovery;
use crate::certification::vault::{Vault, Wrapped};
use crate::secret;

/// Issuer that the app shows.
const ISSUER: &str = "玄览云运营后台";
const STEP_SECONDS: u64 = 30;
/// Steps by which the app's clock may be off.
const SKEW: u16 = 1;
/// Wrong tries in a row before a pause.
pub(super) const TRIES: i32 = 5;
pub const PAUSE_MS: i64 = 15 * 60_000;
const RECOVERY_CODES: usize = 10;
/// Letters and digits that do not look alike.
const ALPHABET: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";
/// Names of the record in the vault, and of its part.
const RECORD: &str = "operator";
const PART: &str = "totp";

/// An encrypted secret.
#[derive(Serialize, Deserialize)]
pub(super) struct Sealed {
    pub key: Wrapped,
    pub secret: String,
}

pub(super) fn totp(secret: Vec<u8>, name: &str) -> Result<Totp, ServiceError> {
    Builder::new()
        .with_secret(secret)
        .with_skew(SKEW)
        .with_step_duration(STEP_SECONDS)
        .with_account_name(name)
        .with_issuer(Some(ISSUER))
        .build()
        .map_err(|error| ServiceError::Internal(anyhow::anyhow!("totp: {error}")))
}

fn wrapped(operator: &Model) -> Wrapped {
    Wrapped {
        key_id: operator.key_id.clone(),
        wrapped_key: operator.wrapped_key.clone(),
    }
}

/// Encrypts the key of each operator's secret under the current master key; returns how many were under another.
pub async fn rewrap(vault: &Vault, db: &DatabaseConnection) -> anyhow::Result<u64> {
    let enrolled = Entity::find().filter(Column::KeyId.ne(""));
    let old = enrolled.filter(Column::KeyId.ne(vault.current_id()));
    let mut renewed = 0;
    for row in old.all(db).await? {
        let Some(new) = vault.renewed(&wrapped(&row), &row.id, RECORD)? else {
            continue;
        };
        Entity::update_many()
            .set(ActiveModel {
                key_id: Set(new.key_id),
                wrapped_key: Set(new.wrapped_key),
                ..Default::default()
            })
            .filter(Column::Id.eq(&row.id))
            .filter(Column::WrappedKey.eq(&row.wrapped_key))
            .exec(db)
            .await?;
        renewed += 1;
    }
    Ok(renewed)
}

impl Operators {
    /// A fresh secret for an operator's app, encrypted.
    pub(super) fn new_secret(&self, operator_id: &str) -> Result<Sealed, ServiceError> {
        let bytes = rand::random::<[u8; 20]>();
        let (wrapped, key) = self.vault.new_record(operator_id, RECORD)?;
        Ok(Sealed {
            key: wrapped,
            secret: STANDARD_NO_PAD.encode(key.seal(PART, &bytes)?),
        })
    }

    pub(super) fn totp_of(&self, operator: &Model) -> Result<Totp, ServiceError> {
        let sealed = Sealed {
            key: wrapped(operator),
            secret: operator.secret.clone(),
        };
        self.totp_with(operator, &sealed)
    }

    /// The app of an operator with a secret.
    pub(super) fn totp_with(
        &self,
        operator: &Model,
        sealed: &Sealed,
    ) -> Result<Totp, ServiceError> {
        let key = self.vault.open_record(&sealed.key, &operator.id, RECORD)?;
        let bytes = STANDARD_NO_PAD
            .decode(&sealed.secret)
            .map_err(|error| ServiceError::Internal(error.into()))?;
        totp(key.open(PART, &bytes)?, &operator.name)
    }

    /// Counts a try before it is checked, so that concurrent ones all count. `false`: there were too many.
    pub(super) async fn may_try(&self, operator: &Model) -> Result<bool, ServiceError> {
        let now_ms = self.now_ms();
        let paused = Expr::col(Column::FailedAt).lte(now_ms - PAUSE_MS);
        let failures: Expr = Expr::case(paused, 1)
            .finally(Expr::col(Column::Failures).add(1))
            .into();
        let tried = Entity::update_many()
            .col_expr(Column::Failures, failures)
            .col_expr(Column::FailedAt, Expr::value(now_ms))
            .filter(Column::Id.eq(&operator.id))
            .filter(
                Column::Failures
                    .lt(TRIES)
                    .or(Column::FailedAt.lte(now_ms - PAUSE_MS)),
            )
            .exec(&self.context.db)
            .await?;
        Ok(tried.rows_affected == 1)
    }

    /// Resets the count of wrong codes.
    pub(super) async fn forgive(
        &self,
        transaction: &impl ConnectionTrait,
        operator_id: &str,
    ) -> Result<(), ServiceError> {
        Entity::update_many()
            .set(ActiveModel {
                failures: Set(0),
                ..Default::default()
            })
            .filter(Column::Id.eq(operator_id))
            .exec(transaction)
            .await?;
        Ok(())
    }

    /// Whether it is a code the app shows now, or a recovery code. Used up with the transaction: of concurrent callers one
    /// succeeds.
    pub(super) async fn use_code(
        &self,
        transaction: &impl ConnectionTrait,
        operator: &Model,
        given: &str,
    ) -> Result<bool, ServiceError> {
        let is_app = given.len() == 6 && given.bytes().all(|b| b.is_ascii_digit());
        // Always sets a column: an UPDATE needs one.
        let mut change = ActiveModel {
            state: Set(operator.state),
            ..Default::default()
        };
        let mut own = Entity::update_many().filter(Column::Id.eq(&operator.id));
        if is_app {
            let seconds = (self.now_ms() / 1000) as u64;
            let Some(step) = self.totp_of(operator)?.check(given, seconds) else {
                return Ok(false);
            };
            let step = i64::try_from(step).unwrap_or(i64::MAX);
            change.last_step = Set(step);
            own = own.filter(Column::LastStep.lt(step));
        } else {
            let id = recovery_id(&operator.id, given);
            let used = recovery::Entity::delete_by_id(id).exec(transaction).await?;
            if used.rows_affected != 1 {
                return Ok(false);
            }
        }
        let used = own.set(change).exec(transaction).await?;
        Ok(used.rows_affected == 1)
    }

    /// Replaces the recovery codes.
    pub(super) async fn new_recovery_codes(
        &self,
        transaction: &impl ConnectionTrait,
        operator_id: &str,
    ) -> Result<Vec<String>, ServiceError> {
        self.forget_recovery_codes(transaction, operator_id).await?;
        let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code()).collect();
        let rows = codes.iter().map(|code| recovery::ActiveModel {
            id: Set(recovery_id(operator_id, code)),
            operator_id: Set(operator_id.to_owned()),
        });
        recovery::Entity::insert_many(rows)
            .exec_without_returning(transaction)
            .await?;
        Ok(codes)
    }

    pub(super) async fn forget_recovery_codes(
        &self,
        transaction: &impl ConnectionTrait,
        operator_id: &str,
    ) -> Result<(), ServiceError> {
        recovery::Entity::delete_many()
            .filter(recovery::Column::OperatorId.eq(operator_id))
            .exec(transaction)
            .await?;
        Ok(())
    }

    pub(super) async fn recovery_codes_left(&self, operator_id: &str) -> Result<i32, ServiceError> {
        let left = recovery::Entity::find()
            .filter(recovery::Column::OperatorId.eq(operator_id))
            .count(&self.context.db)
            .await?;
        Ok(left as i32)
    }
}

/// Four groups of five, 99 random bits.
fn recovery_code() -> String {
    let mut random = rand::rng();
    let mut group = || -> String {
        (0..5)
            .map(|_| char::from(ALPHABET[random.random_range(0..ALPHABET.len())]))
            .collect()
    };
    [group(), group(), group(), group()].join("-")
}

/// Id of a code, typed in any case, with or without its dashes.
fn recovery_id(operator_id: &str, code: &str) -> String {
    let kept = code.chars().filter(char::is_ascii_alphanumeric).take(64);
    let plain: String = kept.map(|c| c.to_ascii_lowercase()).collect();
    secret::sha256(&format!("{operator_id}:{plain}"))
}
