//! The reading matter of the site: help, courses, news, cases, solutions, campaigns, brochures, product pages.
//!
//! Serves `ContentApi` to all callers, `ContentConsoleApi` to operators, and `ContentInternal` to the gateway, which puts head and
//! text of a page into its first HTML; consumes nothing; publishes the events of its `events.proto`. Rules: `docs/content.md`.

mod address;
pub mod blocks;
mod draft;
mod edit;
pub mod entity;
mod kind;
mod migration;
mod page;
mod read;
pub mod seed;
mod shown;
mod state;
mod sweep;
mod words;

pub use migration::Migrator;

use chassis::{Context, Service, Start};
use proto::content::v1::{
    ContentCallsServer, ContentConsoleCallsServer, ContentInternalCallsServer,
};

pub(crate) use state::Library;

/// The commented defaults of the section `[content]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, part of its database's name.
pub const NAME: &str = "content";

chassis::module!(
    "Articles: help, news, cases and what else the site has to read",
    NAME,
    DEFAULTS,
    migrate,
    start
);

/// Brings the tables up to date, and imports the embedded articles.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    let (categories, seeds) = seed::all()?;
    seed::take_in(context, &categories, &seeds).await
}

/// Starts the service: schema, the sweeper of scheduled articles, relay, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let library = Library::new(context);
    sweep::spawn(&library);
    Start::of(&library.context, &library.outbox)
        .calls(ContentCallsServer(library.clone()))
        .calls(ContentConsoleCallsServer(library.clone()))
        .calls(ContentInternalCallsServer(library.clone()))
        .finish()
}
