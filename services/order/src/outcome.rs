//! How a pending order takes the outcome of an attempt: paid, or not; and how a paid one becomes fulfilled.

use chassis::db;
use chassis::db::states::Transition;
use proto::order::v1::{OrderPaid, PaymentRefused};
use proto::payment::v1::{AttemptFailed, AttemptSucceeded};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{Condition, DatabaseTransaction, Set};

use crate::Orders;
use crate::begin::{MEMBER_FREE, lock_pending};
use crate::buyer;
use crate::config::MINUTE_MS;
use crate::coupons;
use crate::entity::purchase::{Closing, State};
use crate::entity::{coupon, purchase, reservation};
use crate::messages;
use crate::page_status;

impl Orders {
    /// The money for an order is here: the order takes it, or says that it does not.
    pub(crate) async fn succeeded(
        &self,
        transaction: &DatabaseTransaction,
        event: &AttemptSucceeded,
    ) -> anyhow::Result<()> {
        match self.takes(transaction, event).await? {
            None => Ok(()),
            Some(reason) => {
                let refused = PaymentRefused {
                    order_id: event.order_id.clone(),
                    attempt_id: event.attempt_id.clone(),
                    reason: reason.to_owned(),
                };
                let order = purchase::Entity::find_any_by_id(&event.order_id)
                    .one(transaction)
                    .await?;
                let version = order.map_or(0, |order| order.version);
                self.outbox
                    .add_streamed(transaction, &event.order_id, version, &refused)
                    .await?;
                Ok(())
            }
        }
    }

    fn push_paid(&self, owner: &str, order_id: &str) {
        let orders = self.clone();
        let (owner, order_id) = (owner.to_owned(), order_id.to_owned());
        db::after_commit(move || orders.push_order(&owner, &order_id, page_status::PAID));
    }

