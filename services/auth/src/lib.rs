//! Accounts, credentials, sessions and tokens, SMS codes and the slider.
//!
//! Serves `AuthApi` and `AuthInternal`; publishes `auth.account.registered` and `auth.session.revoked`; pushes the
//! hashes of ended tokens to `#gateway` and, where that is switched on, codes and answers to `#sandbox`.

pub mod admin;
pub mod certification;
mod cli;
pub mod closure;
mod commands;
pub mod config;
pub mod console;
mod device;
pub mod entity;
pub mod events;
mod export;
mod grpc;
mod guesses;
mod identity;
pub mod invitation;
pub mod mail;
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

use std::sync::Arc;
use std::time::Duration;

use chassis::bus::{Bus, Subscription};
use chassis::environment::refuse_outside_development;
use chassis::messaging::Outbox;
use chassis::passwords::Passwords;
use chassis::rpc::GuardedServices;
use chassis::{Context, Service};
use proto::auth::v1::audit_console_api_server::AuditConsoleApiServer;
use proto::auth::v1::auth_api_server::AuthApiServer;
use proto::auth::v1::auth_internal_server::AuthInternalServer;
use proto::auth::v1::certification_api_server::CertificationApiServer;
use proto::auth::v1::certification_console_api_server::CertificationConsoleApiServer;
use proto::auth::v1::closure_api_server::ClosureApiServer;
use proto::auth::v1::export_api_server::ExportApiServer;
use proto::auth::v1::identity_api_server::IdentityApiServer;
use proto::auth::v1::invitation_api_server::InvitationApiServer;
use proto::auth::v1::invitation_console_api_server::InvitationConsoleApiServer;
use proto::auth::v1::operator_api_server::OperatorApiServer;
use proto::auth::v1::running_console_api_server::RunningConsoleApiServer;
use proto::auth::v1::security_api_server::SecurityApiServer;
use proto::auth::v1::session_api_server::SessionApiServer;
use proto::auth::v1::user_console_api_server::UserConsoleApiServer;
use proto::auth::v1::{AuthCommandsServer, AuthConsumer};

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

/// How often what has expired is removed.
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
    outbox.spawn_relays(&context);
    let certifications = Certifications::new(&context, &outbox)?;
    certification::spawn(&certifications);
    let commands = commands::Commands(certifications.clone());
    context.bus.serve(AuthCommandsServer(commands));
    let passwords = Passwords::new(config.password.concurrent, config.password.waiting)?;
    let vault = Arc::new(vault::load(&context.settings, &config.certification)?);
    let operators = Operators {
        context: context.clone(),
        outbox: outbox.clone(),
        passwords: passwords.clone(),
        vault: vault.clone(),
    };
    let auth = Auth {
        vault,
        operators: operators.clone(),
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
    chassis::rights::spawn(&context, &auth.outbox, part.clone());
    chassis::garbage::spawn(&context);
    export::spawn(&auth, part);
    let consumer = AuthConsumer(events::Consumer {
        invitations: invitations.clone(),
        closures,
    });
    context
        .bus
        .subscribe(Subscription::new(auth.outbox.clone(), consumer));
    spawn_cleaning(&context, &operators);
    let services = GuardedServices::new(NAME, &context.principals)
        .with(AuthApiServer::new(auth.clone()))
        .with(AuthInternalServer::new(auth.clone()))
        .with(CertificationApiServer::new(certifications.clone()))
        .with(CertificationConsoleApiServer::new(certifications))
        .with(ClosureApiServer::new(auth.clone()))
        .with(ExportApiServer::new(auth.clone()))
        .with(IdentityApiServer::new(auth.clone()))
        .with(InvitationApiServer::new(invitations.clone()))
        .with(InvitationConsoleApiServer::new(invitations))
        .with(SecurityApiServer::new(auth.clone()))
        .with(SessionApiServer::new(auth))
        .with(OperatorApiServer::new(operators.clone()))
        .with(UserConsoleApiServer::new(operators.clone()))
        .with(AuditConsoleApiServer::new(operators.clone()))
        .with(RunningConsoleApiServer::new(operators));
    Ok(services.finish())
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

/// Removes expired sessions, codes that no limit looks at any more, old wrong passwords and devices. Puzzles and tickets lie in
/// the cache and vanish by themselves.
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

/// What the tests in `tests/it/units` look at, and nothing else.
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
    pub use crate::export::archive::{Archive, MOST_OBJECT};
    pub use crate::guesses::Guesses;
    pub use crate::identity::picture::{MAX_SIDE, SIDE, Source, allowed, made_anew};
    pub use crate::identity::provider::ProviderError;
    pub use crate::identity::provider::{NICKNAME_MAX, id, id_if_any, nickname, with_query};
    pub use crate::identity::qq::token_of;
    pub use crate::invitation::figures::{month_of, written};
    pub use crate::invitation::qualify::month_start;
    pub use crate::risk::password_needs_slider;
    pub use crate::rules::{
        PASSWORD_COMMON, email, is_phone, masked, masked_email, new_password, password, span,
    };
    pub use crate::session::agent::{Kind, kept, read};
    pub use crate::slider::questions::{ask, is_right, words};
    pub use crate::sms::aliyun::{canonical_query, judged};
    pub use crate::sms::limits::wait;
}
