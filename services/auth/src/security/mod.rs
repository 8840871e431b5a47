//! What protects an account: confirming that its owner is there, phone, password, e-mail address, second factor.
//!
//! What changes a way in needs a session that confirmed itself lately, ends the other sessions, and is told to the owner.

mod confirm;
mod email;
pub mod factor;
mod grpc;
mod interest;

use chassis::db::begin_write;
use chassis::{BusinessError, Caller, ServiceError};
use proto::auth::v1::{AccountSecured, AccountSecurityReply};
use proto::code;
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;

use crate::entity::{account, session as rows};
use crate::guesses::{self, Guesser};
use crate::service::{Auth, PhoneAndCode, refused};
use crate::session::{Opening, agent};
use crate::sms::{self, Purpose};
use crate::{device, events, rules, session, store};

/// A change of a way into an account.
#[derive(Debug, Clone, Copy)]
pub enum Change {
    Phone,
    Password,
    Email,
    SecondFactorOn,
    SecondFactorOff,
    RecoveryCodes,
    IdentityLinked,
    IdentityUnlinked,
    Closing,
    Kept,
    Export,
    ExportFetched,
}

impl Change {
    fn name(self) -> &'static str {
        match self {
            Self::Phone => "phone",
            Self::Password => "password",
            Self::Email => "email",
            Self::SecondFactorOn => "secondFactorOn",
            Self::SecondFactorOff => "secondFactorOff",
            Self::RecoveryCodes => "recoveryCodes",
            Self::IdentityLinked => "identityLinked",
            Self::IdentityUnlinked => "identityUnlinked",
            Self::Closing => "closing",
            Self::Kept => "kept",
            Self::Export => "export",
            Self::ExportFetched => "exportFetched",
        }
    }
}

/// Where a change came from, as its owner reads it.
#[derive(Debug, Clone, Copy)]
pub struct Changer<'a> {
    pub remote_addr: &'a str,
    pub user_agent: &'a str,
}

/// The calling account and session.
pub struct Own<'a> {
    pub account: account::Model,
    pub session: rows::Model,
    caller: &'a Caller,
}

impl Own<'_> {
    /// Errors: 60207 unless the session confirmed itself lately.
    pub fn must_be_confirmed(&self, now_ms: i64) -> Result<(), BusinessError> {
        if self.session.confirmed_until > now_ms {
            return Ok(());
        }
        Err(BusinessError::new(
            code::CONFIRM_IDENTITY,
            "为了您的账号安全，请先确认身份",
        ))
    }

    pub(crate) fn changer(&self) -> Changer<'_> {
        Changer {
            remote_addr: self.caller.remote_addr(),
            user_agent: self.caller.user_agent(),
        }
    }

    fn guesser(&self) -> Guesser<'_> {
        Guesser {
            login_id: &self.account.id,
            remote_addr: self.caller.remote_addr(),
            device: &self.session.device,
        }
    }

    fn opening(&self) -> Opening<'_> {
        Opening {
            method: self.session.method,
            remote_addr: self.caller.remote_addr(),
            user_agent: self.caller.user_agent(),
            device: "",
        }
    }
}