    /// Why the money is not taken; `None` when it is, or had been.
    async fn takes(
        &self,
        transaction: &DatabaseTransaction,
        event: &AttemptSucceeded,
    ) -> anyhow::Result<Option<&'static str>> {
        let now = self.now();
        let (owner, id) = (&event.owner, &event.order_id);
        // The buyer before the order, as Begin does: of two memberships the second sees that the first is paid.
        buyer::lock(transaction, owner).await?;
        // Locks the row: others that move it wait.
        let pending = lock_pending(transaction, owner, id, Condition::all()).await?;
        let order = purchase::Entity::find_own_by_id(owner, id)
            .one(transaction)
            .await?;
        let Some(order) = order else {
            return Ok(Some(messages::NO_ORDER));
        };
        if !pending {
            let by_this = order.attempt_id.as_deref() == Some(event.attempt_id.as_str());
            return Ok((!by_this).then_some(messages::PAID_AFTER_END));
        }
        let reservation = reservation::Entity::find_by_id(&event.attempt_id)
            .one(transaction)
            .await?
            .filter(|known| known.order_id == order.id && known.state == reservation::State::Live);
        let Some(reservation) = reservation.filter(|known| known.payable == event.amount) else {
            return Ok(Some(messages::WRONG_AMOUNT));
        };
        let sold = self.is_sold_on_arrival(&order, &event.channel, transaction);
        if !sold.await? {
            return Ok(Some(messages::GRADE_NOT_SOLD));
        }
        if let Some(coupon) = &reservation.coupon_id
            && !coupons::consume(transaction, coupon, &order.id).await?
        {
            return Ok(Some(messages::COUPON_RETURNED));
        }
        self.turn_paid(transaction, &order, &reservation, now)
            .await?;
        Ok(None)
    }

    async fn turn_paid(
        &self,
        transaction: &DatabaseTransaction,
        order: &purchase::Model,
        reservation: &reservation::Model,
        now: i64,
    ) -> anyhow::Result<()> {
        let paid = Transition::to(State::Paid)
            .set(purchase::ActiveModel {
                closing: Set(Closing::Open),
                attempt_id: Set(Some(reservation.attempt_id.clone())),
                pay_method: Set(Some(reservation.channel.clone())),
                coupon_id: Set(reservation.coupon_id.clone()),
                coupon_off: Set(reservation.coupon_off),
                payable: Set(reservation.payable),
                paid_at: Set(Some(now)),
                ..Default::default()
            })
            .only(purchase::Column::Id.eq(&order.id))
            .apply(transaction);
        // Its row has been locked as a pending one.
        anyhow::ensure!(paid.await?, "order {} is not pending", order.id);
        Transition::to(reservation::State::Consumed)
            .only(reservation::Column::AttemptId.eq(&reservation.attempt_id))
            .apply(transaction)
            .await?;
        // The others of this order lost.
        Transition::to(reservation::State::Released)
            .only(reservation::Column::OrderId.eq(&order.id))
            .apply(transaction)
            .await?;
        // Coupons of the attempts that lost.
        coupons::free(coupon::Column::OrderId.eq(&order.id), transaction).await?;
        let paid = OrderPaid {
            order_id: order.id.clone(),
            order_no: order.order_no.clone(),
            owner: order.owner.clone(),
            attempt_id: reservation.attempt_id.clone(),
            function_module: order.function_module,
            order_type: order.order_type,
            amount: order.amount,
            payable: reservation.payable,
            paid_at_ms: now,
            product: Some(order.product()?.to_paid(reservation.channel == MEMBER_FREE)),
            pay_method: reservation.channel.clone(),
        };
        self.outbox
            .add_streamed(transaction, &order.id, order.version + 1, &paid)
            .await?;
        self.push_paid(&order.owner, &order.id);
        Ok(())
    }

    /// An attempt took nothing and never will: its coupon goes back, after thirty minutes when it failed while paying.
    pub(crate) async fn failed(
        &self,
        transaction: &DatabaseTransaction,
        event: &AttemptFailed,
    ) -> anyhow::Result<()> {
        // A Begin of the same order waits here, or has committed: the reservations counted below are all there are. It
        // takes the same lock before the coupon's row. An order that is no longer pending gets no further ones.
        let (owner, order_id) = (&event.owner, &event.order_id);
        lock_pending(transaction, owner, order_id, Condition::all()).await?;
        // Should the order be waiting to be closed, payment is asked again at once.
        purchase::Entity::update_own(owner)
            .set(purchase::ActiveModel {
                checks: Set(0),
                next_check_at: Set(self.now()),
                ..Default::default()
            })
            .filter(purchase::Column::Id.eq(order_id))
            .filter(purchase::Column::State.eq(State::Pending))
            .filter(purchase::Column::Closing.ne(Closing::Open))
            .exec(transaction)
            .await?;
        let known = reservation::Entity::find_by_id(&event.attempt_id)
            .one(transaction)
            .await?;
        let Some(reservation) = known else {
            // Tombstone: a Begin still in flight finds this row and is refused.
            let row = reservation::Model {
                attempt_id: event.attempt_id.clone(),
                order_id: order_id.clone(),
                channel: String::new(),
                coupon_id: None,
                payable: 0,
                coupon_off: 0,
                state: reservation::State::Released,
                created_at: self.now(),
            };
            return Ok(db::insert(row, transaction).await?);
        };
        let released = Transition::to(reservation::State::Released)
            .only(reservation::Column::AttemptId.eq(&event.attempt_id))
            .apply(transaction);
        if !released.await? {
            return Ok(());
        }
        let Some(coupon_id) = &reservation.coupon_id else {
            return Ok(());
        };
        let others = reservation::Entity::find()
            .filter(reservation::Column::OrderId.eq(&reservation.order_id))
            .filter(reservation::Column::CouponId.eq(coupon_id))
            .filter(reservation::Column::State.eq(reservation::State::Live))
            .count(transaction)
            .await?;
        if others > 0 {
            return Ok(());
        }
        if event.closed {
            let which = coupon::Column::Id
                .eq(coupon_id)
                .and(coupon::Column::OrderId.eq(&reservation.order_id))
                .and(coupon::Column::ReleaseAt.is_null());
            coupons::free(which, transaction).await?;
        } else {
            let at = event.failed_at_ms + self.config.coupon_return_minutes * MINUTE_MS;
            coupons::free_later(transaction, owner, coupon_id, &reservation.order_id, at).await?;
        }
        Ok(())
    }

    pub(crate) async fn fulfilled(
        &self,
        transaction: &DatabaseTransaction,
        order_id: &str,
        fulfilled_at_ms: i64,
    ) -> anyhow::Result<()> {
        let delivered = Transition::to(State::Fulfilled)
            .set(purchase::ActiveModel {
                fulfilled_at: Set(Some(fulfilled_at_ms)),
                ..Default::default()
            })
            .only(purchase::Column::Id.eq(order_id))
            .apply(transaction);
        if !delivered.await? {
            return Ok(());
        }
        let order = purchase::Entity::find_any_by_id(order_id)
            .one(transaction)
            .await?;
        if let Some(order) = order {
            self.push_paid(&order.owner, order_id);
        }
        Ok(())
    }
}
