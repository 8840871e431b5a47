//! What auth does for people: codes, sign-in, registration, recovery, sessions. Each call checks in the order of the
//! contract, whatever the client has checked already.

use std::sync::Arc;

use chassis::db::begin_write;
use chassis::messaging::Outbox;
use chassis::{BusinessError, Context, ServiceError};
use proto::code;
use sea_orm::DatabaseTransaction;

use crate::config::AuthConfig;
use crate::entity::account;
use crate::events::{self, Revocation};
use crate::password::Passwords;
use crate::rules;
use crate::session::{self, Issued};
use crate::slider::Slider;
use crate::sms::{self, Purpose, RightCode, SmsSender};
use crate::{risk, store};

/// The parts of a running auth; clones share them.
#[derive(Clone)]
pub struct Auth {
    pub context: Context,
    pub config: Arc<AuthConfig>,
    pub outbox: Outbox,
    pub passwords: Passwords,
    pub slider: Slider,
    pub sender: Arc<dyn SmsSender>,
}

/// A sign-in by password.
pub struct PasswordSignIn<'a> {
    pub username: &'a str,
    pub password: &'a str,
    pub ticket: &'a str,
    pub remote_addr: &'a str,
}

/// A phone number and the code that was sent to it.
pub struct PhoneAndCode<'a> {
    pub phone: &'a str,
    pub key: &'a str,
    pub code: &'a str,
    pub remote_addr: &'a str,
}

fn refused<T>(code: i32, message: impl Into<String>) -> Result<T, ServiceError> {
    Err(BusinessError::new(code, message).into())
}

impl Auth {
    fn now_ms(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// Whether nobody has this phone number or e-mail address.
    pub async fn is_absent(&self, username: &str) -> Result<bool, ServiceError> {
        let name = rules::account_name(username)?;
        Ok(store::by_name(&self.context.db, &name).await?.is_none())
    }

    /// Sends a code and answers its key.
    pub async fn send_sms(
        &self,
        phone: &str,
        purpose: &str,
        ticket: &str,
        remote_addr: &str,
    ) -> Result<String, ServiceError> {
        let phone = rules::phone(phone)?;
        let purpose = Purpose::parse(purpose)?;
        if !self.sender.is_configured() {
            return refused(code::SMS_NOT_SENT, "短信服务未配置，请联系管理员");
        }
        let db = &self.context.db;
        let exists = store::by_phone(db, phone).await?.is_some();
        purpose.check_existence(exists)?;
        let request = sms::Request {
            phone,
            purpose,
            remote_addr,
        };
        // Before the slider: nobody solves a puzzle to hear that it is too soon.
        let recent = sms::check_limits(db, &self.config.sms, &request, self.now_ms()).await?;
        let demanded = risk::sms_needs_slider(self.config.risk.slider, &recent);
        if !self.slider_is_passed(ticket, demanded, remote_addr).await? {
            return refused(code::SMS_NOT_SENT, rules::SLIDER_REQUIRED);
        }
        let written = sms::write(db, &self.config.sms, &request, self.now_ms()).await?;
        if let Err(error) = self.sender.send(&written.sms).await {
            tracing::error!(%error, "sms was not delivered");
            sms::void(db, &written, self.now_ms()).await?;
            return refused(code::SMS_NOT_SENT, "短信没有发出，请稍后再试");
        }
        metrics::counter!("auth_sms_sent_total", "purpose" => purpose.name()).increment(1);
        Ok(written.key)
    }

    /// A ticket that is given has to be good; without one, a demanded slider may have been passed just now.
    async fn slider_is_passed(
        &self,
        ticket: &str,
        demanded: bool,
        remote_addr: &str,
    ) -> Result<bool, ServiceError> {
        if !ticket.is_empty() {
            return self.slider.redeem(ticket, remote_addr).await;
        }
        if !demanded {
            return Ok(true);
        }
        self.slider.redeem_pass(remote_addr).await
    }

    /// Signs in by password.
    pub async fn sign_in(&self, form: &PasswordSignIn<'_>) -> Result<Issued, ServiceError> {
        let name = rules::account_name(form.username)?;
        let password = rules::password(form.password)?;
        let db = &self.context.db;
        let Some(account) = store::by_name(db, &name).await? else {
            return refused(code::NOT_REGISTERED, rules::NOT_REGISTERED);
        };
        // Noted before anything is looked at, so that of many tries at once each sees the others.
        let now_ms = self.now_ms();
        let attempt = store::add_failure(db, &account.id, form.remote_addr, now_ms).await?;
        if let Err(error) = self.admit(&account, form, &attempt).await {
            store::withdraw_failure(db, &attempt).await?;
            return Err(error);
        }
        let right = self
            .passwords
            .verify(password, &account.password_hash)
            .await;
        match right {
            Ok(true) => self.open_after_password(&account, form.remote_addr).await,
            Ok(false) => self.wrong_password(&account, form.remote_addr).await,
            Err(error) => {
                store::withdraw_failure(db, &attempt).await?;
                Err(error)
            }
        }
    }

    /// Whether the password may be looked at: slider and lock.
    async fn admit(
        &self,
        account: &account::Model,
        form: &PasswordSignIn<'_>,
        attempt: &str,
    ) -> Result<(), ServiceError> {
        let db = &self.context.db;
        let now_ms = self.now_ms();
        let failures = store::failures(db, &account.id, form.remote_addr, attempt, now_ms).await?;
        let demanded = risk::password_needs_slider(self.config.risk.slider, &failures);
        let passed = self.slider_is_passed(form.ticket, demanded, form.remote_addr);
        if !passed.await? {
            return refused(code::SLIDER_DEMANDED, rules::SLIDER_REQUIRED);
        }
        if let Some(left) = risk::lock_left_ms(&failures, now_ms) {
            let wait = rules::span(left);
            let message = format!("密码错误次数过多，请{wait}后再试，或使用短信登录");
            return refused(code::WRONG_PASSWORD, message);
        }
        Ok(())
    }

    async fn open_after_password(
        &self,
        account: &account::Model,
        remote_addr: &str,
    ) -> Result<Issued, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        if !store::hold_with_password(&transaction, account).await? {
            // It was changed while it was being verified.
            return refused(code::WRONG_PASSWORD, rules::WRONG_PASSWORD);
        }
        store::forgive(&transaction, &account.id).await?;
        self.open_session(transaction, &account.id, remote_addr)
            .await
    }

