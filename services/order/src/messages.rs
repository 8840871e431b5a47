//! Messages of refusals of orders.

/// The caller cancels an order that is paid.
pub const PAID_NOT_CANCELLED: &str = "订单已支付，不能取消";
/// The caller pays an order that is paid.
pub const PAID_ALREADY: &str = "订单已支付，请勿重复付款";
/// The caller pays an order that was cancelled, also while its end waits for payment.
pub const PAYING_CANCELLED: &str = "订单已取消，请重新下单";
/// The caller pays an order that has expired.
pub const PAYING_EXPIRED: &str = "订单已超时，请重新下单";

/// Why money that has arrived is not taken; payment refunds it with this as the reason.
pub const NO_ORDER: &str = "订单不存在";
pub const PAID_AFTER_END: &str = "付款到账时订单已结束";
pub const WRONG_AMOUNT: &str = "付款与订单不符";
pub const GRADE_NOT_SOLD: &str = "付款到账时该会员等级已不能购买";
pub const COUPON_RETURNED: &str = "优惠券已退还，付款金额不足";
