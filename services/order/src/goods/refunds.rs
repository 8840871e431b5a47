//! What was paid for and goes back: things that the buyer had already, and things that were never downloaded.

use std::time::Duration;

use anyhow::Context as _;
use chassis::db::states::Transition;
use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::order::v1::{RefundApproved, RefundItem, ReturnItemReply, ReturnItemRequest};
use proto::transaction::v1::{ReturnRequest, TransactionCommands};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, Set, UpdateMany};

use crate::Orders;
use crate::begin::MEMBER_FREE;
use crate::config::{DAY_MS, MINUTE_MS};
use crate::entity::purchase;
use crate::entity::purchase_item::{ActiveModel, Column, Entity, Model, State};

/// Returns gone on with in one round.
const BATCH: u64 = 100;
/// A return that was left unfinished is resumed after this, in milliseconds: longer than its seller's answer is waited for.
const LEFT_MS: i64 = MINUTE_MS;

/// The seller's answers.
const RETURNING: &str = "returning";
const RETURNED: &str = "returned";

pub(crate) fn spawn(orders: &Orders) {
    let period = Duration::from_millis(orders.config.sweep_ms);
    let orders = orders.clone();
    let shutdown = orders.context.shutdown.clone();
    shutdown.every(period, "returns under way", move || {
        let orders = orders.clone();
        async move { orders.resume_returns().await }
    });
}

fn turn(to: State, item: &str, now: i64) -> Transition<State> {
    Transition::to(to)
        .set(ActiveModel {
            updated_at: Set(now),
            ..Default::default()
        })
        .only(Column::Id.eq(item))
}

fn conflict(message: &str) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

impl Orders {
    /// The seller has granted the things of an order, but for those that the buyer had: these go back, each once.
    pub(crate) async fn items_granted(
        &self,
        transaction: &DatabaseTransaction,
        order: &purchase::Model,
        had: &[String],
    ) -> anyhow::Result<()> {
        let now = self.now();
        for id in had {
            let turned = turn(State::Had, id, now)
                .only(Column::OrderId.eq(&order.id))
                .apply(transaction);
            if turned.await?
                && let Some(item) = Entity::find_by_id(id).one(transaction).await?
            {
                let reason = "已拥有该模型，自动退款";
                self.approve(transaction, order, &item, reason).await?;
            }
        }
        Transition::to(State::Granted)
            .set(ActiveModel {
                updated_at: Set(now),
                ..Default::default()
            })
            .from_only(&[State::Ordered])
            .only(Column::OrderId.eq(&order.id))
            .count(transaction)
            .await?;
        Ok(())
    }

    /// Has payment give the price of one thing back.
    async fn approve(
        &self,
        transaction: &DatabaseTransaction,
        order: &purchase::Model,
        item: &Model,
        reason: &str,
    ) -> anyhow::Result<()> {
        let amount = match order.pay_method.as_deref() {
            Some(MEMBER_FREE) => 0,
            _ => item.price,
        };
        let approved = RefundApproved {
            // A thing is given back once, so that its id is the refund's number.
            refund_id: item.id.clone(),
            order_id: order.id.clone(),
            attempt_id: order.attempt_id.clone().unwrap_or_default(),
            owner: order.owner.clone(),
            items: vec![RefundItem {
                item_id: item.id.clone(),
                amount,
            }],
            amount,
            reason: reason.to_owned(),
            approved_at_ms: self.now(),
        };
        self.outbox
            .add_streamed(transaction, &item.id, item.version, &approved)
            .await?;
        Ok(())
    }

    /// A refund has reached its payer; those of whole orders name no item of ours.
    pub(crate) async fn item_refunded(
        &self,
        transaction: &DatabaseTransaction,
        refund_id: &str,
        order_id: &str,
    ) -> anyhow::Result<()> {
        turn(State::Refunded, refund_id, self.now())
            .only(Column::OrderId.eq(order_id))
            .apply(transaction)
            .await?;
        Ok(())
    }

