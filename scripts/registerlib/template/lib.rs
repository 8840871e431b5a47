//! What the service is there for, in a sentence.
//!
//! Serves `@Name@Api`; publishes nothing and consumes nothing yet.

mod grpc;
mod migration;

pub use migration::Migrator;

use chassis::{Context, Service, rpc};
use proto::@name@::v1::@name@_api_server::@Name@ApiServer;

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
    chassis::db::migrate::<Migrator>(&context.db).await?;
    Ok(())
}

/// Starts the service: schema, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let server = @Name@ApiServer::new(grpc::Api);
    let guarded = rpc::guarded(NAME, &context.principals, server);
    Ok(Service {
        name: NAME,
        routes: tonic::service::Routes::new(guarded),
    })
}
