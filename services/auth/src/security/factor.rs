//! The second factor: codes of an authenticator app (RFC 6238), and recovery codes in case it is lost.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chassis::db::{self, begin_write};
use chassis::{BusinessError, ServiceError};
use proto::auth::v1::BeginSecondFactorReply;
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, QuerySelect, Set};
use totp_rs::{Builder, Totp};

use super::{Change, Own};
use crate::certification::vault::{Vault, Wrapped};
use crate::entity::recovery_code;
use crate::entity::second_factor::{ActiveModel, Column, Entity, Model};
use crate::entity::sign_in::Outcome;
use crate::service::{Auth, refused};
use crate::session::{Opening, sign_in};
use crate::tries::Tries;
use crate::{device, secret};

pub const WRONG: &str = "动态验证码不正确";
const DEMANDED: &str = "请输入动态验证码";

/// Issuer that the app shows.
const ISSUER: &str = "玄览云";
const STEP_SECONDS: u64 = 30;
/// Steps by which the app's clock may be off.
const SKEW: u16 = 1;
/// How long an enrolment waits for the app's first code.
const ENROLMENT_MS: i64 = 15 * 60_000;
/// Wrong codes in a row before a pause.
const TRIES: i32 = 5;
const PAUSE_MS: i64 = 15 * 60_000;
/// Life of the ticket that replaces a second slider.
const TICKET_LIFE: Duration = Duration::from_secs(300);
const RECOVERY_CODES: usize = 10;
/// Names of the record in the vault, and of its part.
const RECORD: &str = "second_factor";
const PART: &str = "secret";

/// The app of an account, once confirmed.
pub async fn enrolled(
    connection: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(login_id)
        .filter(Column::ConfirmedAt.is_not_null())
        .one(connection)
        .await
}

pub async fn codes_left(connection: &impl ConnectionTrait, login_id: &str) -> Result<i32, DbErr> {
    let left = recovery_code::Entity::find_own(login_id)
        .count(connection)
        .await?;
    Ok(i32::try_from(left).unwrap_or(i32::MAX))
}

/// Removes app and recovery codes of an account.
pub async fn remove(connection: &impl ConnectionTrait, login_id: &str) -> Result<(), DbErr> {
    Entity::delete_by_id(login_id).exec(connection).await?;
    forget_codes(connection, login_id).await
}

async fn forget_codes(connection: &impl ConnectionTrait, login_id: &str) -> Result<(), DbErr> {
    recovery_code::Entity::delete_own(login_id)
        .exec(connection)
        .await?;
    Ok(())
}

pub(super) async fn clean(db: &DatabaseConnection, now_ms: i64) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::ConfirmedAt.is_null())
        .filter(Column::CreatedAt.lt(now_ms - ENROLMENT_MS))
        .exec(db)
        .await?;
    Ok(())
}

/// Encrypts the key of each secret under the current master key; returns how many were under another.
pub async fn rewrap(vault: &Vault, db: &DatabaseConnection) -> anyhow::Result<u64> {
    let old = Entity::find().filter(Column::KeyId.ne(vault.current_id()));
    let mut renewed = 0;
    loop {
        let rows = old.clone().limit(100).all(db).await?;
        if rows.is_empty() {
            return Ok(renewed);
        }
        for row in rows {
            let Some(new) = vault.renewed(&wrapped(&row), &row.login_id, RECORD)? else {
                continue;
            };
            Entity::update_many()
                .set(ActiveModel {
                    key_id: Set(new.key_id),
                    wrapped_key: Set(new.wrapped_key),
                    ..Default::default()
                })
                .filter(Column::LoginId.eq(&row.login_id))
                .filter(Column::WrappedKey.eq(&row.wrapped_key))
                .exec(db)
                .await?;
            renewed += 1;
        }
    }
}

fn wrapped(factor: &Model) -> Wrapped {
    Wrapped {
        key_id: factor.key_id.clone(),
        wrapped_key: factor.wrapped_key.clone(),
    }
}