    /// Gives one thing of an order back that its buyer has not used; the price follows by the way it was paid.
    pub(crate) async fn return_item(
        &self,
        owner: &str,
        request: &ReturnItemRequest,
    ) -> Result<ReturnItemReply, ServiceError> {
        let order = self.own(owner, &request.order_id).await?;
        let item = Entity::find_by_id(&request.item_id)
            .filter(Column::OrderId.eq(&order.id))
            .one(&self.context.db)
            .await?;
        let item = item.ok_or_else(|| BusinessError::not_found("订单中没有这个商品"))?;
        match item.state {
            State::Granted => {}
            State::Ordered => return Err(conflict("商品尚未交付，请稍后再试")),
            State::Returning => {}
            State::Had | State::Returned | State::Refunded => {
                return Ok(ReturnItemReply {
                    state: item.state.name().to_owned(),
                });
            }
        }
        let days = self.config.return_days;
        let until = order.paid_at.unwrap_or_default() + days * DAY_MS;
        if item.state == State::Granted {
            if self.now() >= until {
                return Err(conflict(&format!("已超过 {days} 天的退款期限")));
            }
            turn(State::Returning, &item.id, self.now())
                .set(ActiveModel {
                    tries: Set(0),
                    // Its own request goes on with it; the sweep, if that breaks off.
                    next_check_at: Set(self.now() + LEFT_MS),
                    ..Default::default()
                })
                .apply(&self.context.db)
                .await?;
            self.context.fail.at("order.returning")?;
        }
        self.conclude_return(&order, &item).await
    }

    /// Asks the seller, who blocks the thing for good or says that it is too late.
    async fn conclude_return(
        &self,
        order: &purchase::Model,
        item: &Model,
    ) -> Result<ReturnItemReply, ServiceError> {
        let request = ReturnRequest {
            order_id: order.id.clone(),
            item_id: item.id.clone(),
        };
        let answer = TransactionCommands::r#return(&self.context.bus, &request).await?;
        if ![RETURNING, RETURNED].contains(&answer.state.as_str()) {
            turn(State::Granted, &item.id, self.now())
                .from_only(&[State::Returning])
                .apply(&self.context.db)
                .await?;
            return Err(conflict("已下载的模型不能退款"));
        }
        self.context.fail.at("order.return.answered")?;
        let transaction = db::begin_write(&self.context.db).await?;
        let turned = turn(State::Returned, &item.id, self.now()).apply(&transaction);
        if turned.await? {
            self.approve(&transaction, order, item, "未下载，买家退款")
                .await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        Ok(ReturnItemReply {
            state: State::Returned.name().to_owned(),
        })
    }

    /// Gives one thing back that its buyer may have used; operator and reason are stored with the refund.
    pub async fn return_by_operator(
        &self,
        order_id: &str,
        item_id: &str,
        operator: &str,
        reason: &str,
    ) -> anyhow::Result<()> {
        for (what, text) in [("operator", operator), ("reason", reason)] {
            let length = text.trim().chars().count();
            anyhow::ensure!((1..=200).contains(&length), "{what}: 1 to 200 characters");
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let order = purchase::Entity::find_any_by_id(order_id)
            .one(&transaction)
            .await?
            .with_context(|| format!("no order {order_id}"))?;
        let item = Entity::find_by_id(item_id)
            .filter(Column::OrderId.eq(order_id))
            .one(&transaction)
            .await?
            .with_context(|| format!("no item {item_id} of this order"))?;
        let turned = turn(State::Returned, item_id, self.now()).apply(&transaction);
        anyhow::ensure!(
            turned.await?,
            "item {item_id} is {}: only what was granted is given back",
            item.state
        );
        let reason = format!("{}（{}）", reason.trim(), operator.trim());
        self.approve(&transaction, &order, &item, &reason).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    /// Resumes returns whose process died between the question and what follows from its answer.
    pub(crate) async fn resume_returns(&self) -> Result<bool, ServiceError> {
        let left = Entity::find()
            .filter(Column::State.eq(State::Returning))
            .filter(Column::NextCheckAt.lte(self.now()))
            .order_by_asc(Column::NextCheckAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        let found = !left.is_empty();
        for item in left {
            let until = self.now() + LEFT_MS;
            let taken = lease(&item, item.next_check_at, until)
                .set(ActiveModel {
                    tries: Set(item.tries.saturating_add(1)),
                    ..Default::default()
                })
                .exec(&self.context.db)
                .await?;
            let order = purchase::Entity::find_any_by_id(&item.order_id)
                .one(&self.context.db)
                .await?;
            let (1, Some(order)) = (taken.rows_affected, order) else {
                continue;
            };
            if let Err(error) = self.conclude_return(&order, &item).await {
                let error = format!("{error:#}");
                tracing::warn!(item = item.id, error, "not returned yet");
                let next = self.now() + self.config.wait_ms(item.tries);
                lease(&item, until, next).exec(&self.context.db).await?;
            }
        }
        Ok(found)
    }
}

fn lease(item: &Model, seen: i64, until: i64) -> UpdateMany<Entity> {
    db::lease::<Entity>(Column::NextCheckAt, seen, until).filter(Column::Id.eq(&item.id))
}
