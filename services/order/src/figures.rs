//! Orders that are paid and not delivered, and orders that are being closed: counted for the metrics, and listed for
//! operators.

use std::time::Duration;

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, Func};
use sea_orm::{Condition, FromQueryResult, QueryOrder, QuerySelect};

use crate::Orders;
use crate::entity::purchase::{Closing, State};
use crate::entity::{purchase, purchase_item};

/// How often they are counted.
const PERIOD: Duration = Duration::from_secs(10);

/// Starts to measure; every replica reports the same of their one database.
pub(crate) fn spawn(orders: &Orders) {
    let shutdown = orders.context.shutdown.clone();
    let orders = orders.clone();
    shutdown.every(PERIOD, "figures of the orders", move || {
        let orders = orders.clone();
        async move { orders.measure().await }
    });
}

#[derive(FromQueryResult)]
struct Counted {
    orders: i64,
    oldest: Option<i64>,
}

/// What an order waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waiting {
    Delivery,
    Closing,
}

impl Waiting {
    pub(crate) const ALL: [Self; 2] = [Self::Delivery, Self::Closing];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Delivery => "delivery",
            Self::Closing => "closing",
        }
    }

    fn orders(self) -> Condition {
        match self {
            Self::Delivery => Condition::all().add(purchase::Column::State.eq(State::Paid)),
            Self::Closing => Condition::all()
                .add(purchase::Column::State.eq(State::Pending))
                .add(purchase::Column::Closing.ne(Closing::Open)),
        }
    }

    fn since(self) -> Expr {
        match self {
            Self::Delivery => Expr::col(purchase::Column::PaidAt),
            // Orders that were shut before this was written down.
            Self::Closing => Func::coalesce([
                Expr::col(purchase::Column::ShutAt),
                Expr::col(purchase::Column::ExpiresAt),
            ])
            .into(),
        }
    }

    /// Since when an order waits.
    pub(crate) fn since_of(self, order: &purchase::Model) -> i64 {
        match self {
            Self::Delivery => order.paid_at.unwrap_or(order.created_at),
            Self::Closing => order.shut_at.unwrap_or(order.expires_at),
        }
    }
}

impl Orders {
    /// Whether anything waits.
    async fn measure(&self) -> Result<bool, DbErr> {
        let mut waits = false;
        for what in Waiting::ALL {
            let counted = purchase::Entity::find_any()
                .filter(what.orders())
                .select_only()
                .column_as(purchase::Column::Id.count(), "orders")
                .column_as(what.since().min(), "oldest")
                .into_model::<Counted>()
                .one(&self.context.db)
                .await?;
            let (count, oldest) = counted.map_or((0, None), |c| (c.orders, c.oldest));
            waits |= count > 0;
            let age = oldest.map_or(0, |oldest| std::cmp::max(self.now() - oldest, 0));
            metrics::gauge!("order_waiting", "for" => what.name()).set(count as f64);
            metrics::gauge!("order_waiting_oldest_seconds", "for" => what.name())
                .set(age as f64 / 1000.0);
        }
        let oldest: Option<Option<i64>> = purchase_item::Entity::find()
            .filter(purchase_item::Column::State.eq(purchase_item::State::Returning))
            .select_only()
            .column_as(purchase_item::Column::UpdatedAt.min(), "oldest")
            .into_tuple()
            .one(&self.context.db)
            .await?;
        let oldest = oldest.flatten();
        let age = oldest.map_or(0, |oldest| std::cmp::max(self.now() - oldest, 0));
        metrics::gauge!("order_returns_oldest_seconds").set(age as f64 / 1000.0);
        Ok(waits || oldest.is_some())
    }

    /// Those that have waited longest first.
    pub(crate) async fn waiting(
        &self,
        what: Waiting,
        limit: u64,
    ) -> Result<Vec<purchase::Model>, DbErr> {
        purchase::Entity::find_any()
            .filter(what.orders())
            .order_by_asc(what.since())
            .limit(limit)
            .all(&self.context.db)
            .await
    }
}
