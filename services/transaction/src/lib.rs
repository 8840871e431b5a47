//! The mall: listings of models, how they are found, had and sold.
//!
//! Serves `ListingApi`, `SearchApi`, `CartApi`, `GrantApi`, `FavouriteApi`, `RatingApi`, `ModelerApi`, and `ListingConsoleApi`,
//! `RatingConsoleApi` and `ModelerConsoleApi` for operators; handles `TransactionCommands`; sends process
//! the command `Showcase`; consumes released files, finished showcases, paid orders, words and closed accounts; publishes the events of its
//! `events.proto`. `docs/mall.md` tells the states.

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
mod rating;
mod review;
pub mod rights;
mod search;
mod state;
mod told;

pub use migration::Migrator;

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::transaction::v1::cart_api_server::CartApiServer;
use proto::transaction::v1::favourite_api_server::FavouriteApiServer;
use proto::transaction::v1::grant_api_server::GrantApiServer;
use proto::transaction::v1::listing_api_server::ListingApiServer;
use proto::transaction::v1::listing_console_api_server::ListingConsoleApiServer;
use proto::transaction::v1::modeler_api_server::ModelerApiServer;
use proto::transaction::v1::modeler_console_api_server::ModelerConsoleApiServer;
use proto::transaction::v1::rating_api_server::RatingApiServer;
use proto::transaction::v1::rating_console_api_server::RatingConsoleApiServer;
use proto::transaction::v1::search_api_server::SearchApiServer;
use proto::transaction::v1::{TransactionCommandsServer, TransactionConsumer};

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

/// Starts the service: schema, relay, subscription, what asks for pictures, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let mall = Mall::new(context)?;
    let context = &mall.context;
    mall.outbox.spawn_relays(context);
    let consumer = TransactionConsumer(events::Consumer(mall.clone()));
    context
        .bus
        .subscribe(Subscription::new(mall.outbox.clone(), consumer));
    context
        .bus
        .serve(TransactionCommandsServer(commands::Commands(mall.clone())));
    chassis::garbage::spawn(context);
    chassis::rights::spawn(context, &mall.outbox, rights::Part(mall.clone()));
    listing::showcase::spawn(&mall);
    let search = search::Search::start(&mall)?;
    Ok(rpc::GuardedServices::new(NAME, &context.principals)
        .with(ListingApiServer::new(mall.clone()))
        .with(CartApiServer::new(mall.clone()))
        .with(GrantApiServer::new(mall.clone()))
        .with(FavouriteApiServer::new(mall.clone()))
        .with(ModelerApiServer::new(mall.clone()))
        .with(ListingConsoleApiServer::new(mall.clone()))
        .with(RatingConsoleApiServer::new(mall.clone()))
        .with(ModelerConsoleApiServer::new(mall.clone()))
        .with(RatingApiServer::new(search.clone()))
        .with(SearchApiServer::new(search))
        .finish())
}

/// What the tests in `tests/it/units` look at, and nothing else.
#[doc(hidden)]
pub mod internals {
    pub use crate::cart::yuan;
    pub use crate::grants::free::{HOUR_MS, day_of};
    pub use crate::listing::texts::price;
    pub use crate::modeler::orders::masked;
    pub use crate::review::likeness::{LENGTH, likeness};
    pub use crate::search::index::{Hit, several_makers};
    pub use crate::search::similar::{BYTES, Descriptors};
    pub use crate::search::vocabulary::{Kind, Vocabulary, is_near};
    pub use crate::search::words::{indexed, plain, sound, sounds, synonyms};
}
