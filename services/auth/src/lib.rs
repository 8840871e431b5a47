//! Accounts, credentials, sessions and tokens, SMS codes and the slider.
//!
//! Serves `AuthApi` and `AuthInternal`; publishes `auth.account.registered` and `auth.session.revoked`; pushes the
//! hashes of ended tokens to `#gateway` and, where that is switched on, codes and answers to `#sandbox`.

pub mod admin;
mod cli;
pub mod config;
pub mod entity;
pub mod events;
mod grpc;
mod migration;
mod password;
mod risk;
mod rules;
mod secret;
mod service;
mod session;
pub mod slider;
pub mod sms;
mod store;

use std::sync::Arc;
use std::time::Duration;

use chassis::bus::Bus;
use chassis::environment::refuse_outside_development;
use chassis::messaging::Outbox;
use chassis::{Context, Service, rpc};
use proto::auth::v1::auth_api_server::AuthApiServer;
use proto::auth::v1::auth_internal_server::AuthInternalServer;
use tonic::service::Routes;

pub use cli::Module;

use crate::config::AuthConfig;
use crate::password::Passwords;
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
    let sender = sms::of_config(&context.settings, &config.sms, &context.bus)?;
    let reveal = reveal(&context, &config)?;
    migrate(&context).await?;
    let outbox = Outbox::new(context.db.clone(), context.clock.clone());
    outbox.spawn_relays(&context);
    let auth = Auth {
        slider: Slider::new(
            &context.cache,
            context.clock.clone(),
            &config.slider,
            reveal,
        ),
        passwords: Passwords::new(&config.password)?,
        sender,
        outbox,
        config: Arc::new(config),
        context: context.clone(),
    };
    spawn_cleaning(&context);
    let guarded = AuthApiServer::new(auth.clone());
    let api = rpc::guarded(context.service, &context.principals, guarded);
    let internal = AuthInternalServer::new(auth);
    let internal = rpc::guarded(context.service, &context.principals, internal);
    Ok(Service {
        name: context.service,
        routes: Routes::new(api).add_service(internal),
    })
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

fn spawn_cleaning(context: &Context) {
    let here = context.clone();
    let shutdown = context.shutdown.clone();
    shutdown.every(CLEANING, "removal of what has expired", move || {
        let here = here.clone();
        async move { clean(&here).await }
    });
}

/// Removes expired sessions, codes that no limit looks at any more and old wrong passwords. Puzzles and tickets lie in
/// the cache and vanish by themselves.
pub async fn clean(context: &Context) -> Result<(), sea_orm::DbErr> {
    let now_ms = context.clock.now_ms();
    let sessions = session::clean(&context.db, now_ms).await?;
    let codes = sms::clean(&context.db, now_ms).await?;
    let failures = store::clean_failures(&context.db, now_ms).await?;
    if sessions + codes + failures > 0 {
        tracing::debug!(sessions, codes, failures, "expired rows removed");
    }
    Ok(())
}
