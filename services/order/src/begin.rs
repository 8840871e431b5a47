//! An attempt begins to pay an order: the price with the coupon is fixed, and the coupon reserved, in one transaction.

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::order::v1::{BeginReply, BeginRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{Condition, DatabaseTransaction, Set};

use crate::Orders;
use crate::buyer;
use crate::coupons;
use crate::entity::purchase::{Closing, State};
use crate::entity::{coupon, purchase, reservation};
use crate::messages;
use crate::page_status;
use crate::pricing;
use crate::product::Product;

/// The channel that pays from cloud coins; also used when the payable amount is zero.
const CLOUD_COIN: &str = "cloudCoin";
/// The channel that pays with free counts of a membership.
pub(crate) const MEMBER_FREE: &str = "memberFree";

/// Locks the row of the owner's pending order until the transaction ends, and counts its version up: beginning, paying and
/// giving a coupon back wait for each other. `false` when there is none that fits.
pub(crate) async fn lock_pending(
    transaction: &DatabaseTransaction,
    owner: &str,
    id: &str,
    which: Condition,
) -> Result<bool, DbErr> {
    let locked = purchase::Entity::update_own(owner)
        .col_expr(
            purchase::Column::Version,
            Expr::col(purchase::Column::Version).add(1),
        )
        .filter(purchase::Column::Id.eq(id))
        .filter(purchase::Column::State.eq(State::Pending))
        .filter(which)
        .exec(transaction)
        .await?;
    Ok(locked.rows_affected == 1)
}

fn conflict(message: &str) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

/// What an attempt may pay.
struct Terms {
    coupon_id: Option<String>,
    payable: i64,
    off: i64,
}

/// Nothing is paid in cents, and no coupon is used.
fn by_counts(product: &Product, request: &BeginRequest) -> Result<Terms, ServiceError> {
    if product.counts().is_none() || !request.coupon_id.is_empty() {
        return Err(conflict("该订单不能用会员免费次数抵扣，请选择其他支付方式"));
    }
    Ok(Terms {
        coupon_id: None,
        payable: 0,
        off: 0,
    })
}

impl Orders {
    /// Idempotent by the attempt.
    pub(crate) async fn begin(&self, request: &BeginRequest) -> Result<BeginReply, ServiceError> {
        if let Some(reply) = self.begin_when(request, false).await? {
            return Ok(reply);
        }
        let reply = self.begin_when(request, true).await?;
        reply.ok_or_else(|| anyhow::anyhow!("asked twice what is offered").into())
    }

    /// `None`: the order is of goods, which are still `offered`; then it begins.
    async fn begin_when(
        &self,
        request: &BeginRequest,
        offered: bool,
    ) -> Result<Option<BeginReply>, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let known = reservation::Entity::find_by_id(&request.attempt_id)
            .one(&transaction)
            .await?;
        if let Some(known) = known {
            transaction.rollback().await?;
            return self.begun_before(request, &known).await.map(Some);
        }
        buyer::lock(&transaction, &request.owner).await?;
        let order = self.lock_payable(&transaction, request).await?;
        let product = order.product()?;
        if let Product::Goods(basket) = &product
            && !offered
        {
            // The seller is not asked while rows are locked.
            transaction.rollback().await?;
            self.check_offered(&request.owner, basket).await?;
            return Ok(None);
        }
        self.check_still_sold(&order, &transaction).await?;
        if request.channel == CLOUD_COIN && !product.takes_coins() {
            return Err(conflict("充值订单不能用云币支付"));
        }
        let under_way = reservation::Entity::find()
            .filter(reservation::Column::OrderId.eq(&order.id))
            .filter(reservation::Column::State.eq(reservation::State::Live))
            .count(&transaction)
            .await?;
        if under_way >= self.config.attempt_limit {
            return Err(conflict("支付次数过多，请稍后再试或重新下单"));
        }
        let terms = match request.channel.as_str() {
            MEMBER_FREE => by_counts(&product, request)?,
            _ => self.by_money(&transaction, request, &order).await?,
        };
        let payable = terms.payable;
        let row = reservation::Model {
            attempt_id: request.attempt_id.clone(),
            order_id: order.id.clone(),
            channel: request.channel.clone(),
            coupon_id: terms.coupon_id,
            payable,
            coupon_off: terms.off,
            state: reservation::State::Live,
            created_at: self.now(),
        };
        self.write_reservation(&transaction, &order.owner, &row)
            .await?;
        self.context.fail.at("order.begin.before_commit")?;
        transaction.commit().await?;
        self.context.fail.at("order.begin.committed")?;
        self.reply(&order, payable).map(Some)
    }

    /// The price with the coupon, which is reserved.
    async fn by_money(
        &self,
        transaction: &DatabaseTransaction,
        request: &BeginRequest,
        order: &purchase::Model,
    ) -> Result<Terms, ServiceError> {
        let coupon = self.reserve_coupon(transaction, request, order).await?;
        let payable = coupon.as_ref().map_or(order.amount, |coupon| {
            pricing::payable(order.amount, coupon.reduction(), false)
        });
        let off = order.amount - payable;
        if request.coupon_amount.is_some_and(|stated| stated != off) {
            return Err(conflict("优惠金额有变化，请重新选择优惠券"));
        }
        let coins_only = payable == 0
            || coupon
                .as_ref()
                .is_some_and(|coupon| coupon.kind.coins_only());
        if coins_only && request.channel != CLOUD_COIN {
            return Err(conflict("使用该优惠券的订单请用云币支付"));
        }
        Ok(Terms {
            coupon_id: coupon.map(|coupon| coupon.id),
            payable,
            off,
        })
    }

    /// The order, its row locked until the transaction ends, if it can be paid.
    async fn lock_payable(
        &self,
        transaction: &DatabaseTransaction,
        request: &BeginRequest,
    ) -> Result<purchase::Model, ServiceError> {
        let payable = Condition::all()
            .add(purchase::Column::Closing.eq(Closing::Open))
            .add(purchase::Column::ExpiresAt.gt(self.now()));
        let (owner, id) = (&request.owner, &request.order_id);
        let locked = lock_pending(transaction, owner, id, payable).await?;
        let found = purchase::Entity::find_own_by_id(owner, id)
            .one(transaction)
            .await?;
        let order = found.ok_or_else(|| BusinessError::not_found(messages::NO_ORDER))?;
        if locked {
            return Ok(order);
        }
        Err(conflict(match order.status(self.now()) {
            page_status::PAID => messages::PAID_ALREADY,
            page_status::CANCELLED => messages::PAYING_CANCELLED,
            _ if order.closing == Closing::Cancelled => messages::PAYING_CANCELLED,
            _ => messages::PAYING_EXPIRED,
        }))
    }

    async fn reserve_coupon(
        &self,
        transaction: &DatabaseTransaction,
        request: &BeginRequest,
        order: &purchase::Model,
    ) -> Result<Option<coupon::Model>, ServiceError> {
        if request.coupon_id.is_empty() {
            return Ok(None);
        }
        let found = coupon::Entity::find_own_by_id(&request.owner, &request.coupon_id)
            .one(transaction)
            .await?;
        let coupon = found.ok_or_else(|| BusinessError::not_found("优惠券不存在"))?;
        coupon.fits(order, self.now())?;
        match coupons::reserve(transaction, &coupon, &order.id).await? {
            true => Ok(Some(coupon)),
            false => Err(conflict("优惠券已被其他订单使用")),
        }
    }

    async fn write_reservation(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        row: &reservation::Model,
    ) -> Result<(), ServiceError> {
        db::insert(row.clone(), transaction).await?;
        // An order of which counts were not taken still costs what it cost.
        if row.channel == MEMBER_FREE {
            return Ok(());
        }
        purchase::Entity::update_own(owner)
            .set(purchase::ActiveModel {
                coupon_id: Set(row.coupon_id.clone()),
                coupon_off: Set(row.coupon_off),
                payable: Set(row.payable),
                ..Default::default()
            })
            .filter(purchase::Column::Id.eq(&row.order_id))
            .exec(transaction)
            .await?;
        Ok(())
    }

    /// The same answer again, as long as the same was asked and the attempt has not ended.
    async fn begun_before(
        &self,
        request: &BeginRequest,
        known: &reservation::Model,
    ) -> Result<BeginReply, ServiceError> {
        let coupon = known.coupon_id.clone().unwrap_or_default();
        let same = known.order_id == request.order_id
            && known.channel == request.channel
            && coupon == request.coupon_id;
        if !same || known.state != reservation::State::Live {
            return Err(conflict("本次支付已结束，请重新支付"));
        }
        let order = self.own(&request.owner, &known.order_id).await?;
        self.reply(&order, known.payable)
    }

    fn reply(&self, order: &purchase::Model, payable: i64) -> Result<BeginReply, ServiceError> {
        let product = order.product()?;
        Ok(BeginReply {
            payable,
            order_no: order.order_no.clone(),
            subject: order.description.clone(),
            expires_at_ms: order.expires_at,
            function_module: order.function_module,
            order_type: order.order_type,
            shares: product.shares(&order.owner, payable),
            counts: product.counts().unwrap_or_default(),
        })
    }
}