impl Auth {
    /// Who calls.
    pub(crate) async fn own<'a>(&self, caller: &'a Caller) -> Result<Own<'a>, ServiceError> {
        let db = &self.context.db;
        let login_id = caller.login_id()?;
        let token = &self.config.token;
        let found = session::find(db, token, caller.token_hash(), self.now_ms()).await?;
        let session = found.filter(|session| session.login_id == login_id);
        let session = session.ok_or(ServiceError::Unauthenticated)?;
        let account = store::by_id(db, login_id).await?;
        Ok(Own {
            account: account.ok_or(ServiceError::Unauthenticated)?,
            session,
            caller,
        })
    }

    /// Tells the owner that a way into the account was changed.
    pub(crate) async fn tell_change(
        &self,
        transaction: &DatabaseTransaction,
        login_id: &str,
        change: Change,
        by: &Changer<'_>,
    ) -> Result<(), ServiceError> {
        let now_ms = self.now_ms();
        let event = AccountSecured {
            login_id: login_id.to_owned(),
            what: change.name().to_owned(),
            device: agent::read(by.user_agent).1,
            remote_addr: store::address(by.remote_addr),
            at_ms: now_ms,
        };
        self.outbox
            .add(transaction, login_id, now_ms, &event)
            .await?;
        metrics::counter!("auth_account_changes_total", "what" => change.name()).increment(1);
        Ok(())
    }

    /// Commits a change of a way in: the other sessions end, and the owner is told.
    pub(crate) async fn secured(
        &self,
        transaction: DatabaseTransaction,
        own: &Own<'_>,
        change: Change,
    ) -> Result<(), ServiceError> {
        let login_id = &own.account.id;
        let kept = &own.session.token_hash;
        let ended = session::close_others(&transaction, login_id, kept).await?;
        if matches!(change, Change::Phone | Change::Email) {
            let account = store::by_id(&transaction, login_id).await?;
            let account = account.ok_or(ServiceError::Unauthenticated)?;
            events::changed(&self.outbox, &transaction, &account).await?;
        }
        self.tell_change(&transaction, login_id, change, &own.changer())
            .await?;
        self.commit_revocation(transaction, &ended).await
    }

    /// Gives the account another phone number, to which a code was sent.
    async fn modify_phone(
        &self,
        own: &Own<'_>,
        phone: &str,
        key: &str,
        code: &str,
    ) -> Result<(), ServiceError> {
        rules::phone(phone)?;
        rules::code(key, code)?;
        own.must_be_confirmed(self.now_ms())?;
        let db = &self.context.db;
        if store::by_phone(db, phone).await?.is_some() {
            return refused(code::ACCOUNT_EXISTS, rules::PHONE_EXISTS);
        }
        let form = PhoneAndCode {
            phone,
            key,
            code,
            totp: "",
            opening: own.opening(),
        };
        let right = self.check_code(&form, Purpose::BindPhone).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        store::set_phone(&transaction, &own.account.id, phone, self.now_ms()).await?;
        self.secured(transaction, own, Change::Phone).await
    }

    /// Sets a new password: with the old one, or by a session that confirmed itself.
    async fn modify_password(
        &self,
        own: &Own<'_>,
        old: &str,
        new: &str,
    ) -> Result<(), ServiceError> {
        let account = &own.account;
        let new = rules::new_password(new, &account.phone)?;
        if old.is_empty() {
            own.must_be_confirmed(self.now_ms())?;
        } else {
            rules::password(old)?;
            if !self
                .try_password(account, old, &own.guesser(), None)
                .await?
            {
                return refused(code::WRONG_PASSWORD, "原密码错误");
            }
            if old == new {
                return Err(BusinessError::invalid("新密码不能与原密码相同").into());
            }
        }
        let password_hash = self.passwords.hash(new).await?;
        let transaction = begin_write(&self.context.db).await?;
        if !store::hold_with_password(&transaction, account).await? {
            return refused(code::CONFLICT, "密码刚刚被修改过，请重试");
        }
        store::set_password(&transaction, &account.id, &password_hash, self.now_ms()).await?;
        guesses::forget(&transaction, &account.id).await?;
        device::forget_others(&transaction, &account.id, &own.session.device).await?;
        self.secured(transaction, own, Change::Password).await
    }

    /// What protects the account.
    async fn security_of(&self, own: Own<'_>) -> Result<AccountSecurityReply, ServiceError> {
        let db = &self.context.db;
        let account = &own.account;
        let has_factor = factor::enrolled(db, &account.id).await?.is_some();
        let has_password = !account.password_hash.is_empty();
        let methods: &[&str] = match (has_factor, has_password) {
            (true, _) => &["totp", "recovery"],
            (false, true) => &["password", "sms"],
            (false, false) => &["sms"],
        };
        let confirmed_until = own.session.confirmed_until;
        Ok(AccountSecurityReply {
            phone: rules::masked(&account.phone),
            email: account.email.as_deref().map(rules::masked_email),
            email_verified: account.email_verified_at.is_some(),
            has_password,
            second_factor: has_factor,
            recovery_codes_left: factor::codes_left(db, &account.id).await?,
            confirmed_until: match confirmed_until > self.now_ms() {
                true => confirmed_until,
                false => 0,
            },
            confirm_methods: methods.iter().map(|method| (*method).to_owned()).collect(),
            interest: own.account.interest,
            register_purpose: own.account.register_purpose,
            mail_available: self.mailer.is_configured(),
        })
    }
}

/// Removes mail codes that nobody can use any more, and apps that were never confirmed.
pub async fn clean(db: &DatabaseConnection, now_ms: i64) -> Result<(), DbErr> {
    email::clean(db, now_ms).await?;
    factor::clean(db, now_ms).await
}
