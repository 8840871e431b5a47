//! Matchup: brings together people who need something made and providers who make it. It does not handle payment yet: once an offer
//! is chosen, both sides see each other's contact and settle the rest themselves.
//!
//! Serves `MatchupApi`, `DemandApi` and, for operators, `MatchupConsoleApi`; handles `MatchupCommands`; asks personal how people
//! appear; consumes words and closed accounts; publishes the events of its `events.proto`. `docs/matching.md` describes the states.

mod commands;
pub mod config;
mod console;
mod demand;
pub mod entity;
mod events;
mod lists;
mod migration;
mod notify;
mod offer;
mod provider;
mod rating;
pub mod rights;
mod seed;
mod state;
mod texts;

pub use migration::Migrator;

use chassis::{Context, Service, Start};
use proto::matchup::v1::{
    DemandCallsServer, MatchupCallsServer, MatchupCommandsServer, MatchupConsoleCallsServer,
    MatchupConsumer,
};

pub(crate) use state::Matchup;

/// The commented defaults of the section `[matchup]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, part of its database's name.
pub const NAME: &str = "matchup";

chassis::module!(
    "Matchup: needs, those who offer to meet them, and the choice between them",
    NAME,
    DEFAULTS,
    migrate,
    start
);

/// Migrates the tables and creates the examples.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    seed::make_first(context).await?;
    Ok(())
}

/// Starts the service: schema, the sweeper of needs, relay, subscription and calls.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let matchup = Matchup::new(context)?;
    chassis::garbage::spawn(&matchup.context);
    demand::sweep::spawn(&matchup);
    Start::of(&matchup.context, &matchup.outbox)
        .events(MatchupConsumer(events::Consumer(matchup.clone())))
        .commands(MatchupCommandsServer(commands::Commands(matchup.clone())))
        .rights(rights::Part(matchup.clone()))
        .calls(MatchupCallsServer(matchup.clone()))
        .calls(DemandCallsServer(matchup.clone()))
        .calls(MatchupConsoleCallsServer(matchup.clone()))
        .finish()
}

/// For the tests in `tests/it/units` only.
#[doc(hidden)]
pub mod internals {
    pub use crate::seed::{needs, providers};
}
