//! Visits of the site: where visitors came from, what they opened and clicked, and counts of it by hour and day.
//!
//! Serves `AnalyticsApi` and, for operators, `VisitConsoleApi`, and on an address of its own the beacons of browsers (`beacons`);
//! consumes registrations, check-ups, results and paid orders for the funnel; publishes the events of its `events.proto`.

mod beacons;
mod commands;
pub mod config;
mod console;
mod entity;
mod events;
mod migration;
mod records;
pub mod rights;
mod rollups;
mod state;
#[cfg(test)]
mod tests;

pub use migration::Migrator;

use chassis::{Context, Service, Start};
use proto::analytics::v1::{
    AnalyticsCallsServer, AnalyticsCommandsServer, AnalyticsConsumer, VisitConsoleCallsServer,
};

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

/// Starts the service: schema, the beacons' listener, the counts, relay, events, commands, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let analytics = Analytics::new(context)?;
    beacons::start(&analytics)?;
    rollups::spawn(&analytics);
    Start::of(&analytics.context, &analytics.outbox)
        .events(AnalyticsConsumer(events::Consumer(analytics.clone())))
        .commands(AnalyticsCommandsServer(commands::Commands(
            analytics.clone(),
        )))
        .rights(rights::Part)
        .calls(AnalyticsCallsServer(analytics.clone()))
        .calls(VisitConsoleCallsServer(analytics.clone()))
        .finish()
}
