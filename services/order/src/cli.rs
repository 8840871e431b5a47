//! The service as a program starts it, and its commands for operators.

use chassis::Context;
use clap::{ArgMatches, FromArgMatches, Subcommand};
use serde_json::json;

use crate::Orders;
use crate::entity::purchase;
use crate::figures::Waiting;

/// Orders of a kind that are listed at most.
const MOST_SHOWN: u64 = 1000;

#[derive(Subcommand)]
enum Command {
    /// Lists orders that are paid and not delivered, and orders that are being closed, those that wait longest first.
    Waiting {
        #[arg(long)]
        json: bool,
    },
    /// Gives one thing of a paid order back, downloaded or not: its price goes to the buyer, who has it no more.
    ReturnItem {
        order: String,
        item: String,
        /// Who decides.
        #[arg(long)]
        operator: String,
        #[arg(long)]
        reason: String,
    },
}

chassis::module!(
    "Order centre: prices, coupons, and one state machine for every order",
    crate::NAME,
    crate::DEFAULTS,
    crate::migrate,
    crate::start,
    {
        fn commands(&self, command: clap::Command) -> clap::Command {
            Command::augment_subcommands(command)
        }

        async fn operate(&self, context: &Context, arguments: &ArgMatches) -> anyhow::Result<()> {
            let orders = Orders::new(context.clone())?;
            match Command::from_arg_matches(arguments)? {
                Command::Waiting { json } => list(&orders, json).await,
                Command::ReturnItem {
                    order,
                    item,
                    operator,
                    reason,
                } => {
                    orders
                        .return_by_operator(&order, &item, &operator, &reason)
                        .await?;
                    println!("{item}: its price goes back to the buyer");
                    Ok(())
                }
            }
        }
    }
);

async fn list(orders: &Orders, as_json: bool) -> anyhow::Result<()> {
    let mut found: Vec<(Waiting, purchase::Model)> = Vec::new();
    for what in Waiting::ALL {
        let rows = orders.waiting(what, MOST_SHOWN).await?;
        found.extend(rows.into_iter().map(|row| (what, row)));
    }
    let waits_s = |(what, row): &(Waiting, purchase::Model)| {
        (orders.now() - what.since_of(row)).max(0) / 1000
    };
    if as_json {
        let rows = found.iter().map(|entry| {
            let (what, row) = entry;
            json!({
                "order": row.id, "orderNo": row.order_no, "owner": row.owner, "for": what.name(),
                "closing": row.closing, "seconds": waits_s(entry), "checks": row.checks,
                "payable": row.payable, "attempt": row.attempt_id,
            })
        });
        let rows: Vec<_> = rows.collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(());
    }
    println!(
        "{:<32}  {:<22}  {:<8}  {:>10}  {:>10}  {:>6}  owner",
        "order", "number", "for", "seconds", "payable", "checks"
    );
    for entry in &found {
        let (what, row) = entry;
        println!(
            "{:<32}  {:<22}  {:<8}  {:>10}  {:>10}  {:>6}  {}",
            row.id,
            row.order_no,
            what.name(),
            waits_s(entry),
            row.payable,
            row.checks,
            row.owner
        );
    }
    println!("{} orders", found.len());
    Ok(())
}
