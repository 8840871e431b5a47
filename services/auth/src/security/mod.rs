//! Protection of an account: confirming its owner, phone, password, e-mail address, second factor.
//!
//! Changing a way in needs a recently confirmed session, ends the other sessions, and is reported to the owner.

mod calls;
mod confirm;
mod email;
pub mod factor;
mod interest;

use chassis::messaging::Outbox;
use chassis::{BusinessError, ServiceError, SignedIn};
use proto::auth::v1::AccountSecured;
use proto::code;
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;

use crate::entity::{account, session as rows};
use crate::guesses::Guesser;
use crate::service::Auth;
use crate::session::agent;
use crate::{events, session, store};

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
    /// By an operator.
    SecondFactorReset,
    /// By an operator.
    IdentityRemoved,
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
            Self::SecondFactorReset => "secondFactorReset",
            Self::IdentityRemoved => "identityRemoved",
        }
    }
}

/// Where a change came from, for display to the owner.
#[derive(Debug, Clone, Copy)]
pub struct Changer<'a> {
    pub remote_addr: &'a str,
    pub user_agent: &'a str,
}

/// The calling account and session.
pub struct Own<'a> {
    pub account: account::Model,
    pub session: rows::Model,
    caller: &'a SignedIn,
}

impl Own<'_> {
    /// Errors: 60207 unless the session was confirmed recently.
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
}

impl Auth {
    /// The caller's account and session.
    pub(crate) async fn own<'a>(&self, caller: &'a SignedIn) -> Result<Own<'a>, ServiceError> {
        let db = &self.context.db;
        let login_id = caller.login_id();
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

    /// Publishes that a way into the account was changed, to notify its owner.
    pub(crate) async fn tell_change(
        &self,
        transaction: &DatabaseTransaction,
        login_id: &str,
        change: Change,
        by: &Changer<'_>,
    ) -> Result<(), ServiceError> {
        tell(&self.outbox, transaction, login_id, change, by).await
    }

    /// Commits a change of a way in: the other sessions end, and the owner is notified.
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
}

/// As [`Auth::tell_change`].
pub async fn tell(
    outbox: &Outbox,
    transaction: &DatabaseTransaction,
    login_id: &str,
    change: Change,
    by: &Changer<'_>,
) -> Result<(), ServiceError> {
    let event = AccountSecured {
        login_id: login_id.to_owned(),
        what: change.name().to_owned(),
        device: agent::read(by.user_agent).1,
        remote_addr: store::address(by.remote_addr),
        at_ms: outbox.now_ms(),
    };
    outbox.add(transaction, login_id, &event).await?;
    metrics::counter!("auth_account_changes_total", "what" => change.name()).increment(1);
    Ok(())
}

/// Removes expired mail codes, and apps that were never confirmed.
pub async fn clean(db: &DatabaseConnection, now_ms: i64) -> Result<(), DbErr> {
    email::clean(db, now_ms).await?;
    factor::clean(db, now_ms).await
}
