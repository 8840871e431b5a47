//! What the service is there for, in a sentence.
//!
//! Serves `EntryApi`; handles `@Name@Commands`; consumes closed accounts; publishes the events of its `events.proto`.

mod commands;
pub mod entity;
mod entry;
mod events;
mod migration;
pub mod rights;
mod state;

pub use migration::Migrator;

use chassis::{Context, Service, Start};
use proto::@name@::v1::{@Name@CommandsServer, @Name@Consumer, EntryCallsServer};

pub(crate) use state::@Name@;

/// The commented defaults of the section `[@name@]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, part of its database's name.
pub const NAME: &str = "@name@";

chassis::module!(
    "What the service is there for",
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

/// Starts the service: schema, relay, subscription, commands and calls.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let @name@ = @Name@::new(context);
    Start::of(&@name@.context, &@name@.outbox)
        .events(@Name@Consumer(events::Consumer(@name@.clone())))
        .commands(@Name@CommandsServer(commands::Commands(@name@.clone())))
        .rights(rights::Part)
        .calls(EntryCallsServer(@name@.clone()))
        .finish()
}
