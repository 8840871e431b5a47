//! How an unpaid order ends: from the first moment nobody can begin to pay it; payment closes what is under way, at the
//! channel too, and asks how it stands; only then has the order ended.

use std::time::Duration;

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::order::v1::OrderEnded;
use proto::payment::v1::{ClearRequest, PaymentCommands, Verdict};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{Condition, QueryOrder, QuerySelect};

use crate::Orders;
use crate::coupons;
use crate::entity::{coupon, purchase, reservation};
use crate::rules::{State, status};

/// Orders looked at in one go.
const BATCH: u64 = 100;

pub(crate) fn spawn(orders: &Orders) {
    let orders = orders.clone();
    let shutdown = orders.context.shutdown.clone();
    let period = Duration::from_millis(orders.config.sweep_ms);
    shutdown.clone().spawn(async move {
        loop {
            if let Err(error) = orders.sweep().await {
                tracing::warn!(error = format!("{error:#}"), "orders wait to be closed");
            }
            tokio::select! {
                _ = tokio::time::sleep(period) => {}
                _ = shutdown.requested() => return,
            }
        }
    });
}

impl Orders {
    /// Looks once at everything whose time has come.
    async fn sweep(&self) -> Result<(), ServiceError> {
        self.return_due_coupons().await?;
        let now = self.now();
        let due = Condition::any()
            .add(purchase::Column::Closing.ne(""))
            .add(purchase::Column::ExpiresAt.lte(now));
        let orders = purchase::Entity::find()
            .filter(purchase::Column::State.eq(State::Pending.name()))
            .filter(due)
            .filter(purchase::Column::NextCheckAt.lte(now))
            .order_by_asc(purchase::Column::NextCheckAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        for order in orders {
            self.shut(&order.id, State::Expired).await?;
            if let Err(error) = self.conclude(&order.id).await {
                tracing::warn!(
                    order = order.id,
                    error = format!("{error:#}"),
                    "not closed yet"
                );
            }
        }
        Ok(())
    }

    /// Cancels an unpaid order of the caller.
    pub(crate) async fn cancel(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        let order = self.own(owner, id).await?;
        match order.status(self.now()) {
            status::PAID => {
                return Err(BusinessError::new(code::CONFLICT, "订单已支付，不能取消").into());
            }
            status::CANCELLED | status::EXPIRED => return Ok(()),
            _ => {}
        }
        self.shut(id, State::Cancelled).await?;
        self.context.fail.at("order.shut")?;
        if let Err(error) = self.conclude(id).await {
            // It stays shut, and the sweep goes on with it.
            tracing::warn!(order = id, error = format!("{error:#}"), "cancelled later");
        }
        let order = self.own(owner, id).await?;
        match order.status(self.now()) {
            status::PAID => Err(BusinessError::new(code::CONFLICT, "订单已支付，不能取消").into()),
            _ => Ok(()),
        }
    }

    /// From here on no attempt can begin. The first to shut an order says what it ends as.
    async fn shut(&self, id: &str, end: State) -> Result<(), ServiceError> {
        purchase::Entity::update_many()
            .col_expr(purchase::Column::Closing, Expr::value(end.name()))
            // Should this process die now, the sweep goes on with it at once.
            .col_expr(purchase::Column::NextCheckAt, Expr::value(self.now()))
            .col_expr(
                purchase::Column::Version,
                Expr::col(purchase::Column::Version).add(1),
            )
            .filter(purchase::Column::Id.eq(id))
            .filter(purchase::Column::State.eq(State::Pending.name()))
            .filter(purchase::Column::Closing.eq(""))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }

    /// Ends a shut order if payment knows that nothing was and nothing can be paid.
    async fn conclude(&self, id: &str) -> Result<(), ServiceError> {
        let now = self.now();
        let next = now + self.config.retry_s * 1000;
        purchase::Entity::update_many()
            .col_expr(purchase::Column::NextCheckAt, Expr::value(next))
            .filter(purchase::Column::Id.eq(id))
            .filter(purchase::Column::State.eq(State::Pending.name()))
            .exec(&self.context.db)
            .await?;
        let request = ClearRequest {
            order_id: id.to_owned(),
        };
        let reply = PaymentCommands::clear(&self.context.bus, &request).await?;
        self.context.fail.at("order.cleared")?;
        // Paid: the event turns the order. Uncertain: it is asked again.
        if reply.verdict() == Verdict::Clear {
            self.end(id).await?;
        }
        Ok(())
    }

    async fn end(&self, id: &str) -> Result<(), ServiceError> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let ended = purchase::Entity::update_many()
            .col_expr(
                purchase::Column::State,
                Expr::col(purchase::Column::Closing),
            )
            .col_expr(purchase::Column::EndedAt, Expr::value(now))
            .col_expr(
                purchase::Column::Version,
                Expr::col(purchase::Column::Version).add(1),
            )
            .filter(purchase::Column::Id.eq(id))
            .filter(purchase::Column::State.is_in(State::Expired.before()))
            .filter(
                purchase::Column::Closing.is_in([State::Cancelled.name(), State::Expired.name()]),
            )
            .exec(&transaction)
            .await?;
        if ended.rows_affected == 0 {
            transaction.rollback().await?;
            return Ok(());
        }
        reservation::Entity::update_many()
            .col_expr(reservation::Column::State, Expr::value("released"))
            .filter(reservation::Column::OrderId.eq(id))
            .filter(reservation::Column::State.eq("live"))
            .exec(&transaction)
            .await?;
        // At once, but for those that wait out a failed payment.
        let at_once = coupon::Column::OrderId
            .eq(id)
            .and(coupon::Column::ReleaseAt.is_null());
        coupons::free(at_once, &transaction).await?;
        let row = purchase::Entity::find_by_id(id).one(&transaction).await?;
        if let Some(row) = row {
            let event = OrderEnded {
                order_id: row.id.clone(),
                owner: row.owner,
                state: row.state,
                ended_at_ms: now,
            };
            self.outbox
                .add(&transaction, &row.id, row.version, &event)
                .await?;
        }
        self.context.fail.at("order.ended.before_commit")?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
