//! Profiles, memberships, counters, guided tours, popups, upload settings, upload credentials and content safety.
//!
//! Serves `PersonalApi`; consumes registrations, counts of models and paid orders; publishes the events of its `events.proto`;
//! asks payment for balances and order for counts.

pub mod config;
mod entity;
mod events;
mod grpc;
mod membership;
mod migration;
mod packages;
mod profile;
mod site;
mod state;
mod storage;
mod terms;

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::personal::v1::PersonalConsumer;
use proto::personal::v1::personal_api_server::PersonalApiServer;

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
    let server = PersonalApiServer::new(grpc::Api::new(personal.clone()));
    let guarded = rpc::guarded(NAME, &personal.context.principals, server);
    Ok(Service {
        name: NAME,
        routes: tonic::service::Routes::new(guarded),
    })
}