fn totp(secret: Vec<u8>, account_number: &str) -> Result<Totp, ServiceError> {
    Builder::new()
        .with_secret(secret)
        .with_skew(SKEW)
        .with_step_duration(STEP_SECONDS)
        .with_account_name(account_number)
        .with_issuer(Some(ISSUER))
        .build()
        .map_err(|error| ServiceError::Internal(anyhow::anyhow!("totp: {error}")))
}

fn code_id(login_id: &str, code: &str) -> String {
    secret::sha256(&format!("{login_id}:{code}"))
}

/// Normalizes a recovery code: typed in any case, with or without its dashes.
fn plain(code: &str) -> String {
    let kept = code.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// Which wrong codes are counted together. Those of strangers do not keep the owner out.
pub(crate) enum Counted {
    /// On no device that the account has signed in on, from any address.
    Strangers,
    /// On one such device, or in one session, by its id.
    Own(String),
}

impl Auth {
    /// Passes a sign-in: of an account without second factor, or with a right code of it.
    ///
    /// Errors: 60206, whose `datas` hold a ticket that replaces the slider when the same form is sent again.
    pub(crate) async fn pass_second_factor(
        &self,
        login_id: &str,
        given: &str,
        opening: &Opening<'_>,
    ) -> Result<(), ServiceError> {
        let db = &self.context.db;
        if enrolled(db, login_id).await?.is_none() {
            return Ok(());
        }
        let mut message = DEMANDED;
        if !given.is_empty() {
            let device = device::known(db, opening.device, login_id, self.now_ms()).await?;
            let counted = match device.is_empty() {
                true => Counted::Strangers,
                false => Counted::Own(device),
            };
            if self.is_second_factor(login_id, given, counted).await? {
                return Ok(());
            }
            let wrong = Outcome::WrongFactor;
            sign_in::note(db, login_id, opening, wrong, false, self.now_ms()).await?;
            message = WRONG;
        }
        let ticket = secret::token();
        let whose = format!("{login_id} {}", opening.remote_addr);
        let tickets = self.context.cache.scoped("auth:factor");
        tickets.put(&ticket, whose.as_bytes(), TICKET_LIFE).await?;
        let datas = serde_json::json!({"factorTicket": ticket});
        let error = BusinessError::new(code::SECOND_FACTOR, message);
        Err(error.with_datas(&datas).into())
    }

    /// Whether the ticket resumes a sign-in that was asked for its second factor.
    pub(crate) async fn is_resumed(
        &self,
        ticket: &str,
        login_id: &str,
        opening: &Opening<'_>,
    ) -> Result<bool, ServiceError> {
        if ticket.is_empty() || ticket.len() > 64 {
            return Ok(false);
        }
        let tickets = self.context.cache.scoped("auth:factor");
        let whose = format!("{login_id} {}", opening.remote_addr);
        Ok(tickets
            .get(ticket)
            .await?
            .is_some_and(|kept| kept == whose.as_bytes()))
    }

    /// Whether it is a code of the account's app or a recovery code, which is used up. Recovery codes cannot be guessed, and are
    /// not counted: who knows the password does not keep the owner from using them.
    ///
    /// Errors: 60206 with the wait after too many wrong codes of the app.
    pub(crate) async fn is_second_factor(
        &self,
        login_id: &str,
        given: &str,
        counted: Counted,
    ) -> Result<bool, ServiceError> {
        let db = &self.context.db;
        let Some(factor) = enrolled(db, login_id).await? else {
            return Ok(false);
        };
        let is_of_app = given.len() == 6 && given.bytes().all(|b| b.is_ascii_digit());
        if !is_of_app {
            return Ok(use_code(db, login_id, given).await?);
        }
        match counted {
            Counted::Strangers => self.try_as_stranger(&factor, given).await,
            Counted::Own(of) => {
                let cache = &self.context.cache;
                let tries = Tries::new(cache, "auth:factor-tries", &of, self.now_ms());
                if !tries.one_more().await? {
                    return refused(
                        code::SECOND_FACTOR,
                        "动态验证码错误次数过多，请稍后再试，最多等 15 分钟",
                    );
                }
                let right = self.use_step(&factor, given).await?;
                if right {
                    tries.forget().await?;
                }
                Ok(right)
            }
        }
    }

    async fn try_as_stranger(&self, factor: &Model, given: &str) -> Result<bool, ServiceError> {
        let (db, login_id) = (&self.context.db, factor.login_id.as_str());
        let now_ms = self.now_ms();
        // Counted before it is checked, so that concurrent tries all count.
        let tried = Entity::update_many()
            .col_expr(Column::Failures, failures_after(now_ms))
            .col_expr(Column::FailedAt, Expr::value(now_ms))
            .filter(Column::LoginId.eq(login_id))
            .filter(
                Column::Failures
                    .lt(TRIES)
                    .or(Column::FailedAt.lte(now_ms - PAUSE_MS)),
            )
            .exec(db)
            .await?;
        if tried.rows_affected != 1 {
            let wait = crate::rules::span(factor.failed_at + PAUSE_MS - now_ms);
            return refused(
                code::SECOND_FACTOR,
                format!("动态验证码错误次数过多，请{wait}后再试"),
            );
        }
        let right = self.use_step(factor, given).await?;
        if right {
            Entity::update_many()
                .set(ActiveModel {
                    failures: Set(0),
                    ..Default::default()
                })
                .filter(Column::LoginId.eq(login_id))
                .exec(db)
                .await?;
        }
        Ok(right)
    }

    /// Whether the app shows the code now; of concurrent callers with one code one succeeds.
    async fn use_step(&self, factor: &Model, given: &str) -> Result<bool, ServiceError> {
        let now_ms = self.now_ms();
        let totp = totp(self.secret_of(factor)?, "")?;
        let Some(step) = totp.check(given, (now_ms / 1000) as u64) else {
            return Ok(false);
        };
        let step = i64::try_from(step).unwrap_or(i64::MAX);
        let used = Entity::update_many()
            .set(ActiveModel {
                last_step: Set(step),
                ..Default::default()
            })
            .filter(Column::LoginId.eq(&factor.login_id))
            .filter(Column::LastStep.lt(step))
            .exec(&self.context.db)
            .await?;
        Ok(used.rows_affected == 1)
    }

    fn secret_of(&self, factor: &Model) -> Result<Vec<u8>, ServiceError> {
        let key = self
            .vault
            .open_record(&wrapped(factor), &factor.login_id, RECORD)?;
        let sealed = STANDARD_NO_PAD.decode(&factor.secret);
        let sealed = sealed.map_err(|error| ServiceError::Internal(error.into()))?;
        Ok(key.open(PART, &sealed)?)
    }

    /// Makes a secret for an app, replacing one begun before.
    pub(super) async fn begin_factor(
        &self,
        own: &Own<'_>,
    ) -> Result<BeginSecondFactorReply, ServiceError> {
        own.must_be_confirmed(self.now_ms())?;
        let login_id = &own.account.id;
        let bytes = rand::random::<[u8; 20]>().to_vec();
        let totp = totp(bytes.clone(), &own.account.account_number)?;
        let (wrapped, key) = self.vault.new_record(login_id, RECORD)?;
        let sealed = STANDARD_NO_PAD.encode(key.seal(PART, &bytes)?);
        let transaction = begin_write(&self.context.db).await?;
        if enrolled(&transaction, login_id).await?.is_some() {
            return refused(code::CONFLICT, "已开启动态验证码，请先关闭");
        }
        Entity::delete_by_id(login_id).exec(&transaction).await?;
        let row = Model {
            login_id: login_id.clone(),
            key_id: wrapped.key_id,
            wrapped_key: wrapped.wrapped_key,
            secret: sealed,
            created_at: self.now_ms(),
            confirmed_at: None,
            last_step: 0,
            failures: 0,
            failed_at: 0,
        };
        db::insert(row, &transaction).await?;
        transaction.commit().await?;
        let uri = totp.to_url();
        Ok(BeginSecondFactorReply {
            secret: totp.secret().to_base32(),
            uri: uri.map_err(|error| anyhow::anyhow!("otpauth address: {error}"))?,
        })
    }

    /// Verifies the app's first code: from now on the second factor counts. Returns the recovery codes.
    pub(super) async fn confirm_factor(
        &self,
        own: &Own<'_>,
        given: &str,
    ) -> Result<Vec<String>, ServiceError> {
        let now_ms = self.now_ms();
        own.must_be_confirmed(now_ms)?;
        let login_id = &own.account.id;
        let begun = Entity::find_by_id(login_id)
            .filter(Column::ConfirmedAt.is_null())
            .filter(Column::CreatedAt.gt(now_ms - ENROLMENT_MS))
            .one(&self.context.db)
            .await?;
        let Some(begun) = begun else {
            return refused(code::CONFLICT, "请重新获取动态验证码密钥");
        };
        if begun.failures >= TRIES {
            return refused(
                code::CONFLICT,
                "验证码错误次数过多，请重新获取动态验证码密钥",
            );
        }
        if !self.use_step(&begun, given).await? {
            Entity::update_many()
                .col_expr(Column::Failures, Expr::col(Column::Failures).add(1))
                .filter(Column::LoginId.eq(login_id))
                .exec(&self.context.db)
                .await?;
            return refused(code::SECOND_FACTOR, WRONG);
        }
        let transaction = begin_write(&self.context.db).await?;
        let confirmed = Entity::update_many()
            .set(ActiveModel {
                confirmed_at: Set(Some(now_ms)),
                failures: Set(0),
                ..Default::default()
            })
            .filter(Column::LoginId.eq(login_id))
            .filter(Column::ConfirmedAt.is_null())
            .filter(Column::CreatedAt.eq(begun.created_at))
            .exec(&transaction)
            .await?;
        if confirmed.rows_affected != 1 {
            return refused(code::CONFLICT, "请重新获取动态验证码密钥");
        }
        let codes = new_codes(&transaction, login_id).await?;
        self.secured(transaction, own, Change::SecondFactorOn)
            .await?;
        Ok(codes)
    }

    pub(super) async fn remove_factor(&self, own: &Own<'_>) -> Result<(), ServiceError> {
        own.must_be_confirmed(self.now_ms())?;
        let transaction = begin_write(&self.context.db).await?;
        if enrolled(&transaction, &own.account.id).await?.is_none() {
            return Ok(());
        }
        remove(&transaction, &own.account.id).await?;
        self.secured(transaction, own, Change::SecondFactorOff)
            .await
    }

    pub(super) async fn renew_codes(&self, own: &Own<'_>) -> Result<Vec<String>, ServiceError> {
        own.must_be_confirmed(self.now_ms())?;
        let transaction = begin_write(&self.context.db).await?;
        if enrolled(&transaction, &own.account.id).await?.is_none() {
            return refused(code::CONFLICT, "尚未开启动态验证码");
        }
        let codes = new_codes(&transaction, &own.account.id).await?;
        self.secured(transaction, own, Change::RecoveryCodes)
            .await?;
        Ok(codes)
    }
}

/// One more failure; the first one after a pause.
fn failures_after(now_ms: i64) -> Expr {
    let paused = Expr::col(Column::FailedAt).lte(now_ms - PAUSE_MS);
    Expr::case(paused, 1)
        .finally(Expr::col(Column::Failures).add(1))
        .into()
}

async fn use_code(
    connection: &impl ConnectionTrait,
    login_id: &str,
    given: &str,
) -> Result<bool, DbErr> {
    if given.len() > 64 {
        return Ok(false);
    }
    let used = recovery_code::Entity::delete_own(login_id)
        .filter(recovery_code::Column::Id.eq(code_id(login_id, &plain(given))))
        .exec(connection)
        .await?;
    Ok(used.rows_affected == 1)
}

/// Replaces the recovery codes: four groups of five letters and digits, 100 random bits.
async fn new_codes(
    transaction: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Vec<String>, DbErr> {
    forget_codes(transaction, login_id).await?;
    let mut codes = Vec::with_capacity(RECOVERY_CODES);
    let mut rows = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        let code = secret::recovery_code();
        rows.push(recovery_code::ActiveModel {
            id: Set(code_id(login_id, &plain(&code))),
            login_id: Set(login_id.to_owned()),
        });
        codes.push(code);
    }
    recovery_code::Entity::insert_many(rows)
        .exec_without_returning(transaction)
        .await?;
    Ok(codes)
}
