//! The order centre: everything that is bought is an order here, with a price that was computed and frozen on the server;
//! coupons and their reservation; the window in which an order can be paid.
//!
//! Serves `OrderApi` and `OrderCommands`; sends payment the commands `Clear` and `Balances`; consumes how attempts ended, what
//! was delivered, and memberships; publishes the events of its `events.proto`.
//!
//! An order, in the order of its states ([`entity::purchase::State`]):
//! - it is created as pending, with its price (`purchases`, for models `goods`; `pricing`, `product`);
//! - each attempt to pay it begins with a reservation of amount and coupon (`begin`, `coupons`);
//! - the outcome of an attempt makes it paid, or frees the reservation; delivery makes it fulfilled (`outcome`);
//! - cancelled or expired, it is shut first, and ends when payment has nothing under way (`closing`);
//! - items of a paid order are given back one by one (`goods::refunds`).

mod begin;
mod buyer;
mod calls;
mod cli;
mod closing;
mod commands;
pub mod config;
mod coupons;
pub mod entity;
mod events;
mod figures;
pub mod goods;
mod membership;
mod messages;
mod migration;
mod outcome;
pub mod page_status;
pub mod pricing;
pub mod product;
mod purchases;
pub mod rights;
mod state;
#[cfg(test)]
mod tests;

use chassis::{Context, Service, Start};
use proto::order::v1::{OrderCallsServer, OrderCommandsServer, OrderConsumer};

pub use cli::Module;
pub use migration::Migrator;
pub use state::Orders;

/// The commented defaults of the section `[order]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, name of its queue, part of its database's name.
pub const NAME: &str = "order";

/// Brings the tables up to date.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    Ok(())
}

/// Starts the service: schema, the sweep of what has run out, relay, subscription, commands, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let orders = Orders::new(context)?;
    closing::spawn(&orders);
    goods::refunds::spawn(&orders);
    figures::spawn(&orders);
    Start::of(&orders.context, &orders.outbox)
        .events(OrderConsumer(events::Consumer(orders.clone())))
        .commands(OrderCommandsServer(commands::Commands(orders.clone())))
        .rights(rights::Part(orders.clone()))
        .calls(OrderCallsServer(orders.clone()))
        .finish()
}
