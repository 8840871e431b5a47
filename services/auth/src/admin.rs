//! Account commands for operators; `xuanlan run` also uses them for the demo accounts.

use chassis::db::begin_write;
use chassis::messaging::Outbox;
use chassis::passwords::Passwords;
use chassis::{BusinessError, Context, ServiceError};

use crate::config::AuthConfig;
use crate::{device, events, guesses, messages, rules, secret, session, store};

/// An account to be made.
#[derive(Debug, Clone, Default)]
pub struct AccountSpec {
    /// 11 digits.
    pub phone: String,
    /// 6 to 16 characters.
    pub password: String,
    pub email: Option<String>,
    /// appdeveloper, modeler, designer or other; empty means other.
    pub profession: String,
}

/// Result of [`add_account`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    pub login_id: String,
    /// False when the phone number had an account already; that account is left as it is.
    pub is_new: bool,
}

/// Adds an account, and publishes it like a registration; does nothing when the phone number has one. The database must be
/// migrated ([`crate::start`] or [`crate::migrate`]).
pub async fn add_account(context: &Context, spec: &AccountSpec) -> Result<Added, ServiceError> {
    let phone = rules::phone(&spec.phone)?;
    let password = rules::password(&spec.password)?;
    let profession = rules::profession(&spec.profession)?;
    let email = match &spec.email {
        Some(email) => Some(rules::email(email)?),
        None => None,
    };
    if let Some(account) = store::by_phone(&context.db, phone).await? {
        return Ok(Added {
            login_id: account.id,
            is_new: false,
        });
    }
    let password_hash = passwords(context)?.hash(password).await?;
    let outbox = Outbox::new(context.db.clone(), context.clock.clone());
    let transaction = begin_write(&context.db).await?;
    let new = store::NewAccount {
        phone,
        email,
        password_hash,
        profession,
    };
    let account = store::add(&transaction, new, context.clock.now_ms()).await?;
    events::registered(&outbox, &transaction, &account).await?;
    transaction.commit().await?;
    Ok(Added {
        login_id: account.id,
        is_new: true,
    })
}

/// Gives the account of a phone number an e-mail address to sign in with.
pub async fn set_email(context: &Context, phone: &str, email: &str) -> Result<(), ServiceError> {
    let email = rules::email(email)?;
    let account = existing(context, phone).await?;
    store::set_email(&context.db, &account, &email, None, context.clock.now_ms()).await?;
    Ok(())
}

/// Sets a new password and ends every session of the account. Gateways notice within 5 seconds.
pub async fn set_password(
    context: &Context,
    phone: &str,
    password: &str,
) -> Result<(), ServiceError> {
    let password = rules::password(password)?;
    let login_id = existing(context, phone).await?;
    let password_hash = passwords(context)?.hash(password).await?;
    replace_password(context, &login_id, &password_hash).await
}

/// Gives the account of a phone number a random password that nobody learns, and ends its sessions, if its password is still
/// `known`. `false`: there is no such account, or it has another password.
pub async fn retire_password(
    context: &Context,
    phone: &str,
    known: &str,
) -> Result<bool, ServiceError> {
    let Some(account) = store::by_phone(&context.db, rules::phone(phone)?).await? else {
        return Ok(false);
    };
    let passwords = passwords(context)?;
    if !passwords.verify(known, &account.password_hash).await? {
        return Ok(false);
    }
    let password_hash = passwords.hash(&secret::token()).await?;
    replace_password(context, &account.id, &password_hash).await?;
    Ok(true)
}

async fn replace_password(
    context: &Context,
    login_id: &str,
    password_hash: &str,
) -> Result<(), ServiceError> {
    let outbox = Outbox::new(context.db.clone(), context.clock.clone());
    let now_ms = context.clock.now_ms();
    let transaction = begin_write(&context.db).await?;
    store::set_password(&transaction, login_id, password_hash, now_ms).await?;
    guesses::forget(&transaction, login_id).await?;
    device::forget(&transaction, login_id).await?;
    let ended = session::close_all(&transaction, login_id).await?;
    events::revoked(&outbox, &transaction, &ended).await?;
    transaction.commit().await?;
    ended.push(&context.bus);
    Ok(())
}

async fn existing(context: &Context, phone: &str) -> Result<String, ServiceError> {
    let account = store::by_phone(&context.db, rules::phone(phone)?).await?;
    match account {
        Some(account) => Ok(account.id),
        None => Err(BusinessError::not_found(messages::USER_MISSING).into()),
    }
}

fn passwords(context: &Context) -> Result<Passwords, ServiceError> {
    let config: AuthConfig = context
        .settings
        .section("auth")
        .map_err(|error| ServiceError::Internal(error.into()))?;
    Ok(Passwords::new(
        config.password.concurrent,
        config.password.waiting,
    )?)
}
