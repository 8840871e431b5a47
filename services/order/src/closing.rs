//! How an unpaid order ends: first no payment of it can begin; then payment closes what is under way, at the channel too, and
//! returns a verdict; only then has the order ended.

use std::time::Duration;

use chassis::db::states::Transition;
use chassis::{BusinessError, ServiceError, db};
use futures::{StreamExt, stream};
use proto::code;
use proto::order::v1::OrderEnded;
use proto::payment::v1::{ClearRequest, PaymentCommands, Verdict};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{Condition, QueryOrder, QuerySelect, Set};

use crate::Orders;
use crate::coupons;
use crate::entity::purchase::{Closing, State};
use crate::entity::{coupon, purchase, reservation};
use crate::messages;
use crate::page_status;

/// Orders looked at in one go.
const BATCH: u64 = 100;
/// Orders closed at the same time: each waits for payment, five seconds when that is away.
const AT_ONCE: usize = 8;

pub(crate) fn spawn(orders: &Orders) {
    let period = Duration::from_millis(orders.config.sweep_ms);
    let orders = orders.clone();
    let shutdown = orders.context.shutdown.clone();
    shutdown.every(period, "unpaid orders", move || {
        let orders = orders.clone();
        async move { orders.sweep().await }
    });
}

impl Orders {
    /// Looks once at everything whose time has come.
    pub(crate) async fn sweep(&self) -> Result<bool, ServiceError> {
        // Coupons and orders do not wait for each other: an error of the first is returned after the second.
        let returned = self.return_due_coupons().await;
        let now = self.now();
        let due = Condition::any()
            .add(purchase::Column::Closing.ne(Closing::Open))
            .add(purchase::Column::ExpiresAt.lte(now));
        let orders = purchase::Entity::find_any()
            .filter(purchase::Column::State.eq(State::Pending))
            .filter(due)
            .filter(purchase::Column::NextCheckAt.lte(now))
            .order_by_asc(purchase::Column::NextCheckAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        let found = !orders.is_empty();
        stream::iter(orders)
            .for_each_concurrent(AT_ONCE, |order| async move {
                if let Err(error) = self.expire(&order).await {
                    tracing::warn!(
                        order = order.id,
                        error = format!("{error:#}"),
                        "not closed yet"
                    );
                }
            })
            .await;
        Ok(returned? > 0 || found)
    }

    async fn expire(&self, order: &purchase::Model) -> Result<(), ServiceError> {
        // Of several replicas one goes on with it.
        let next = self.now() + self.config.wait_ms(order.checks);
        let taken =
            db::lease::<purchase::Entity>(purchase::Column::NextCheckAt, order.next_check_at, next)
                .set(purchase::ActiveModel {
                    checks: Set(order.checks.saturating_add(1)),
                    ..Default::default()
                })
                .filter(purchase::Column::Id.eq(&order.id))
                .exec(&self.context.db)
                .await?;
        if taken.rows_affected == 0 {
            return Ok(());
        }
        self.shut(order, Closing::Expired).await?;
        self.conclude(order).await
    }

    /// Cancels an unpaid order of the caller: that holds once it is shut, and payment's verdict is waited for only so that
    /// somebody who has paid hears of it. What has to be closed at a channel is closed after the answer.
    pub(crate) async fn cancel(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        let paid = || BusinessError::new(code::CONFLICT, messages::PAID_NOT_CANCELLED);
        let order = self.own(owner, id).await?;
        match order.status(self.now()) {
            page_status::PAID => return Err(paid().into()),
            page_status::CANCELLED | page_status::EXPIRED => return Ok(()),
            _ => {}
        }
        self.shut(&order, Closing::Cancelled).await?;
        self.context.fail.at("order.shut")?;
        let wait = Duration::from_millis(self.config.cancel_wait_ms);
        let concluded = async {
            let verdict = tokio::time::timeout(wait, self.verdict(&order)).await??;
            self.end_if_clear(&order, verdict).await?;
            anyhow::Ok(verdict)
        };
        match concluded.await {
            Ok(Verdict::Paid) => return Err(paid().into()),
            Ok(_) => {}
            // It stays shut, and the sweep goes on with it.
            Err(error) => {
                tracing::warn!(order = id, error = format!("{error:#}"), "cancelled later");
            }
        }
        let order = self.own(owner, id).await?;
        match order.status(self.now()) {
            page_status::PAID => Err(paid().into()),
            _ => Ok(()),
        }
    }

    /// From here on no attempt can begin. The first caller to shut an order decides its end state.
    pub(crate) async fn shut(
        &self,
        order: &purchase::Model,
        end: Closing,
    ) -> Result<(), ServiceError> {
        let now = self.now();
        purchase::Entity::update_own(&order.owner)
            .set(purchase::ActiveModel {
                closing: Set(end),
                shut_at: Set(Some(now)),
                checks: Set(1),
                // Should this process die now, the sweep goes on with it.
                next_check_at: Set(now + self.config.wait_ms(0)),
                ..Default::default()
            })
            .col_expr(
                purchase::Column::Version,
                Expr::col(purchase::Column::Version).add(1),
            )
            .filter(purchase::Column::Id.eq(&order.id))
            .filter(purchase::Column::State.eq(State::Pending))
            .filter(purchase::Column::Closing.eq(Closing::Open))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }

    /// Ends a shut order if payment knows that nothing was and nothing can be paid.
    async fn conclude(&self, order: &purchase::Model) -> Result<(), ServiceError> {
        let verdict = self.verdict(order).await?;
        self.end_if_clear(order, verdict).await
    }

    async fn verdict(&self, order: &purchase::Model) -> Result<Verdict, ServiceError> {
        let request = ClearRequest {
            order_id: order.id.clone(),
        };
        let reply = PaymentCommands::clear(&self.context.bus, &request).await?;
        self.context.fail.at("order.cleared")?;
        Ok(reply.verdict())
    }

    /// Paid: the event turns the order. Uncertain: it is asked again.
    async fn end_if_clear(
        &self,
        order: &purchase::Model,
        verdict: Verdict,
    ) -> Result<(), ServiceError> {
        match verdict {
            Verdict::Clear => self.end(&order.owner, &order.id).await,
            Verdict::Paid | Verdict::Uncertain | Verdict::Unspecified => Ok(()),
        }
    }

    async fn end(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let known = purchase::Entity::find_own_by_id(owner, id)
            .one(&transaction)
            .await?;
        let closing = known.map_or(Closing::Open, |known| known.closing);
        let Some(state) = closing.end() else {
            transaction.rollback().await?;
            return Ok(());
        };
        let ended = Transition::to(state)
            .set(purchase::ActiveModel {
                ended_at: Set(Some(now)),
                ..Default::default()
            })
            .only(purchase::Column::Id.eq(id))
            .only(purchase::Column::Closing.eq(closing))
            .apply(&transaction);
        if !ended.await? {
            transaction.rollback().await?;
            return Ok(());
        }
        Transition::to(reservation::State::Released)
            .only(reservation::Column::OrderId.eq(id))
            .apply(&transaction)
            .await?;
        // At once, but for those that wait out a failed payment.
        let at_once = coupon::Column::OrderId
            .eq(id)
            .and(coupon::Column::ReleaseAt.is_null());
        coupons::free(at_once, &transaction).await?;
        let row = purchase::Entity::find_own_by_id(owner, id)
            .one(&transaction)
            .await?;
        let mut ended_order = None;
        if let Some(row) = row {
            let event = OrderEnded {
                order_id: row.id.clone(),
                owner: row.owner.clone(),
                state: row.state.name().to_owned(),
                ended_at_ms: now,
                order_no: row.order_no.clone(),
            };
            self.outbox
                .add_streamed(&transaction, &row.id, row.version, &event)
                .await?;
            ended_order = Some((row.owner.clone(), row.status(now)));
        }
        self.context.fail.at("order.ended.before_commit")?;
        transaction.commit().await?;
        self.outbox.wake();
        if let Some((owner, status)) = ended_order {
            self.push_order(&owner, id, status);
        }
        Ok(())
    }
}
