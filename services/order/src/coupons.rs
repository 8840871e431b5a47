//! Coupons: received, listed, reserved by the order that is being paid with them, used up or given back.

use chassis::db::list::place_of;
use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::order::v1::{CountsReply, Coupon, CouponListRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::IntoCondition;
use sea_orm::{Condition, ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect, Set};

use crate::Orders;
use crate::config::DAY_MS;
use crate::entity::coupon::{Kind, State};
use crate::entity::{coupon, purchase};
use crate::pricing::Reduction;
use crate::product::MEMBERSHIP;

/// A coupon that ends within these is about to expire.
const EXPIRING_MS: i64 = 7 * DAY_MS;

/// What pages know a coupon's state by.
const USABLE: i32 = 0;
const USED: i32 = 1;
const EXPIRED: i32 = 2;
const RESERVED: i32 = 3;

impl coupon::Model {
    pub(crate) fn reduction(&self) -> Reduction {
        Reduction {
            sys_type: self.sys_type,
            kind: self.kind,
            face_value: self.face_value,
            discount_value: self.discount_value,
        }
    }

    fn status(&self, now: i64) -> i32 {
        match self.state {
            State::Consumed => USED,
            State::Reserved => RESERVED,
            State::Available if self.expires_at <= now => EXPIRED,
            State::Available => USABLE,
        }
    }

    pub(crate) fn to_proto(&self, now: i64) -> Coupon {
        Coupon {
            coupon_id: self.id.clone(),
            coupon_sys_type: self.sys_type,
            r#type: self.kind as i32,
            face_value: self.face_value,
            discount_value: self.discount_value,
            name: self.name.clone(),
            label: self.label.clone(),
            min_amount: self.min_amount,
            status: self.status(now),
            receive_time: self.received_at,
            expire_time: self.expires_at,
        }
    }

    /// Whether it fits an order, apart from who has reserved it.
    pub(crate) fn fits(&self, order: &purchase::Model, now: i64) -> Result<(), BusinessError> {
        let reason = if self.expires_at <= now {
            "优惠券已过期"
        } else if self.function_module != order.function_module {
            "该优惠券不能用于此订单"
        } else if order.amount < self.min_amount {
            "订单金额未达到优惠券的使用门槛"
        } else {
            return Ok(());
        };
        Err(BusinessError::new(code::CONFLICT, reason))
    }
}

impl Orders {
    pub(crate) async fn list_coupons(
        &self,
        owner: &str,
        request: &CouponListRequest,
    ) -> Result<Vec<Coupon>, ServiceError> {
        let now = self.now();
        let mut query = coupon::Entity::find_own(owner);
        query = match request.status {
            None => query,
            Some(USABLE) => query
                .filter(coupon::Column::State.eq(State::Available))
                .filter(coupon::Column::ExpiresAt.gt(now)),
            Some(USED) => query.filter(coupon::Column::State.eq(State::Consumed)),
            Some(EXPIRED) => query
                .filter(coupon::Column::State.eq(State::Available))
                .filter(coupon::Column::ExpiresAt.lte(now)),
            Some(RESERVED) => query.filter(coupon::Column::State.eq(State::Reserved)),
            Some(_) => return Err(BusinessError::invalid("优惠券状态只能是 0 到 3").into()),
        };
        let (offset, limit) = place_of(request, 20, 200)?;
        let rows = query
            .order_by_desc(coupon::Column::ReceivedAt)
            .order_by_asc(coupon::Column::MinAmount)
            .offset(offset)
            .limit(limit)
            .all(&self.context.db)
            .await?;
        Ok(rows.iter().map(|row| row.to_proto(now)).collect())
    }

    /// The caller's coupons that are not reserved and have not expired.
    pub(crate) async fn usable(&self, owner: &str) -> Result<Vec<coupon::Model>, ServiceError> {
        let rows = coupon::Entity::find_own(owner)
            .filter(coupon::Column::State.eq(State::Available))
            .filter(coupon::Column::ExpiresAt.gt(self.now()))
            .order_by_asc(coupon::Column::ExpiresAt)
            .order_by_asc(coupon::Column::MinAmount)
            .limit(200)
            .all(&self.context.db)
            .await?;
        Ok(rows)
    }

    /// Coupons that this order can be paid with: free ones that fit, and those it has reserved itself.
    pub(crate) async fn usable_on(
        &self,
        order: &purchase::Model,
    ) -> Result<Vec<coupon::Model>, ServiceError> {
        let now = self.now();
        let mut rows = self.usable(&order.owner).await?;
        let own = coupon::Entity::find_own(&order.owner)
            .filter(coupon::Column::State.eq(State::Reserved))
            .filter(coupon::Column::OrderId.eq(&order.id))
            .all(&self.context.db)
            .await?;
        rows.extend(own);
        rows.retain(|row| row.fits(order, now).is_ok());
        Ok(rows)
    }

    pub(crate) async fn has_received(&self, owner: &str) -> Result<bool, ServiceError> {
        let templates = self.config.gift.coupons.iter().map(|gift| gift.id.clone());
        let found = coupon::Entity::find_own(owner)
            .filter(coupon::Column::Template.is_in(templates))
            .count(&self.context.db)
            .await?;
        Ok(found > 0)
    }

    /// Gives the gift, once: the unique key of owner and template decides between two who ask at the same moment.
    pub(crate) async fn receive(&self, owner: &str) -> Result<Vec<Coupon>, ServiceError> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let mut received = Vec::new();
        for gift in &self.config.gift.coupons {
            let row = coupon::Model {
                id: new_id(),
                owner: owner.to_owned(),
                template: gift.id.clone(),
                sys_type: 1,
                kind: Kind::FaceValue,
                face_value: gift.face_value,
                discount_value: 0,
                name: gift.name.clone(),
                label: gift.label.clone(),
                min_amount: gift.min_amount,
                function_module: MEMBERSHIP,
                state: State::Available,
                order_id: None,
                release_at: None,
                received_at: now,
                expires_at: now + self.config.gift.days * DAY_MS,
            };
            if !db::insert_new(row.clone(), &transaction).await? {
                transaction.rollback().await?;
                return Err(BusinessError::new(code::CONFLICT, "您已领取过优惠券").into());
            }
            received.push(row.to_proto(now));
        }
        transaction.commit().await?;
        Ok(received)
    }

    /// Whether a usable coupon is about to expire.
    pub(crate) async fn any_expiring(&self, owner: &str) -> Result<bool, ServiceError> {
        let soon = self.now() + EXPIRING_MS;
        let usable = self.usable(owner).await?;
        Ok(usable.iter().any(|coupon| coupon.expires_at <= soon))
    }

    pub(crate) async fn counts(&self, owner: &str) -> Result<CountsReply, ServiceError> {
        let soon = self.now() + EXPIRING_MS;
        let usable = self.usable(owner).await?;
        let expiring = usable.iter().filter(|c| c.expires_at <= soon).count();
        Ok(CountsReply {
            coupon_count: usable.len() as i32,
            expiring_coupon_count: expiring as i32,
            un_pay_order_count: i32::try_from(self.unpaid(owner, &self.context.db).await?)
                .unwrap_or(i32::MAX),
        })
    }

    /// Gives back what waits for the end of its thirty minutes.
    pub(crate) async fn return_due_coupons(&self) -> Result<u64, ServiceError> {
        Ok(free(coupon::Column::ReleaseAt.lte(self.now()), &self.context.db).await?)
    }
}

