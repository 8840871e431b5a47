//! Works: models that users publish, and how they are found, viewed, liked, collected and commented on.
//!
//! Serves `WorkApi`, `GalleryApi`, `CommentApi`, `ShareApi`, to the gateway `ShareInternal`, to operators `WorkConsoleApi`; handles
//! `WorksCommands`; sends process the command `Bundle`; asks personal who is a member; consumes words and closed accounts;
//! publishes the events of its `events.proto`. `docs/works.md` describes the states.

mod category;
mod commands;
mod comment;
pub mod config;
mod console;
mod counts;
pub mod entity;
mod events;
mod gallery;
mod membership;
mod migration;
mod notify;
mod report;
pub mod rights;
mod scene;
mod share;
mod state;
mod work;

pub use migration::Migrator;

use chassis::{Context, Service, Start};
use proto::works::v1::{
    CommentCallsServer, GalleryCallsServer, ShareCallsServer, ShareInternalCallsServer,
    WorkCallsServer, WorkConsoleCallsServer, WorksCommandsServer, WorksConsumer,
};

pub(crate) use state::Works;

/// The commented defaults of the section `[works]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, part of its database's name.
pub const NAME: &str = "works";

chassis::module!(
    "Works: models that people show, with their likes, collections and comments",
    NAME,
    DEFAULTS,
    migrate,
    start
);

/// Migrates the tables and inserts the built-in categories.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    category::make_first(context).await?;
    Ok(())
}

/// Starts the service: schema, bundle requests, relay, subscription and calls.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let works = Works::new(context)?;
    chassis::garbage::spawn(&works.context);
    work::bundle::spawn(&works);
    gallery::view::spawn(&works);
    share::spawn(&works);
    Start::of(&works.context, &works.outbox)
        .events(WorksConsumer(events::Consumer(works.clone())))
        .commands(WorksCommandsServer(commands::Commands(works.clone())))
        .rights(rights::Part(works.clone()))
        .calls(WorkCallsServer(works.clone()))
        .calls(GalleryCallsServer(works.clone()))
        .calls(CommentCallsServer(works.clone()))
        .calls(ShareCallsServer(works.clone()))
        .calls(ShareInternalCallsServer(works.clone()))
        .calls(WorkConsoleCallsServer(works.clone()))
        .finish()
}

/// For the tests in `tests/it/units` only.
#[doc(hidden)]
pub mod internals {
    pub use crate::gallery::view::{is_robot, visitor};
    pub use crate::scene::{ENVIRONMENTS, check, check_pin, pin_view};
    pub use crate::share::hosts::{admit, read as read_hosts};
    pub use crate::share::options::read as read_options;
}
