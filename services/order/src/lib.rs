//! The order centre: everything that is bought is an order here, with a price that was computed and frozen on the server;
//! coupons and their reservation; the window in which an order can be paid.
//!
//! Serves `OrderApi` and `OrderCommands`; sends payment the commands `Clear` and `Balances`; consumes how attempts ended, what
//! was delivered, and memberships; publishes the events of its `events.proto`.

mod begin;
mod buyer;
mod cli;
mod closing;
mod commands;
pub mod config;
mod coupons;
pub mod entity;
mod events;
mod figures;
pub mod goods;
mod grpc;
mod membership;
mod migration;
pub mod pricing;
pub mod product;
mod purchases;
pub mod rights;
pub mod rules;
mod state;
#[cfg(test)]
mod tests;

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::order::v1::order_api_server::OrderApiServer;
use proto::order::v1::{OrderCommandsServer, OrderConsumer};

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

/// Starts the service: schema, relay, subscription, commands, the sweep of what has run out, and the calls it answers.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let orders = Orders::new(context)?;
    let context = &orders.context;
    orders.outbox.spawn_relays(context);
    let consumer = OrderConsumer(events::Consumer(orders.clone()));
    context
        .bus
        .subscribe(Subscription::new(orders.outbox.clone(), consumer));
    context
        .bus
        .serve(OrderCommandsServer(commands::Commands(orders.clone())));
    chassis::rights::spawn(context, &orders.outbox, rights::Part(orders.clone()));
    closing::spawn(&orders);
    goods::refunds::spawn(&orders);
    figures::spawn(&orders);
    let server = OrderApiServer::new(grpc::Api::new(orders.clone()));
    let guarded = rpc::guarded(NAME, &context.principals, server);
    Ok(Service {
        name: NAME,
        routes: tonic::service::Routes::new(guarded),
    })
}
