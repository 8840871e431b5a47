//! What the service consumes: how attempts ended, what was delivered, who is a member.

use proto::order::v1::{OrderEvents, OrderPaid, PaymentRefused};
use proto::payment::v1::{AttemptFailed, AttemptSucceeded};
use proto::personal::v1::MembershipChanged;
use proto::{payment, personal};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{DatabaseTransaction, Set};

use crate::Orders;
use crate::config::MINUTE_MS;
use crate::coupons;
use crate::entity::{coupon, purchase, reservation};
use crate::rules::State;

/// Handles the events of order.
pub(crate) struct Consumer(pub Orders);

impl OrderEvents<DatabaseTransaction> for Consumer {
    async fn payment_attempt_succeeded(
        &self,
        transaction: &DatabaseTransaction,
        event: AttemptSucceeded,
    ) -> anyhow::Result<()> {
        self.0.succeeded(transaction, &event).await?;
        self.0.context.fail.at("order.paid.before_commit")
    }

    async fn payment_attempt_failed(
        &self,
        transaction: &DatabaseTransaction,
        event: AttemptFailed,
    ) -> anyhow::Result<()> {
        self.0.failed(transaction, &event).await
    }

    async fn payment_order_fulfilled(
        &self,
        transaction: &DatabaseTransaction,
        event: payment::v1::OrderFulfilled,
    ) -> anyhow::Result<()> {
        let (order, at) = (event.order_id, event.fulfilled_at_ms);
        self.0.fulfilled(transaction, &order, at).await
    }

    async fn personal_order_fulfilled(
        &self,
        transaction: &DatabaseTransaction,
        event: personal::v1::OrderFulfilled,
    ) -> anyhow::Result<()> {
        let (order, at) = (event.order_id, event.fulfilled_at_ms);
        self.0.fulfilled(transaction, &order, at).await
    }

    async fn personal_membership_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: MembershipChanged,
    ) -> anyhow::Result<()> {
        crate::membership::changed(transaction, event).await
    }
}

