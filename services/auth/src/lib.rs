//! Accounts, credentials, sessions and tokens, SMS codes and the slider.
//!
//! Serves the gRPC services of `xuanlan.auth.v1`; publishes the events of its `events.proto`; pushes the hashes of ended tokens
//! to `#gateway` and, if enabled, codes and answers to `#sandbox`.

pub mod admin;
mod calls;
pub mod certification;
mod cli;
pub mod closure;
mod commands;
pub mod config;
pub mod console;
mod consumer;
mod device;
pub mod entity;
pub mod events;
mod export;
mod guesses;
mod identity;
pub mod invitation;
pub mod mail;
mod messages;
mod migration;
pub mod operator;
pub mod rights;
mod risk;
mod rules;
mod secret;
mod security;
mod service;
mod session;
pub mod slider;
pub mod sms;
mod store;
mod tries;

use std::sync::Arc;
use std::time::Duration;

use chassis::bus::Bus;
use chassis::environment::refuse_outside_development;
use chassis::messaging::Outbox;
use chassis::passwords::Passwords;
use chassis::{Context, Service, Start};
use proto::auth::v1::{
    AuditConsoleCallsServer, AuthCallsServer, AuthCommandsServer, AuthConsumer,
    AuthInternalCallsServer, CertificationCallsServer, CertificationConsoleCallsServer,
    ClosureCallsServer, ExportCallsServer, IdentityCallsServer, InvitationCallsServer,
    InvitationConsoleCallsServer, OperatorCallsServer, RunningConsoleCallsServer,
    SecurityCallsServer, SessionCallsServer, UserConsoleCallsServer,
};

pub use cli::Module;
pub use migration::Migrator;

use crate::certification::Certifications;
use crate::certification::vault;
use crate::closure::Closures;
use crate::config::AuthConfig;
use crate::identity::ThirdParty;
use crate::invitation::Invitations;
use crate::operator::Operators;
use crate::service::Auth;
use crate::slider::Slider;

/// The commented section `[auth]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, part of its database's name.
pub const NAME: &str = "auth";

/// Interval of removing what has expired.
const CLEANING: Duration = Duration::from_secs(600);

/// Brings the tables of auth up to date.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    Ok(())
}

/// Starts auth. Refuses a configuration that would show codes to the public.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    let config: AuthConfig = context.settings.section("auth")?;
    let sender = sms::of_config(
        &context.settings,
        &config.sms,
        &context.bus,
        context.clock.clone(),
    )?;
    let mailer = mail::of_config(&context.settings, &config.mail, &context.bus)?;
    let reveal = reveal(&context, &config)?;
    migrate(&context).await?;
    let outbox = Outbox::new(context.db.clone(), context.clock.clone());
    let certifications = Certifications::new(&context, &outbox)?;
    certification::spawn(&certifications);
    let passwords = Passwords::new(config.password.concurrent, config.password.waiting)?;
    let vault = Arc::new(vault::load(&context.settings, &config.certification)?);
    console::chain::begin(&vault, &context.db).await?;
    let operators = Operators {
        context: context.clone(),
        outbox: outbox.clone(),
        passwords: passwords.clone(),
        vault: vault.clone(),
    };
    let auth = Auth {
        vault: vault.clone(),
        operators: operators.clone(),
        exports: Arc::default(),
        slider: Slider::new(
            &context.cache,
            context.clock.clone(),
            &config.slider,
            reveal,
        ),
        passwords,
        sender,
        third_party: Arc::new(ThirdParty::open(&context, &config)?),
        mailer,
        outbox,
        config: Arc::new(config),
        context: context.clone(),
    };
    let invitations = Invitations::new(&context, &auth.outbox)?;
    let closures = Closures::new(&auth);
    closure::spawn(&closures);
    let part = rights::Part::of(&context)?;
    chassis::garbage::spawn(&context);
    export::spawn(&auth, part.clone());
    spawn_cleaning(&context, &operators);
    let consumer = consumer::Consumer {
        invitations: invitations.clone(),
        closures,
        vault,
    };
    let commands = commands::Commands(certifications.clone());
    Start::of(&context, &auth.outbox)
        .events(AuthConsumer(consumer))
        .commands(AuthCommandsServer(commands))
        .rights(part)
        .calls(AuthCallsServer(auth.clone()))
        .calls(AuthInternalCallsServer(auth.clone()))
        .calls(CertificationCallsServer(certifications.clone()))
        .calls(CertificationConsoleCallsServer(certifications))
        .calls(ClosureCallsServer(auth.clone()))
        .calls(ExportCallsServer(auth.clone()))
        .calls(IdentityCallsServer(auth.clone()))
        .calls(InvitationCallsServer(invitations.clone()))
        .calls(InvitationConsoleCallsServer(invitations))
        .calls(SecurityCallsServer(auth.clone()))
        .calls(SessionCallsServer(auth))
        .calls(OperatorCallsServer(operators.clone()))
        .calls(UserConsoleCallsServer(operators.clone()))
        .calls(AuditConsoleCallsServer(operators.clone()))
        .calls(RunningConsoleCallsServer(operators))
        .finish()
}

