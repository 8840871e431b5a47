//! 12: free counts are given once a period, taken once, and never below zero.

use chassis::failpoint::Failure;
use chassis::testing::{eventually, shapes};
use futures::future::join_all;
use money::code_of;
use proto::code;
use proto::payment::v1::MemberFreeCount;
use sea_orm::ConnectionTrait;
use tonic::Status;
use xl_transaction::entity::{grant, listing};

use crate::auditor::{Fault, change, each_is_named, loss};
use crate::goods::{Mall, message_of};

/// Every step of a payment with counts.
const STEPS: &[&str] = &[
    "payment.attempt.created",
    "order.begin.before_commit",
    "order.begin.committed",
    "payment.begun",
    "payment.count.before_commit",
    "payment.count.committed",
    "order.paid.before_commit",
    "payment.release.before_commit",
    "transaction.granted.before_commit",
];

/// Cents for all memberships of a test.
const RICH: i64 = 1_000_000;

/// The full message with N.
fn short(left: i64) -> String {
    format!("您的免费次数为{left}，不足以抵扣此订单，请重新选择或直接支付")
}

fn refused(answer: Result<(), Status>, code: i32) -> String {
    let status = answer.unwrap_err();
    assert_eq!(code_of(&status), code, "{status}");
    message_of(&status)
}

impl Mall {
    async fn member(&self, user: &str, grade: &str) {
        // Granted once, whatever is bought.
        self.grant(user, RICH).await;
        let order = self.membership(user, grade).await.unwrap();
        self.buy(user, &order.order_id).await;
    }

    /// Models of the platform's own studio, comma-separated.
    async fn offers(&self, name: &str, count: usize) -> String {
        let mut ids = Vec::new();
        for at in 0..count {
            let id = format!("{name}{at}");
            self.offer(&id, "studio", 1_000).await;
            ids.push(id);
        }
        ids.join(",")
    }

    async fn right(&self, user: &str, right: &str) -> MemberFreeCount {
        let counts = self.free_counts(user).await;
        let found = counts.into_iter().find(|one| one.right == right);
        found.unwrap_or_else(|| panic!("{user} has no counts of {right}"))
    }

    async fn left(&self, user: &str) -> i64 {
        self.right(user, "mall").await.left
    }

    async fn delivered(&self, user: &str, order: &str) {
        eventually("the order is delivered", || async {
            (self.status(user, order).await == (1, true)).then_some(())
        })
        .await;
    }

    /// A member with this many counts left.
    async fn member_with(&self, user: &str, left: usize) {
        self.member(user, "1").await;
        let models = self.offers(&format!("{user}-used-"), 50 - left).await;
        let order = self.cart(user, &models, None).await.unwrap().order_id;
        self.pay_counts(user, &order).await.unwrap();
        self.delivered(user, &order).await;
        assert_eq!(self.left(user).await, left as i64);
    }
}