impl Orders {
    /// The money for an order is here: the order takes it, or says that it does not.
    async fn succeeded(
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
                self.outbox
                    .add(transaction, &event.order_id, self.now(), &refused)
                    .await?;
                Ok(())
            }
        }
    }

    /// Why the money is not taken; `None` when it is, or had been.
    async fn takes(
        &self,
        transaction: &DatabaseTransaction,
        event: &AttemptSucceeded,
    ) -> anyhow::Result<Option<&'static str>> {
        let now = self.now();
        // Locks the row: whoever else wants to turn it waits.
        let turned = purchase::Entity::update_many()
            .col_expr(
                purchase::Column::Version,
                Expr::col(purchase::Column::Version).add(1),
            )
            .filter(purchase::Column::Id.eq(&event.order_id))
            .filter(purchase::Column::Owner.eq(&event.owner))
            .filter(purchase::Column::State.is_in(State::Paid.before()))
            .exec(transaction)
            .await?;
        let order = purchase::Entity::find_by_id(&event.order_id)
            .filter(purchase::Column::Owner.eq(&event.owner))
            .one(transaction)
            .await?;
        let Some(order) = order else {
            return Ok(Some("订单不存在"));
        };
        if turned.rows_affected == 0 {
            let by_this = order.attempt_id.as_deref() == Some(event.attempt_id.as_str());
            return Ok((!by_this).then_some("付款到账时订单已结束"));
        }
        let reservation = reservation::Entity::find_by_id(&event.attempt_id)
            .one(transaction)
            .await?
            .filter(|known| known.order_id == order.id && known.state == "live");
        let Some(reservation) = reservation.filter(|known| known.payable == event.amount) else {
            return Ok(Some("付款与订单不符"));
        };
        if let Some(coupon) = &reservation.coupon_id
            && !coupons::consume(transaction, coupon, &order.id).await?
        {
            return Ok(Some("优惠券已退还，付款金额不足"));
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
        purchase::Entity::update_many()
            .col_expr(purchase::Column::State, Expr::value(State::Paid.name()))
            .col_expr(purchase::Column::Closing, Expr::value(""))
            .col_expr(
                purchase::Column::AttemptId,
                Expr::value(reservation.attempt_id.as_str()),
            )
            .col_expr(
                purchase::Column::PayMethod,
                Expr::value(reservation.channel.as_str()),
            )
            .col_expr(
                purchase::Column::CouponId,
                Expr::value(reservation.coupon_id.clone()),
            )
            .col_expr(
                purchase::Column::CouponOff,
                Expr::value(reservation.coupon_off),
            )
            .col_expr(purchase::Column::Payable, Expr::value(reservation.payable))
            .col_expr(purchase::Column::PaidAt, Expr::value(now))
            .filter(purchase::Column::Id.eq(&order.id))
            .exec(transaction)
            .await?;
        for (state, which) in [
            (
                "consumed",
                reservation::Column::AttemptId.eq(&reservation.attempt_id),
            ),
            (
                "released",
                reservation::Column::AttemptId.ne(&reservation.attempt_id),
            ),
        ] {
            reservation::Entity::update_many()
                .col_expr(reservation::Column::State, Expr::value(state))
                .filter(reservation::Column::OrderId.eq(&order.id))
                .filter(reservation::Column::State.eq("live"))
                .filter(which)
                .exec(transaction)
                .await?;
        }
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
            product: Some(order.product()?.to_paid()),
        };
        self.outbox
            .add(transaction, &order.id, order.version, &paid)
            .await?;
        Ok(())
    }

    /// An attempt took nothing and never will: its coupon goes back, after thirty minutes when it failed while paying.
    async fn failed(
        &self,
        transaction: &DatabaseTransaction,
        event: &AttemptFailed,
    ) -> anyhow::Result<()> {
        let known = reservation::Entity::find_by_id(&event.attempt_id)
            .one(transaction)
            .await?;
        let Some(reservation) = known else {
            // Should its beginning still be under way, it comes too late.
            let row = reservation::ActiveModel {
                attempt_id: Set(event.attempt_id.clone()),
                order_id: Set(event.order_id.clone()),
                channel: Set(String::new()),
                coupon_id: Set(None),
                payable: Set(0),
                coupon_off: Set(0),
                state: Set("released".to_owned()),
                created_at: Set(self.now()),
            };
            reservation::Entity::insert(row)
                .exec_without_returning(transaction)
                .await?;
            return Ok(());
        };
        if reservation.state != "live" {
            return Ok(());
        }
        reservation::Entity::update_many()
            .col_expr(reservation::Column::State, Expr::value("released"))
            .filter(reservation::Column::AttemptId.eq(&event.attempt_id))
            .exec(transaction)
            .await?;
        let Some(coupon_id) = &reservation.coupon_id else {
            return Ok(());
        };
        let others = reservation::Entity::find()
            .filter(reservation::Column::OrderId.eq(&reservation.order_id))
            .filter(reservation::Column::CouponId.eq(coupon_id))
            .filter(reservation::Column::State.eq("live"))
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
            coupons::free_later(transaction, coupon_id, &reservation.order_id, at).await?;
        }
        Ok(())
    }

    async fn fulfilled(
        &self,
        transaction: &DatabaseTransaction,
        order_id: &str,
        fulfilled_at_ms: i64,
    ) -> anyhow::Result<()> {
        purchase::Entity::update_many()
            .col_expr(
                purchase::Column::State,
                Expr::value(State::Fulfilled.name()),
            )
            .col_expr(purchase::Column::FulfilledAt, Expr::value(fulfilled_at_ms))
            .col_expr(
                purchase::Column::Version,
                Expr::col(purchase::Column::Version).add(1),
            )
            .filter(purchase::Column::Id.eq(order_id))
            .filter(purchase::Column::State.is_in(State::Fulfilled.before()))
            .exec(transaction)
            .await?;
        Ok(())
    }
}