/// Reserves a coupon for an order; `false` when another order has it. The same order may reserve it again.
pub(crate) async fn reserve(
    transaction: &DatabaseTransaction,
    coupon: &coupon::Model,
    order_id: &str,
) -> Result<bool, DbErr> {
    let own = Condition::all()
        .add(coupon::Column::State.eq(State::Reserved))
        .add(coupon::Column::OrderId.eq(order_id));
    let free_or_own = Condition::any()
        .add(coupon::Column::State.eq(State::Available))
        .add(own);
    Transition::to(State::Reserved)
        .set(coupon::ActiveModel {
            order_id: Set(Some(order_id.to_owned())),
            release_at: Set(None),
            ..Default::default()
        })
        .only(coupon::Column::Id.eq(&coupon.id))
        .only(coupon::Column::Owner.eq(&coupon.owner))
        .only(free_or_own)
        .apply(transaction)
        .await
}

/// Uses a coupon up for the order that has it reserved; `false` when that is not so (any more).
pub(crate) async fn consume(
    transaction: &DatabaseTransaction,
    id: &str,
    order_id: &str,
) -> Result<bool, DbErr> {
    Transition::to(State::Consumed)
        .set(coupon::ActiveModel {
            release_at: Set(None),
            ..Default::default()
        })
        .only(coupon::Column::Id.eq(id))
        .only(coupon::Column::OrderId.eq(order_id))
        .apply(transaction)
        .await
}

/// Frees the reserved coupons that fit the condition.
pub(crate) async fn free(
    which: impl IntoCondition,
    connection: &impl ConnectionTrait,
) -> Result<u64, DbErr> {
    Transition::to(State::Available)
        .set(coupon::ActiveModel {
            order_id: Set(None),
            release_at: Set(None),
            ..Default::default()
        })
        .only(which)
        .count(connection)
        .await
}

/// Keeps a reserved coupon for its order until a time, and frees it then.
pub(crate) async fn free_later(
    transaction: &DatabaseTransaction,
    owner: &str,
    id: &str,
    order_id: &str,
    at_ms: i64,
) -> Result<(), DbErr> {
    coupon::Entity::update_own(owner)
        .set(coupon::ActiveModel {
            release_at: Set(Some(at_ms)),
            ..Default::default()
        })
        .filter(coupon::Column::Id.eq(id))
        .filter(coupon::Column::State.eq(State::Reserved))
        .filter(coupon::Column::OrderId.eq(order_id))
        .exec(transaction)
        .await?;
    Ok(())
}
