//! The order centre: everything that is bought is an order here, with a price that was computed and frozen on the server;
//! coupons and their reservation; the window in which an order can be paid.
//!
//! Serves `OrderApi`; answers the commands `Begin` and `Counts`; asks payment to `Clear` and for `Balances`; consumes
//! what payment tells of attempts, what was delivered, and memberships; publishes `order.order.paid`,
//! `order.order.ended` and `order.payment.refused`.

mod begin;
mod closing;
mod commands;
pub mod config;
mod coupons;
pub mod entity;
mod events;
mod grpc;
mod membership;
mod migration;
mod module;
pub mod pricing;
pub mod product;
mod purchases;
pub mod rules;
mod state;

use std::sync::Arc;

use chassis::bus::Subscription;
use chassis::{Context, Service, rpc};
use proto::order::v1::order_api_server::OrderApiServer;

pub use module::Module;
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
    context.bus.subscribe(Subscription {
        consumer: NAME,
        outbox: orders.outbox.clone(),
        handler: Arc::new(events::Consumer(orders.clone())),
    });
    context.bus.serve(NAME, Arc::new(orders.clone()));
    closing::spawn(&orders);
    let server = OrderApiServer::new(grpc::Api::new(orders.clone()));
    let guarded = rpc::guarded(NAME, &context.principals, server);
    Ok(Service {
        name: NAME,
        routes: tonic::service::Routes::new(guarded),
    })
}
