//! Payment attempts, the channels they go through, refunds, and the double-entry ledger.
//!
//! Serves `PaymentApi`, `WithdrawalApi`, the console's calls about withdrawals, `PaymentCommands` and, for notifications,
//! `PaymentInternal`; sends order the command `Begin`, transaction `Maker`, personal `Terms` and auth `CertifiedAs`; consumes paid orders and refused payments; publishes the events of its `events.proto`.
//!
//! The payment of an order, in the order of its states ([`entity::attempt::State`]; transitions in `attempt`):
//! - an attempt begins at order and is submitted to its channel, or pays from a balance at once (`pay`, `counts`, `channel`);
//! - a notification or a query captures the money; the first attempt of an order to claim it settles it (`capture`);
//! - attempts without an outcome are queried and closed, those of a closing order at once (`janitor`);
//! - escrow is released to the takers when order has taken the money, or refunded (`events`, `refund`, `earning`);
//! - what the program cannot decide waits for an operator (`misfit`, `operator`).

pub mod admin;
pub mod attempt;
mod calls;
mod capture;
mod cards;
mod channel;
mod cli;
mod commands;
pub mod config;
mod counts;
mod earning;
pub mod entity;
mod events;
mod figures;
mod invitation;
mod janitor;
pub mod ledger;
mod migration;
pub mod misfit;
pub mod operator;
pub mod owed;
mod pay;
pub mod provider;
mod refund;
pub mod rights;
mod state;
mod statement;
mod withdrawal;

use std::sync::Arc;

use chassis::{Context, Service, Start};
use proto::payment::v1::{
    PaymentCallsServer, PaymentCommandsServer, PaymentConsumer, PaymentInternalCallsServer,
    WithdrawalCallsServer, WithdrawalConsoleCallsServer,
};

pub use cli::Module;
pub use counts::MEMBER_FREE;
pub use migration::Migrator;
pub use state::{CLOUD_COIN, INCOME_BALANCE, Payment};

use crate::provider::Provider;

/// The commented defaults of the section `[payment]`.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Name of the service: audience of its principals, name of its queue, part of its database's name.
pub const NAME: &str = "payment";

/// Brings the tables up to date.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    Ok(())
}

/// Starts the service with the channels that are configured.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    let providers = providers(&context)?;
    Ok(start_with(context, providers).await?.1)
}

/// The channels that the section `[payment]` configures.
pub fn providers(context: &Context) -> anyhow::Result<Vec<Arc<dyn Provider>>> {
    let config: config::PaymentConfig = context.settings.section("payment")?;
    channel::configured(&config, &context.clock)
}

/// Starts the service with these outside channels; the handle takes their notifications.
pub async fn start_with(
    context: Context,
    providers: Vec<Arc<dyn Provider>>,
) -> anyhow::Result<(Payment, Service)> {
    migrate(&context).await?;
    let payment = Payment::new(context, providers)?;
    janitor::spawn(&payment);
    earning::spawn(&payment);
    figures::spawn(&payment);
    let service = Start::of(&payment.context, &payment.outbox)
        .events(PaymentConsumer(events::Consumer(payment.clone())))
        .commands(PaymentCommandsServer(commands::Commands(payment.clone())))
        .rights(rights::Part(payment.clone()))
        .calls(PaymentCallsServer(payment.clone()))
        .calls(PaymentInternalCallsServer(payment.clone()))
        .calls(WithdrawalCallsServer(payment.clone()))
        .calls(WithdrawalConsoleCallsServer(payment.clone()))
        .finish()?;
    Ok((payment, service))
}

/// What the tests in `tests/it/units` look at, and nothing else.
#[doc(hidden)]
pub mod internals {
    pub use crate::cards::number::{BINS, bank_of, digits_of, last4};
    pub use crate::cards::{masked, shown_holder};
    pub use crate::channel::breaker::{Breaker, LONGEST_PAUSE_MS, PATIENCE, PAUSE_MS};
    pub use crate::channel::skew::{PERIOD_MS, Skew, ahead_s};
    pub use crate::config::{PaymentConfig, WithdrawalConfig};
    pub use crate::counts::{Right, period};
    pub use crate::earning::months::beginnings;
    pub use crate::entity::attempt::State;
    pub use crate::pay::coupon_amount;
    pub use crate::provider::ProviderError;
    pub use crate::withdrawal::{is_request_no, yuan};
}
