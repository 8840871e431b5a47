//! Profiles, counters, guided tours, popups, upload settings, upload credentials and content safety.
//!
//! Serves `PersonalApi`; consumes `auth.account.registered` and `process.statistics.changed`.

pub mod config;
mod entity;
mod events;
mod grpc;
mod migration;
mod profile;
mod site;
mod state;
mod storage;

use std::sync::Arc;

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::personal::v1::personal_api_server::PersonalApiServer;

pub use state::Personal;

/// The commented defaults of the section `[personal]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, name of its queue, part of its database's name.
pub const NAME: &str = "personal";

/// Starts the service: schema, subscription, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    let personal = Personal::new(context)?;
    personal.context.bus.subscribe(Subscription {
        consumer: NAME,
        db: personal.context.db.clone(),
        handler: Arc::new(events::Consumer),
    });
    let server = PersonalApiServer::new(grpc::Api::new(personal.clone()));
    let guarded = rpc::guarded(NAME, &personal.context.principals, server);
    Ok(Service {
        name: NAME,
        routes: tonic::service::Routes::new(guarded),
    })
}
