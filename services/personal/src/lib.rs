//! Profiles, memberships, counters, guided tours, popups, upload settings, upload credentials and content safety.
//!
//! Serves `PersonalApi`; consumes `auth.account.registered`, `process.statistics.changed` and `order.order.paid`;
//! publishes `personal.order.fulfilled` and `personal.membership.changed`; asks payment for balances and order for counts.

pub mod config;
mod entity;
mod events;
mod grpc;
mod membership;
mod migration;
mod module;
mod packages;
mod profile;
mod site;
mod state;
mod storage;
mod terms;

use std::sync::Arc;

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::personal::v1::personal_api_server::PersonalApiServer;

pub use module::Module;
pub use state::Personal;

/// The commented defaults of the section `[personal]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, name of its queue, part of its database's name.
pub const NAME: &str = "personal";

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
    personal.context.bus.subscribe(Subscription {
        consumer: NAME,
        outbox: personal.outbox.clone(),
        handler: Arc::new(events::Consumer(personal.clone())),
    });
    let server = PersonalApiServer::new(grpc::Api::new(personal.clone()));
    let guarded = rpc::guarded(NAME, &personal.context.principals, server);
    Ok(Service {
        name: NAME,
        routes: tonic::service::Routes::new(guarded),
    })
}
