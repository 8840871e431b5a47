//! Profiles, memberships, counters, guided tours, popups, upload settings, upload credentials and content safety.
//!
//! Serves the gRPC services of its package, one for each concept and module; consumes registrations, counts of models and paid orders; publishes the events of its `events.proto`;
//! asks payment for balances and order for counts.

mod account;
pub mod config;
mod content;
mod entity;
mod events;
mod membership;
mod migration;
mod packages;
mod profile;
mod site;
mod state;
mod uploads;

use chassis::bus::Subscription;
use chassis::rpc::GuardedServices;
use chassis::{Context, Service};
use proto::personal::v1::PersonalConsumer;
use proto::personal::v1::account_api_server::AccountApiServer;
use proto::personal::v1::content_api_server::ContentApiServer;
use proto::personal::v1::package_api_server::PackageApiServer;
use proto::personal::v1::profile_api_server::ProfileApiServer;
use proto::personal::v1::site_api_server::SiteApiServer;
use proto::personal::v1::upload_api_server::UploadApiServer;

pub use state::Personal;

/// The commented defaults of the sections `[personal]` and `[uploads]`.
pub const DEFAULTS: &str = concat!(
    include_str!("default.toml"),
    include_str!("../../../crates/facts/src/uploads.toml")
);

/// Name of the service: audience of its principals, name of its queue, part of its database's name.
pub const NAME: &str = "personal";

chassis::module!(
    "Profiles, memberships, counters, upload settings and content safety",
    NAME,
    DEFAULTS,
    migrate,
    start
);

/// Brings the tables up to date.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    Ok(())
}

/// Starts the service: schema, subscription, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let personal = Personal::new(context)?;
    personal.outbox.spawn_relays(&personal.context);
    let consumer = PersonalConsumer(events::Consumer(personal.clone()));
    personal
        .context
        .bus
        .subscribe(Subscription::new(personal.outbox.clone(), consumer));
    let services = GuardedServices::new(NAME, &personal.context.principals)
        .with(AccountApiServer::new(personal.clone()))
        .with(ContentApiServer::new(personal.clone()))
        .with(PackageApiServer::new(personal.clone()))
        .with(ProfileApiServer::new(personal.clone()))
        .with(SiteApiServer::new(personal.clone()))
        .with(UploadApiServer::new(personal.clone()));
    Ok(services.finish())
}