fn reveal(context: &Context, config: &AuthConfig) -> anyhow::Result<Option<Bus>> {
    if !config.slider.reveal {
        return Ok(None);
    }
    refuse_outside_development(
        &context.settings,
        "auth.slider.reveal = true",
        "auth.slider.i_know_this_shows_every_code",
        config.slider.i_know_this_shows_every_code,
    )?;
    Ok(Some(context.bus.clone()))
}

fn spawn_cleaning(context: &Context, operators: &Operators) {
    let (here, operators) = (context.clone(), operators.clone());
    let shutdown = context.shutdown.clone();
    shutdown.every(CLEANING, "removal of what has expired", move || {
        let (here, operators) = (here.clone(), operators.clone());
        async move {
            operators.clean().await?;
            clean(&here).await
        }
    });
}

/// Removes expired sessions, codes that no limit counts any more, old wrong passwords and devices. Puzzles and tickets are in
/// the cache and expire by themselves.
pub async fn clean(context: &Context) -> anyhow::Result<()> {
    let config: AuthConfig = context.settings.section("auth")?;
    let now_ms = context.clock.now_ms();
    let sessions = session::clean(&context.db, &config.token, now_ms).await?;
    let sign_ins = session::sign_in::clean(&context.db, now_ms).await?;
    security::clean(&context.db, now_ms).await?;
    let codes = sms::clean(&context.db, now_ms).await?;
    let failures = guesses::clean(&context.db, now_ms).await?;
    let devices = device::clean(&context.db, now_ms).await?;
    if sessions + sign_ins + codes + failures + devices > 0 {
        tracing::debug!(
            sessions,
            sign_ins,
            codes,
            failures,
            devices,
            "expired rows removed"
        );
    }
    Ok(())
}

/// For the tests in `tests/it/units` only.
#[doc(hidden)]
pub mod internals {
    pub use crate::certification::rules::{
        CREDIT_CODE_WRONG, ID_CARD_REQUIRED, ID_CARD_WRONG, ID_CHECKS, contact_phone, credit_code,
        id_card, introduce, is_credit_code, masked_name, masked_number, masked_phone, real_name,
        website,
    };
    pub use crate::certification::stamp::stamped;
    pub use crate::config::SliderRule;
    pub use crate::console::settings::{MASK, shown};
    pub use crate::entity::session::Kind;
    pub use crate::export::archive::{Archive, MOST_OBJECT};
    pub use crate::guesses::Guesses;
    pub use crate::identity::picture::{MAX_SIDE, SIDE, Source, allowed, made_anew};
    pub use crate::identity::provider::ProviderError;
    pub use crate::identity::provider::{NICKNAME_MAX, id, id_if_any, nickname, with_query};
    pub use crate::identity::qq::token_of;
    pub use crate::invitation::figures::{month_of, written};
    pub use crate::invitation::qualify::month_start;
    pub use crate::messages::PASSWORD_COMMON;
    pub use crate::risk::password_needs_slider;
    pub use crate::rules::{email, is_phone, masked, masked_email, new_password, password, span};
    pub use crate::session::agent::{kept, read};
    pub use crate::slider::questions::{ask, is_right, words};
    pub use crate::sms::aliyun::{canonical_query, judged};
    pub use crate::sms::limits::wait;
}
