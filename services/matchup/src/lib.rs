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

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::matchup::v1::demand_api_server::DemandApiServer;
use proto::matchup::v1::matchup_api_server::MatchupApiServer;
use proto::matchup::v1::matchup_console_api_server::MatchupConsoleApiServer;
use proto::matchup::v1::{MatchupCommandsServer, MatchupConsumer};

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

/// Starts the service: schema, relay, subscription, what ends needs, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let matchup = Matchup::new(context)?;
    let context = &matchup.context;
    matchup.outbox.spawn_relays(context);
    let consumer = MatchupConsumer(events::Consumer(matchup.clone()));
    context
        .bus
        .subscribe(Subscription::new(matchup.outbox.clone(), consumer));
    context
        .bus
        .serve(MatchupCommandsServer(commands::Commands(matchup.clone())));
    chassis::garbage::spawn(context);
    chassis::rights::spawn(context, &matchup.outbox, rights::Part(matchup.clone()));
    demand::sweep::spawn(&matchup);
    Ok(rpc::GuardedServices::new(NAME, &context.principals)
        .with(MatchupApiServer::new(matchup.clone()))
        .with(DemandApiServer::new(matchup.clone()))
        .with(MatchupConsoleApiServer::new(matchup.clone()))
        .finish())
}

/// What the tests in `tests/it/units` look at, and nothing else.
#[doc(hidden)]
pub mod internals {
    pub use crate::seed::{needs, providers};
    pub use crate::texts::contacts::find;
}
