//! Visits of the site: who came from where, what was opened and clicked, and counts of it by hour and day.
//!
//! Serves `AnalyticsApi` and, for operators, `VisitConsoleApi`, and at an address of its own the beacons of browsers (`beacons`); consumes registrations, check-ups,
//! results and paid orders for the funnel; publishes the events of its `events.proto`.

mod beacons;
mod commands;
pub mod config;
mod console;
mod entity;
mod events;
mod grpc;
mod migration;
mod records;
pub mod rights;
mod rollups;
mod state;
#[cfg(test)]
mod tests;

pub use migration::Migrator;

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::analytics::v1::analytics_api_server::AnalyticsApiServer;
use proto::analytics::v1::visit_console_api_server::VisitConsoleApiServer;
use proto::analytics::v1::{AnalyticsCommandsServer, AnalyticsConsumer};

pub(crate) use state::Analytics;

/// The commented defaults of the section `[analytics]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, part of its database's name.
pub const NAME: &str = "analytics";

chassis::module!(
    "Visits of the site, and their counts",
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

/// Starts the service: schema, relay, subscription, the beacons' listener, the counts, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let analytics = Analytics::new(context)?;
    let context = &analytics.context;
    analytics.outbox.spawn_relays(context);
    let consumer = AnalyticsConsumer(events::Consumer(analytics.clone()));
    context
        .bus
        .subscribe(Subscription::new(analytics.outbox.clone(), consumer));
    context
        .bus
        .serve(AnalyticsCommandsServer(commands::Commands(
            analytics.clone(),
        )));
    chassis::rights::spawn(context, &analytics.outbox, rights::Part);
    beacons::start(&analytics)?;
    rollups::spawn(&analytics);
    Ok(service(&analytics))
}

/// The calls it answers.
fn service(analytics: &Analytics) -> Service {
    rpc::GuardedServices::new(NAME, &analytics.context.principals)
        .with(AnalyticsApiServer::new(grpc::Api(analytics.clone())))
        .with(VisitConsoleApiServer::new(grpc::Api(analytics.clone())))
        .finish()
}