#[tokio::test]
async fn a_member_takes_models_by_counts_which_come_back_with_what_is_returned() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offers("m", 5).await;
        mall.offer("theirs", "maker", 1_000).await;
        // X300.
        assert!(mall.free_counts("u1").await.is_empty());
        let order = mall.order("u1", "m0").await.unwrap();
        assert_eq!(order.member_free_counts, 0);
        // P54: a user without membership has none.
        let text = refused(mall.pay_count("u1", &order.order_id).await, code::NO_FUNDS);
        assert_eq!(text, short(0));
        mall.member("u1", "1").await;
        let coins = mall.coins("u1").await;
        // PY013, GR036: the count is offered, and decreases by one.
        let info = mall.info("u1", &order.order_id).await;
        assert_eq!((info.member_free_counts, info.pay_able), (50, 1_000));
        assert_eq!(info.model_publisher_uploader_type, Some(1));
        mall.pay_count("u1", &order.order_id).await.unwrap();
        mall.delivered("u1", &order.order_id).await;
        assert_eq!(mall.left("u1").await, 49);
        let paid = mall.info("u1", &order.order_id).await;
        assert_eq!(
            (paid.pay_able, paid.pay_method.as_deref()),
            (0, Some("memberFree"))
        );
        let grant = grant::Entity::find_any().one(&mall.mall.db).await.unwrap();
        assert_eq!(grant.unwrap().way, grant::Way::MemberFree);
        let model = listing::Entity::find_any_by_id("m0").one(&mall.mall.db);
        assert_eq!(model.await.unwrap().unwrap().sold, 0);
        // A repeat takes nothing.
        refused(mall.pay_count("u1", &order.order_id).await, code::CONFLICT);
        // PY044, P55: a batch takes three; one by one it is not paid.
        let batch = mall.cart("u1", "m1,m2,m3", Some(3_000)).await.unwrap();
        assert_eq!(batch.member_free_counts, 49);
        refused(mall.pay_count("u1", &batch.order_id).await, code::CONFLICT);
        mall.pay_counts("u1", &batch.order_id).await.unwrap();
        mall.delivered("u1", &batch.order_id).await;
        assert_eq!(mall.left("u1").await, 46);
        assert_eq!(mall.coins("u1").await, coins);
        // PY042: a model whose maker must be paid is refused, also as one of several. A membership is no model.
        for models in ["theirs", "theirs,m4"] {
            let order = mall.cart("u1", models, None).await.unwrap();
            assert_eq!(order.member_free_counts, 0);
            refused(mall.pay_counts("u1", &order.order_id).await, code::CONFLICT);
            mall.cancel("u1", &order.order_id).await.unwrap();
        }
        let membership = mall.membership("u1", "2").await.unwrap();
        assert_eq!(membership.member_free_counts, 0);
        let answer = mall.pay_count("u1", &membership.order_id).await;
        refused(answer, code::CONFLICT);
        mall.cancel("u1", &membership.order_id).await.unwrap();
        let stranger = mall.pay_count("u2", &order.order_id).await;
        refused(stranger, code::NOT_FOUND);
        // A refund returns its count.
        let item = &batch.order_detail_list[0].id;
        mall.give_back("u1", &batch.order_id, item).await.unwrap();
        eventually("the count is back", || async {
            (mall.left("u1").await == 47).then_some(())
        })
        .await;
        eventually("the model is gone", || async {
            let things = mall.things("u1", &batch.order_id).await;
            let had = mall.grants("u1").await;
            (things == ["refunded", "granted", "granted"] && had[1] == "m1:returned").then_some(())
        })
        .await;
        let findings = mall.settle().await.unwrap();
        assert!(findings.is_empty(), "{shape:?}: {findings:?}");
        let faults = faults(&order.order_id, &batch.order_id, item);
        each_is_named(&mall.test, &faults, &format!("{shape:?}")).await;
    }
}

/// Faults of an order with one model and of one with three, of which one was refunded.
fn faults(one: &str, batch: &str, returned: &str) -> Vec<Fault> {
    let this = format!("order_id = '{one}' AND channel = 'memberFree' AND state = 'succeeded'");
    let booked = format!("book = 'count' AND key IN (SELECT id FROM attempt WHERE {this})");
    let first = "kind = 'quota'";
    vec![
        change(
            "payment",
            "order paid by another number of counts",
            "attempt",
            ["counts", "2", "1"],
            &this,
        ),
        change(
            "payment",
            "counts taken and not booked so",
            "attempt",
            ["counts", "0", "1"],
            &this,
        ),
        change(
            "payment",
            "counts booked for no payment",
            "attempt",
            ["channel", "'cloudCoin'", "'memberFree'"],
            &format!("order_id = '{one}' AND state = 'succeeded'"),
        ),
        loss(
            "payment",
            "counts not given back",
            "ledger_transaction",
            "book = 'uncount'",
        ),
        change(
            "order",
            "counts given back for nothing",
            "purchase_item",
            ["state", "'granted'", "'refunded'"],
            &format!("id = '{returned}'"),
        ),
        change(
            "payment",
            "counts given and used do not add up",
            "account",
            ["posted", "posted - 1", "posted + 1"],
            first,
        ),
        change(
            "personal",
            "counts given beyond the membership",
            "term",
            ["mall_counts", "49", "50"],
            "mall_counts IS NOT NULL",
        ),
        change(
            "payment",
            "account in the wrong unit",
            "account",
            ["unit", "'CNY'", "'COUNT'"],
            first,
        ),
        change(
            "payment",
            "transaction of two units",
            "account",
            ["unit", "'CNY'", "'COUNT'"],
            "kind = 'used'",
        ),
        change(
            "order",
            "price differs from amount and coupon",
            "purchase",
            ["payable", "3000", "0"],
            &format!("id = '{batch}'"),
        ),
        loss(
            "payment",
            "counts taken and not booked so",
            "ledger_transaction",
            &booked,
        ),
    ]
}

