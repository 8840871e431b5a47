//! Source files, their check-up, and the services that process them.
//!
//! Serves `ProcessApi`, `ProcessCommands` and, for operators, `JobConsoleApi` and `ResultConsoleApi`; consumes
//! `personal.membership.changed`; publishes `process.check.finished`, `process.result.finished` and `process.statistics.changed`;
//! pushes CHECK and SERVICE messages to browsers; runs the engine in child processes.

pub mod admin;
mod bundle;
mod calls;
pub mod config;
mod console;
mod engine;
mod entitlement;
mod entity;
mod events;
mod feedback;
mod files;
mod intake;
mod jobs;
mod labels;
mod messages;
mod migration;
mod names;
mod offer;
mod params;
mod queue;
mod results;
pub mod rights;
mod schedule;
mod showcase;
mod state;
mod unclaimed;
mod usage;
mod worker;

use chassis::{Context, Service, Start};
use proto::process::v1::{
    JobConsoleCallsServer, ProcessCallsServer, ProcessCommandsServer, ProcessConsumer,
    ResultConsoleCallsServer,
};

pub use engine::own_program;
pub use migration::Migrator;
pub use names::MAX_NAME;
pub use state::Process;

/// The commented defaults of the sections `[process]` and `[uploads]`.
pub const DEFAULTS: &str = concat!(
    include_str!("default.toml"),
    include_str!("../../../crates/facts/src/uploads.toml")
);

/// Name of the service: audience of its principals, part of its database's name.
pub const NAME: &str = "process";

chassis::module!(
    "Source files, check-ups, and the jobs that make something of them",
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

/// Starts the service: schema, workers, sweepers, relay, events, commands and calls.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let process = Process::new(context)?;
    worker::spawn(&process).await?;
    chassis::garbage::spawn(&process.context);
    unclaimed::spawn(&process);
    queue::spawn(&process);
    usage::spawn(&process);
    Start::of(&process.context, &process.outbox)
        .events(ProcessConsumer(entitlement::Consumer(process.clone())))
        .commands(ProcessCommandsServer(showcase::Commands(process.clone())))
        .rights(rights::Part(process.clone()))
        .calls(ProcessCallsServer(process.clone()))
        .calls(JobConsoleCallsServer(process.clone()))
        .calls(ResultConsoleCallsServer(process.clone()))
        .finish()
}
