//! One sentence about the purpose of the service.
//!
//! Serves `@Name@Api`; publishes nothing and consumes nothing yet.

mod migration;
mod state;

pub use migration::Migrator;

use chassis::{Context, Service, Start};
use proto::@name@::v1::@Name@CallsServer;

use state::@Name@;

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

/// Starts the service: schema, relay, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let @name@ = @Name@::new(context);
    Start::of(&@name@.context, &@name@.outbox)
        .calls(@Name@CallsServer(@name@.clone()))
        .finish()
}
