//! The mall: listings of models, how they are found, had and sold.
//!
//! Serves `ListingApi`, `SearchApi`, `CartApi`, `GrantApi`, `FavouriteApi`, `RatingApi`, `ModelerApi`, and `ListingConsoleApi`,
//! `RatingConsoleApi` and `ModelerConsoleApi` for operators; handles `TransactionCommands`; sends process
//! the command `Showcase`; consumes released files, finished showcases, paid orders, words and closed accounts; publishes the
//! events of its `events.proto`. `docs/mall.md` describes the states.

mod cart;
mod category;
mod commands;
pub mod config;
pub mod entity;
mod events;
mod favourite;
mod grants;
mod listing;
mod migration;
mod modeler;
mod notify;
mod rating;
mod review;
pub mod rights;
mod search;
mod state;

pub use migration::Migrator;

use chassis::{Context, Service, Start};
use proto::transaction::v1::*;

pub(crate) use state::Mall;

/// The commented defaults of the section `[transaction]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, part of its database's name.
pub const NAME: &str = "transaction";

chassis::module!(
    "The mall: listings of models, how they are found, had and sold",
    NAME,
    DEFAULTS,
    migrate,
    start
);

/// Brings the tables up to date, and makes the categories of a first start.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    category::make_first(context).await?;
    Ok(())
}

/// Starts the service: schema, what asks for pictures, what tells owners, the index of the search, and all that [`Start`] starts.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let mall = Mall::new(context)?;
    chassis::garbage::spawn(&mall.context);
    listing::showcase::spawn(&mall);
    listing::news::spawn(&mall);
    let search = search::Search::start(&mall)?;
    Start::of(&mall.context, &mall.outbox)
        .events(TransactionConsumer(events::Consumer(mall.clone())))
        .commands(TransactionCommandsServer(commands::Commands(mall.clone())))
        .rights(rights::Part(mall.clone()))
        .calls(ListingCallsServer(mall.clone()))
        .calls(CartCallsServer(mall.clone()))
        .calls(GrantCallsServer(mall.clone()))
        .calls(FavouriteCallsServer(mall.clone()))
        .calls(ModelerCallsServer(mall.clone()))
        .calls(ListingConsoleCallsServer(mall.clone()))
        .calls(RatingConsoleCallsServer(mall.clone()))
        .calls(ModelerConsoleCallsServer(mall.clone()))
        .calls(RatingCallsServer(search.clone()))
        .calls(SearchCallsServer(search))
        .finish()
}

/// What the tests in `tests/it/units` look at, and nothing else.
#[doc(hidden)]
pub mod internals {
    pub use crate::cart::yuan;
    pub use crate::grants::free::{HOUR_MS, day_of};
    pub use crate::listing::texts::price;
    pub use crate::modeler::orders::masked;
    pub use crate::review::likeness::{LENGTH, likeness};
    pub use crate::search::find::{Hit, Named, several_makers};
    pub use crate::search::makers::Makers;
    pub use crate::search::similar::{BYTES, Descriptors};
    pub use crate::search::vocabulary::{Kind, Vocabulary, is_near};
    pub use crate::search::words::{
        indexed, is_spelled, plain, slurred, sound, sounds, spoken, syllables, synonyms,
    };
}
