//! What a person takes along, and what is erased. Orders and the coupons they used are kept under the pseudonym, as bookkeeping demands.

use chassis::rights::export::{Area, cents, json, number, text, time};
use chassis::rights::{Holding, Leaving, Rights, erased, renamed};
use proto::order::v1::AccountErased;
use sea_orm::DatabaseTransaction;
use sea_orm::QuerySelect;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, Func};

use crate::Orders;
use crate::entity::purchase::{Closing, State};
use crate::entity::{coupon, purchase};

/// Open orders that are shut at a time.
const BATCH: u64 = 100;

/// Why a column is not shown.
const INTERNAL: &str = "serves the work of the service alone";

/// The part of order.
pub struct Part(pub(crate) Orders);

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[
        erased("buyer", "owner"),
        renamed("coupon", "owner"),
        erased("membership", "login_id"),
        renamed("purchase", "owner"),
    ];

    const AREAS: &'static [Area] = &[
        Area::new(
            "orders",
            "订单",
            "purchase",
            "owner",
            &[
                text("id", "编号"),
                text("order_no", "订单号"),
                number("function_module", "功能"),
                number("order_type", "类型"),
                text("description", "内容"),
                cents("amount", "金额（元）"),
                json("product", "商品"),
                text("state", "状态"),
                text("closing", "关闭原因"),
                text("coupon_id", "优惠券编号"),
                cents("coupon_off", "优惠（元）"),
                cents("payable", "应付（元）"),
                text("pay_method", "支付方式"),
                text("attempt_id", "支付编号"),
                time("created_at", "下单时间"),
                time("expires_at", "支付截止"),
                time("paid_at", "支付时间"),
                time("fulfilled_at", "交付时间"),
                time("ended_at", "结束时间"),
                time("shut_at", "关闭时间"),
            ],
        )
        .withheld(&[
            ("checks", INTERNAL),
            ("next_check_at", INTERNAL),
            ("version", INTERNAL),
        ]),
        Area::new(
            "orderItems",
            "订单商品",
            "purchase_item",
            "order_id",
            &[
                text("id", "编号"),
                text("order_id", "订单编号"),
                text("goods_id", "商品编号"),
                cents("price", "价格（元）"),
                text("state", "状态"),
                time("updated_at", "更新时间"),
            ],
        )
        .through("order_id", ("purchase", "id", "owner"))
        .withheld(&[
            ("version", INTERNAL),
            ("tries", INTERNAL),
            ("next_check_at", INTERNAL),
        ]),
        Area::new(
            "reservations",
            "订单提交支付",
            "reservation",
            "order_id",
            &[
                text("attempt_id", "支付编号"),
                text("order_id", "订单编号"),
                text("channel", "支付方式"),
                text("coupon_id", "优惠券编号"),
                cents("payable", "应付（元）"),
                cents("coupon_off", "优惠（元）"),
                text("state", "状态"),
                time("created_at", "时间"),
            ],
        )
        .key(&["attempt_id"])
        .through("order_id", ("purchase", "id", "owner")),
        Area::new(
            "coupons",
            "优惠券",
            "coupon",
            "owner",
            &[
                text("id", "编号"),
                text("name", "名称"),
                text("label", "标签"),
                text("template", "来源"),
                number("sys_type", "发放方"),
                number("kind", "类型"),
                cents("face_value", "面值（元）"),
                number("discount_value", "折扣（%）"),
                cents("min_amount", "门槛（元）"),
                number("function_module", "适用功能"),
                text("state", "状态"),
                text("order_id", "使用的订单"),
                time("release_at", "退还时间"),
                time("received_at", "领取时间"),
                time("expires_at", "到期时间"),
            ],
        ),
        Area::new(
            "membership",
            "会员期",
            "membership",
            "login_id",
            &[json("terms", "会员期")],
        )
        .key(&["login_id"])
        .withheld(&[("version", INTERNAL)]),
    ];
    const NOT_TAKEN: &'static [(&'static str, &'static str)] =
        &[("buyer", "a counter and nothing else")];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }

    /// Open orders are cancelled, as by their owner; what is being paid is waited for, and delivered.
    async fn is_busy(&self, leaving: Leaving<'_>) -> anyhow::Result<bool> {
        let under_way = purchase::Entity::find_own(leaving.login_id)
            .filter(purchase::Column::State.is_in([State::Pending, State::Paid]))
            .limit(BATCH)
            .all(&self.0.context.db)
            .await?;
        for order in &under_way {
            if order.state == State::Pending {
                self.0.shut(order, Closing::Cancelled).await?;
            }
        }
        Ok(!under_way.is_empty())
    }

    async fn erase(
        &self,
        transaction: &DatabaseTransaction,
        leaving: Leaving<'_>,
    ) -> anyhow::Result<()> {
        coupon::Entity::delete_own(leaving.login_id)
            .filter(coupon::Column::State.eq(coupon::State::Available))
            .exec(transaction)
            .await?;
        // Orders of others say who sold what they bought.
        let product = Func::cust("REPLACE")
            .arg(Expr::col(purchase::Column::Product))
            .arg(Expr::value(leaving.login_id))
            .arg(Expr::value(leaving.pseudonym));
        purchase::Entity::update_any()
            .col_expr(purchase::Column::Product, product.into())
            .filter(purchase::Column::Product.contains(leaving.login_id))
            .exec(transaction)
            .await?;
        Ok(())
    }
}
