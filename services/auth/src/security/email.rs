//! Binding an e-mail address: a code by mail proves that the account's owner reads it.

use std::time::Duration;

use chassis::db::{self, begin_write};
use chassis::{BusinessError, ServiceError};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait};
use subtle::ConstantTimeEq;

use super::{Change, Own};
use crate::entity::mail_code::{Column, Entity, Model};
use crate::mail::Mail;
use crate::rules::AccountName;
use crate::service::{Auth, refused};
use crate::{messages, rules, secret, store};

const HOUR: Duration = Duration::from_secs(3600);
/// Tries of one code.
const TRIES: i32 = 5;

impl Auth {
    /// Sends a code to an address that is to be bound; returns its key.
    pub(super) async fn send_mail_code(
        &self,
        own: &Own<'_>,
        email: &str,
    ) -> Result<String, ServiceError> {
        let email = rules::email(email)?;
        own.must_be_confirmed(self.now_ms())?;
        if !self.mailer.is_configured() {
            return refused(code::SMS_NOT_SENT, "邮件服务未配置，请联系管理员");
        }
        self.refuse_taken(&email).await?;
        self.count_mail(&own.account.id, &email).await?;
        let (key, code) = self.write_mail_code(&own.account.id, &email).await?;
        let minutes = self.config.mail.code_life_seconds / 60;
        let mail = Mail {
            to: email,
            subject: format!("玄览云邮箱验证码：{code}"),
            text: format!(
                "您正在绑定邮箱，验证码是 {code}，{minutes}分钟内有效。\n\n如果不是您本人操作，请忽略这封邮件。\n\n玄览云"
            ),
            purpose: "bindEmail",
            code,
            time_ms: self.now_ms(),
        };
        if let Err(error) = self.mailer.send(&mail).await {
            tracing::error!(%error, "mail was not delivered");
            return refused(code::SMS_NOT_SENT, "邮件没有发出，请稍后再试");
        }
        metrics::counter!("auth_mails_sent_total", "purpose" => mail.purpose).increment(1);
        Ok(key)
    }

    async fn refuse_taken(&self, email: &str) -> Result<(), ServiceError> {
        let name = AccountName::Email(email.to_owned());
        match store::by_name(&self.context.db, &name).await? {
            None => Ok(()),
            Some(_) => refused(code::ACCOUNT_EXISTS, messages::EMAIL_EXISTS),
        }
    }

    /// Errors: 60202 beyond the limits of the account or of the address.
    async fn count_mail(&self, login_id: &str, email: &str) -> Result<(), ServiceError> {
        let cache = self.context.cache.scoped("auth:mail");
        let config = &self.config.mail;
        let of_account = cache.count(&format!("account:{login_id}"), HOUR).await?;
        let to_address = cache.count(&format!("to:{email}"), HOUR).await?;
        if of_account > config.per_account_hour || to_address > config.per_address_hour {
            return refused(code::SMS_NOT_SENT, "1小时内发送的邮件过多，请稍后再试");
        }
        Ok(())
    }

    /// A new code; voids the account's earlier ones.
    async fn write_mail_code(
        &self,
        login_id: &str,
        email: &str,
    ) -> Result<(String, String), ServiceError> {
        let (key, code) = (secret::id(), secret::sms_code());
        let transaction = begin_write(&self.context.db).await?;
        remove(&transaction, login_id).await?;
        let row = Model {
            id: secret::sha256(&key),
            login_id: login_id.to_owned(),
            email: email.to_owned(),
            code_hash: secret::sha256(&format!("{key}:{code}")),
            tries: 0,
            expires_at: self.now_ms() + self.config.mail.code_life_seconds * 1000,
        };
        db::insert(row, &transaction).await?;
        transaction.commit().await?;
        Ok((key, code))
    }

    /// Binds the address that the code was sent to.
    pub(super) async fn bind_email(
        &self,
        own: &Own<'_>,
        email: &str,
        key: &str,
        code: &str,
    ) -> Result<(), ServiceError> {
        let email = rules::email(email)?;
        rules::code(key, code)?;
        own.must_be_confirmed(self.now_ms())?;
        let login_id = &own.account.id;
        let right = self.right_mail_code(login_id, &email, key, code).await?;
        let transaction = begin_write(&self.context.db).await?;
        let used = Entity::delete_own(login_id)
            .filter(Column::Id.eq(&right.id))
            .exec(&transaction)
            .await?;
        if used.rows_affected != 1 {
            return refused(code::WRONG_CODE, messages::CODE_EXPIRED);
        }
        let now_ms = self.now_ms();
        store::set_email(&transaction, login_id, &email, Some(now_ms), now_ms).await?;
        self.secured(transaction, own, Change::Email).await
    }

    /// Every check counts as a try.
    async fn right_mail_code(
        &self,
        login_id: &str,
        email: &str,
        key: &str,
        code: &str,
    ) -> Result<Model, ServiceError> {
        let db = &self.context.db;
        let id = secret::sha256(key);
        let tried = Entity::update_own(login_id)
            .col_expr(Column::Tries, Expr::col(Column::Tries).add(1))
            .filter(Column::Id.eq(&id))
            .filter(Column::Email.eq(email))
            .filter(Column::ExpiresAt.gt(self.now_ms()))
            .filter(Column::Tries.lt(TRIES))
            .exec(db)
            .await?;
        let expired = || BusinessError::new(code::WRONG_CODE, messages::CODE_EXPIRED);
        if tried.rows_affected != 1 {
            return Err(expired().into());
        }
        let row = Entity::find_own_by_id(login_id, &id).one(db).await?;
        let row = row.ok_or_else(expired)?;
        let given = secret::sha256(&format!("{key}:{code}"));
        if !bool::from(given.as_bytes().ct_eq(row.code_hash.as_bytes())) {
            return refused(code::WRONG_CODE, messages::CODE_WRONG);
        }
        Ok(row)
    }
}

async fn remove(connection: &impl ConnectionTrait, login_id: &str) -> Result<(), DbErr> {
    Entity::delete_own(login_id).exec(connection).await?;
    Ok(())
}

pub(super) async fn clean(db: &DatabaseConnection, now_ms: i64) -> Result<(), DbErr> {
    Entity::delete_any()
        .filter(Column::ExpiresAt.lte(now_ms))
        .exec(db)
        .await?;
    Ok(())
}
