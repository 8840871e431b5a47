//! 9: a coupon is in at most one live reservation; reserved becomes consumed or released.

use chassis::testing::{eventually, shapes};
use futures::future::join_all;
use money::{World, code_of};
use proto::code;
use sea_orm::ConnectionTrait;
use tonic::Status;

use crate::support::Test;

/// CP001 to CP004: thirty, a hundred and two hundred yuan, each with its minimum, for thirty days.
#[tokio::test]
async fn the_gift_is_received_once() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let asked = join_all((0..8).map(|_| test.gift("u1"))).await;
        let received: Vec<_> = asked.iter().filter_map(|one| one.as_ref().ok()).collect();
        assert_eq!(received.len(), 1, "{shape:?}");
        let figures: Vec<(i64, i64)> = received[0]
            .iter()
            .map(|coupon| (coupon.face_value, coupon.min_amount))
            .collect();
        assert_eq!(
            figures,
            [(3_000, 29_900), (10_000, 69_900), (20_000, 169_900)]
        );
        assert!(
            received[0]
                .iter()
                .all(|c| c.expire_time - c.receive_time == 30 * 86_400_000)
        );
        let account = test.account("u1").await.unwrap();
        assert_eq!(
            (account.coupon_count, account.expiring_coupon_count),
            (3, 0)
        );
        test.later(24 * 24 * 60);
        assert_eq!(test.account("u1").await.unwrap().expiring_coupon_count, 3);
        test.later(7 * 24 * 60);
        assert_eq!(test.account("u1").await.unwrap().coupon_count, 0);
        test.sound(shape).await;
    }
}

/// CP025, AM041: only the accepted submit gets the coupon.
#[tokio::test]
async fn invariant_9_one_coupon_serves_one_of_two_orders() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 1_000_000).await;
        let coupon = test.gift("u1").await.unwrap()[0].coupon_id.clone();
        let mut orders = Vec::new();
        for _ in 0..6 {
            orders.push(test.membership("u1", "1").await.unwrap().order_id);
        }
        let paid = join_all(orders.iter().map(|o| test.pay_coins("u1", o, &coupon))).await;
        let paid = paid.iter().filter(|one| one.is_ok()).count();
        assert_eq!(paid, 1, "{shape:?}");
        assert_eq!(test.coins("u1").await, 1_000_000 - 26_900);
        test.sound(shape).await;
    }
}

/// CP005: for memberships only. AM039, CP023: by coin if its kind says so or if nothing remains to pay. PY014: then no money moves.
#[tokio::test]
async fn a_coupon_names_what_it_pays_for_and_how() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let coupon = test.gift("u1").await.unwrap()[0].coupon_id.clone();
        // More expensive than the coupon's minimum.
        let package = test.package("u1", "storage-500").await.unwrap().order_id;
        let refused = test.pay_coins("u1", &package, &coupon).await.unwrap_err();
        assert_eq!(message_of(&refused), "该优惠券不能用于此订单");

        let order = test.membership("u1", "1").await.unwrap().order_id;
        let coins_only = "使用该优惠券的订单请用云币支付";
        assert_eq!(
            message_of(&by_wechat(&test, &order, &coupon).await),
            coins_only
        );
        let all_off = format!(
            "UPDATE coupon SET sys_type = 0, kind = 2, face_value = 29900 WHERE id = '{coupon}'"
        );
        let db = &test.contexts.order.db;
        db.execute_unprepared(&all_off).await.unwrap();
        assert_eq!(
            message_of(&by_wechat(&test, &order, &coupon).await),
            coins_only
        );
        assert_eq!(test.coins("u1").await, 0);
        test.pay_coins("u1", &order, &coupon).await.unwrap();
        test.becomes("u1", &order, 1).await;
        assert_eq!(test.coins("u1").await, 0);
        test.sound(shape).await;
    }
}

async fn by_wechat(test: &Test, order: &str, coupon: &str) -> Status {
    let request = test.payment_call("u1", World::pay_request(order, coupon));
    let asked = test.payment_api().weixin_pay(request).await;
    asked.expect_err("a code to pay by")
}

/// The message of a refusal.
fn message_of(status: &Status) -> String {
    let refused = chassis::error::business_error(status);
    refused.map(|reply| reply.message).unwrap_or_default()
}

/// CP025, CP026.
#[tokio::test]
async fn a_coupon_comes_back_after_thirty_minutes_and_at_once_when_cancelled() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        // Its coupon is released a minute earlier: a sweep that released it has checked the other one too.
        let earlier = test.gift("u2").await.unwrap()[0].coupon_id.clone();
        let order = test.membership("u2", "1").await.unwrap().order_id;
        let failed = test.pay_coins("u2", &order, &earlier).await.unwrap_err();
        assert_eq!(code_of(&failed), code::NO_FUNDS);
        test.later(1);
        let coupon = test.gift("u1").await.unwrap()[0].coupon_id.clone();
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let other = test.membership("u1", "1").await.unwrap().order_id;
        let failed = test.pay_coins("u1", &order, &coupon).await.unwrap_err();
        assert_eq!(code_of(&failed), code::NO_FUNDS);
        assert!(test.settle().await.unwrap().is_empty());
        assert!(!test.usable("u1").await.contains(&coupon));
        let elsewhere = test.pay_coins("u1", &other, &coupon).await.unwrap_err();
        assert_eq!(code_of(&elsewhere), code::CONFLICT);
        test.later(29);
        eventually("the earlier coupon is back", || async {
            test.usable("u2").await.contains(&earlier).then_some(())
        })
        .await;
        assert!(!test.usable("u1").await.contains(&coupon));
        test.later(1);
        eventually("the coupon is back", || async {
            test.usable("u1").await.contains(&coupon).then_some(())
        })
        .await;
        test.sound(shape).await;
    }
}