/// 12: 64 concurrent payments for the last one.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_12_sixty_four_want_the_last_count() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        // GR013: the fifty-first of the month is not paid.
        mall.member_with("u1", 1).await;
        mall.offers("m", 64).await;
        let mut orders = Vec::new();
        for at in 0..64 {
            orders.push(mall.order("u1", &format!("m{at}")).await.unwrap().order_id);
        }
        let paid = join_all(orders.iter().map(|order| mall.pay_count("u1", order))).await;
        let taken = paid.iter().filter(|one| one.is_ok()).count();
        assert_eq!(taken, 1, "{shape:?}");
        let without = paid.iter().filter_map(|one| one.as_ref().err());
        assert!(
            without.map(message_of).all(|text| text == short(0)),
            "{shape:?}"
        );
        assert_eq!(mall.left("u1").await, 0);
        // Such an order keeps its price, and can be paid.
        let refused = paid.iter().position(Result::is_err).unwrap();
        let open = mall.info("u1", &orders[refused]).await;
        let reply = (open.status, open.pay_able, open.member_free_counts);
        assert_eq!(reply, (0, 1_000, 0));
        mall.test.sound(shape).await;
    }
}

/// PY037, PY041: three paid models and three free ones, with one count left: all three, or none.
#[tokio::test]
async fn invariant_12_a_batch_takes_all_its_counts_or_none() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.member_with("u1", 1).await;
        let mut models = mall.offers("m", 3).await;
        for at in 0..3 {
            let id = format!("free{at}");
            mall.offer(&id, "studio", 0).await;
            models = format!("{models},{id}");
        }
        // Free models are not in the order (60212).
        let order = mall.cart("u1", &models, Some(3_000)).await.unwrap();
        assert_eq!(order.order_detail_list.len(), 3);
        assert!(order.note.contains("免费"), "{}", order.note);
        let text = refused(mall.pay_counts("u1", &order.order_id).await, code::NO_FUNDS);
        assert_eq!(text, short(1));
        assert_eq!(mall.left("u1").await, 1);
        let open = mall.info("u1", &order.order_id).await;
        assert_eq!((open.status, open.pay_able), (0, 3_000));
        mall.test.sound(shape).await;
    }
}

/// ML003, AM030: a month ends at midnight in China. An upgrade adds the difference of the grades; a renewal adds nothing.
#[tokio::test]
async fn invariant_12_counts_are_given_once_a_month() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offers("m", 4).await;
        mall.member("u1", "1").await;
        let take = async |model: &str| {
            let order = mall.order("u1", model).await.unwrap().order_id;
            mall.pay_count("u1", &order).await.unwrap();
            mall.delivered("u1", &order).await;
        };
        take("m0").await;
        let right = mall.right("u1", "mall").await;
        assert_eq!((right.total, right.left), (50, 49));
        assert_eq!(right.renew_time, Some(right.end_time));
        // The exact millisecond is tested in `counts`; here there is margin for a slow machine.
        let clock = &mall.test.world.parts.clock;
        clock.advance_ms(right.end_time - clock.now_ms() - 300_000);
        take("m1").await;
        assert_eq!(mall.left("u1").await, 48);
        clock.advance_ms(right.end_time - clock.now_ms() + 1_000);
        assert_eq!(mall.left("u1").await, 50);
        take("m2").await;
        assert_eq!(mall.left("u1").await, 49);
        // 150 a month, one of them already taken.
        mall.member("u1", "2").await;
        let right = mall.right("u1", "mall").await;
        assert_eq!((right.total, right.left), (150, 149));
        take("m3").await;
        mall.member("u1", "2").await;
        assert_eq!(mall.left("u1").await, 148);
        // Per year, by the current grade; the professional ones are unlimited (AM028).
        let yearly = mall.right("u1", "lightweight").await;
        assert_eq!((yearly.total, yearly.left), (720, 720));
        mall.member("u1", "3").await;
        for right in ["lightweight", "conversion", "offline"] {
            let yearly = mall.right("u1", right).await;
            assert_eq!(
                (yearly.total, yearly.left, yearly.period.as_str()),
                (-1, -1, "year")
            );
        }
        assert_eq!(mall.left("u1").await, 498);
        mall.test.sound(shape).await;
    }
}

