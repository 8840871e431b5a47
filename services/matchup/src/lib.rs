//! Matchup: people who need something made meet people who make it. Money is none of its business yet: whoever has chosen sees the
//! other side's contact, and both agree between themselves.
//!
//! Serves `MatchupApi`, `DemandApi` and, for operators, `MatchupConsoleApi`; handles `MatchupCommands`; asks personal how people
//! appear; consumes words and closed accounts; publishes the events of its `events.proto`. `docs/matching.md` tells the states.

mod commands;
pub mod config;
mod console;
mod demand;
pub mod entity;
mod events;
mod lists;
mod migration;
mod offer;
mod provider;
mod rating;
pub mod rights;
mod seed;
mod state;
mod texts;
mod told;

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

/// Brings the tables up to date, and makes the examples of a first start.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    seed::make_first(context).await?;
    Ok(())
}

/// Starts the service: schema, what ends needs, relay, subscription, and the calls it answers.
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

/// What the tests in `tests/it/units` look at, and nothing else.
#[doc(hidden)]
pub mod internals {
    pub use crate::seed::{needs, providers};
    pub use crate::texts::contacts::find;
}