    async fn wrong_password<T>(
        &self,
        account: &account::Model,
        remote_addr: &str,
    ) -> Result<T, ServiceError> {
        metrics::counter!("auth_wrong_passwords_total").increment(1);
        let db = &self.context.db;
        let failures = store::failures(db, &account.id, remote_addr, "", self.now_ms()).await?;
        // The next try needs the slider: the client is told so that it can show it.
        if risk::password_needs_slider(self.config.risk.slider, &failures) {
            return refused(code::SLIDER_DEMANDED, rules::WRONG_PASSWORD);
        }
        refused(code::WRONG_PASSWORD, rules::WRONG_PASSWORD)
    }

    /// Opens a session in the transaction, commits it and tells whose sessions ended.
    async fn open_session(
        &self,
        transaction: DatabaseTransaction,
        login_id: &str,
        remote_addr: &str,
    ) -> Result<Issued, ServiceError> {
        let now_ms = self.now_ms();
        let token = &self.config.token;
        let (issued, ended) =
            session::open(&transaction, token, login_id, remote_addr, now_ms).await?;
        self.commit_revocation(transaction, &ended).await?;
        Ok(issued)
    }

    async fn commit_revocation(
        &self,
        transaction: DatabaseTransaction,
        ended: &Revocation,
    ) -> Result<(), ServiceError> {
        events::revoked(&self.outbox, &transaction, ended, self.now_ms()).await?;
        transaction.commit().await?;
        self.outbox.wake();
        ended.push(&self.context.bus);
        Ok(())
    }