/// PY038: unlimited counts are not counted.
#[tokio::test]
async fn invariant_12_unlimited_counts_stay_unlimited() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offers("m", 2).await;
        mall.member("u1", "3").await;
        let personal = &mall.contexts.personal.db;
        let sql = "UPDATE term SET mall_counts = -1";
        personal.execute_unprepared(sql).await.unwrap();
        let order = mall.cart("u1", "m0,m1", None).await.unwrap();
        assert_eq!(order.member_free_counts, -1);
        mall.pay_counts("u1", &order.order_id).await.unwrap();
        mall.delivered("u1", &order.order_id).await;
        assert_eq!(mall.left("u1").await, -1);
        let item = &order.order_detail_list[0].id;
        mall.give_back("u1", &order.order_id, item).await.unwrap();
        eventually("the model is gone", || async {
            (mall.grants("u1").await == ["m0:returned", "m1:active"]).then_some(())
        })
        .await;
        mall.test.sound(shape).await;
    }
}

/// 7 and 12: each step fails, and in the end each order has taken one count.
#[tokio::test]
async fn invariant_12_each_step_of_a_payment_with_counts_may_fail() {
    for shape in shapes() {
        let mall = Mall::start_hurried(shape, money::hurry_after_faults).await;
        mall.test.parts.clock.run();
        mall.member("u1", "1").await;
        mall.offers("m", STEPS.len()).await;
        for (at, step) in STEPS.iter().enumerate() {
            let order = mall.order("u1", &format!("m{at}")).await.unwrap().order_id;
            let fail = &mall.test.world.parts.fail;
            fail.arm(step, Failure::Error, 2);
            eventually("the order is paid", || async {
                let _ = mall.pay_count("u1", &order).await;
                (mall.status("u1", &order).await.0 == 1).then_some(())
            })
            .await;
            fail.arm(step, Failure::Error, 0);
            mall.delivered("u1", &order).await;
        }
        assert_eq!(mall.left("u1").await, 50 - STEPS.len() as i64);
        mall.test.sound(shape).await;
    }
}

/// Counts of an order that was cancelled while they were taken are returned.
#[tokio::test]
async fn invariant_12_counts_for_an_order_that_does_not_take_them_go_back() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.test.parts.clock.run();
        mall.member("u1", "1").await;
        mall.offers("m", 1).await;
        let order = mall.order("u1", "m0").await.unwrap().order_id;
        // Ended during the payment, before the order is notified.
        let fail = &mall.test.world.parts.fail;
        fail.arm("order.paid.before_commit", Failure::Error, 100_000);
        mall.pay_count("u1", &order).await.unwrap();
        let sql =
            format!("UPDATE purchase SET state = 'cancelled', ended_at = 1 WHERE id = '{order}'");
        mall.contexts
            .order
            .db
            .execute_unprepared(&sql)
            .await
            .unwrap();
        // The return happens once, however often it is started.
        fail.arm("payment.return.before_commit", Failure::Error, 2);
        fail.arm("order.paid.before_commit", Failure::Error, 0);
        eventually("the count is back", || async {
            (mall.left("u1").await == 50).then_some(())
        })
        .await;
        mall.test.sound(shape).await;
    }
}
