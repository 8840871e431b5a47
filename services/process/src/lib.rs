//! Source files, their check-up, and the services that make something of them.
//!
//! Serves `ProcessApi`; consumes `personal.membership.changed`; publishes `process.check.finished`, `process.result.finished` and
//! `process.statistics.changed`; pushes CHECK and SERVICE messages to browsers; runs the engine in child processes.

pub mod config;
mod engine;
mod entitlement;
mod entity;
mod events;
mod files;
mod garbage;
mod grpc;
mod intake;
mod jobs;
mod labels;
mod messages;
mod migration;
mod names;
mod params;
mod queue;
mod results;
mod state;
mod worker;

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::process::v1::ProcessConsumer;
use proto::process::v1::process_api_server::ProcessApiServer;

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

/// Starts the service: schema, workers, outbox relay, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let process = Process::new(context)?;
    process.outbox.spawn_relays(&process.context);
    let consumer = ProcessConsumer(entitlement::Consumer);
    process
        .context
        .bus
        .subscribe(Subscription::new(process.outbox.clone(), consumer));
    worker::spawn(&process).await?;
    garbage::spawn(&process);
    queue::spawn(&process);
    let server = ProcessApiServer::new(grpc::Api::new(process.clone()));
    let guarded = rpc::guarded(NAME, &process.context.principals, server);
    Ok(Service {
        name: NAME,
        routes: tonic::service::Routes::new(guarded),
    })
}