    async fn check_code(
        &self,
        form: &PhoneAndCode<'_>,
        purpose: Purpose,
    ) -> Result<RightCode, ServiceError> {
        let answer = sms::Answer {
            phone: form.phone,
            purpose,
            key: form.key,
            code: form.code,
        };
        sms::check(&self.context.db, &self.config.sms, &answer, self.now_ms()).await
    }

    /// Signs in by SMS code.
    pub async fn sign_in_by_phone(&self, form: &PhoneAndCode<'_>) -> Result<Issued, ServiceError> {
        rules::phone(form.phone)?;
        rules::code(form.key, form.code)?;
        let db = &self.context.db;
        let Some(account) = store::by_phone(db, form.phone).await? else {
            return refused(code::NOT_REGISTERED, rules::NOT_REGISTERED);
        };
        let right = self.check_code(form, Purpose::Login).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        self.open_session(transaction, &account.id, form.remote_addr)
            .await
    }

    /// Registers by SMS code and signs in.
    pub async fn register(
        &self,
        form: &PhoneAndCode<'_>,
        password: &str,
        profession: &str,
    ) -> Result<Issued, ServiceError> {
        rules::phone(form.phone)?;
        let password = rules::password(password)?;
        rules::code(form.key, form.code)?;
        let profession = rules::profession(profession)?;
        let db = &self.context.db;
        if store::by_phone(db, form.phone).await?.is_some() {
            return refused(code::ACCOUNT_EXISTS, rules::USER_EXISTS);
        }
        let right = self.check_code(form, Purpose::Register).await?;
        let password_hash = self.passwords.hash(password).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        let new = store::NewAccount {
            phone: form.phone,
            email: None,
            password_hash,
            profession,
            is_operator: false,
        };
        let account = store::add(&transaction, new, self.now_ms()).await?;
        events::registered(&self.outbox, &transaction, &account).await?;
        metrics::counter!("auth_registrations_total").increment(1);
        self.open_session(transaction, &account.id, form.remote_addr)
            .await
    }

    /// Sets a new password by SMS code; every session of the account ends.
    pub async fn recover(
        &self,
        form: &PhoneAndCode<'_>,
        password: &str,
        ticket: &str,
    ) -> Result<(), ServiceError> {
        rules::phone(form.phone)?;
        let password = rules::password(password)?;
        rules::code(form.key, form.code)?;
        let db = &self.context.db;
        let Some(account) = store::by_phone(db, form.phone).await? else {
            return refused(code::NOT_REGISTERED, rules::USER_MISSING);
        };
        let demanded = self.config.risk.slider == crate::config::SliderRule::Always;
        if !self
            .slider_is_passed(ticket, demanded, form.remote_addr)
            .await?
        {
            return refused(code::SLIDER_DEMANDED, rules::SLIDER_REQUIRED);
        }
        let right = self.check_code(form, Purpose::Rebuild).await?;
        let password_hash = self.passwords.hash(password).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        store::set_password(&transaction, &account.id, &password_hash, self.now_ms()).await?;
        store::forgive(&transaction, &account.id).await?;
        let ended = session::close_all(&transaction, &account.id).await?;
        self.commit_revocation(transaction, &ended).await
    }

    /// Gives the calling session a new token. `token` may name the caller's own token and no other.
    pub async fn refresh(
        &self,
        login_id: &str,
        token_hash: &str,
        token: &str,
    ) -> Result<Issued, ServiceError> {
        if !token.is_empty() && crate::secret::sha256(token) != token_hash {
            return refused(code::FOREIGN, "只能刷新当前登录的凭证");
        }
        let now_ms = self.now_ms();
        let transaction = begin_write(&self.context.db).await?;
        let (issued, ended) = session::rotate(
            &transaction,
            &self.config.token,
            login_id,
            token_hash,
            now_ms,
        )
        .await?;
        self.commit_revocation(transaction, &ended).await?;
        Ok(issued)
    }

    /// Ends the calling session.
    pub async fn sign_out(&self, login_id: &str, token_hash: &str) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let ended = session::close(&transaction, login_id, token_hash).await?;
        self.commit_revocation(transaction, &ended).await
    }
}
