//! A channel that does not respond delays only itself; settled or closed attempts are closed at once.

use std::time::{Duration, Instant};

use chassis::failpoint::Failure;
use chassis::testing::{HeldTable, eventually, shapes};
use futures::future::join_all;
use money::code_of;
use proto::code;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;

use crate::support::Test;
use crate::till::Till;

/// WeChat did not respond to the request for a code and never received it. The user has no such code, so the attempt ends with
/// its order and not with the window.
#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_its_channel_never_heard_of_ends_with_the_order() {
    for shape in shapes() {
        let till = Till::start(shape).await;
        till.misbehave("wechat", json!({"silent": ["create"]}))
            .await;
        let order = till.membership("u1", "1").await.unwrap().order_id;
        assert!(till.pay_outside("u1", &order).await.is_err());
        till.cancel("u1", &order).await.unwrap();
        eventually("the attempt is closed", || async {
            let open = "SELECT id FROM attempt WHERE state <> 'closed' LIMIT 1";
            till.first(open).await.is_none().then_some(())
        })
        .await;
        till.becomes("u1", &order, 2).await;
        till.sound(shape).await;
    }
}

/// Alipay receives requests and never responds, with twelve forms open.
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_channel_does_not_keep_the_other_waiting() {
    for shape in shapes() {
        let till = Till::start(shape).await;
        let operations = [["query"; 40], ["close"; 40]].concat();
        let silent = json!({"channel": "alipay", "times": 12, "faults": {"silent": operations}});
        assert_eq!(till.post("/api/misbehave", silent).await, 200);
        let mut forms = Vec::new();
        for _ in 0..12 {
            let order = till.membership("u1", "1").await.unwrap().order_id;
            let number = till.begin("alipay", "u1", &order).await;
            forms.push((order, number));
        }
        let without = till.membership("u2", "1").await.unwrap().order_id;

        // Its code is found paid when the coin payment closes it, and is refunded.
        till.grant("u3", 100_000).await;
        let order = till.membership("u3", "1").await.unwrap().order_id;
        till.misbehave("wechat", json!({"mute": true, "paidOnClose": true}))
            .await;
        till.begin("wechat", "u3", &order).await;
        let since = Instant::now();
        till.pay_coins("u3", &order, "").await.unwrap();
        eventually("WeChat gives the money back", || async {
            let refunds = till.books().await["refunds"].as_array().unwrap().len();
            (refunds == 1).then_some(())
        })
        .await;
        assert!(
            since.elapsed() < Duration::from_secs(8),
            "{:?}",
            since.elapsed()
        );

        let since = Instant::now();
        till.cancel("u1", &forms[0].0).await.unwrap();
        assert!(
            since.elapsed() < Duration::from_secs(2),
            "{:?}",
            since.elapsed()
        );
        assert_eq!(till.status("u1", &forms[0].0).await.0, 4);

        till.later(31);
        let since = Instant::now();
        till.becomes("u2", &without, 3).await;
        assert!(
            since.elapsed() < Duration::from_secs(8),
            "{:?}",
            since.elapsed()
        );

        // It responds again: the pending attempts end.
        for (_, number) in &forms {
            till.misbehave_with("alipay", number, json!({})).await;
        }
        till.later(10);
        eventually("every form is closed", || async {
            // Let the polling interval pass.
            till.later(1);
            let open =
                "SELECT id FROM attempt WHERE channel = 'alipay' AND state <> 'closed' LIMIT 1";
            till.first(open).await.is_none().then_some(())
        })
        .await;
        till.becomes("u1", &forms[0].0, 2).await;
        till.becomes("u1", &forms[1].0, 3).await;
        till.sound(shape).await;
    }
}

/// Only the settlement closes the code here.
#[tokio::test(flavor = "multi_thread")]
async fn a_settled_order_closes_its_other_codes_at_once() {
    for shape in shapes() {
        let till = Till::start_asking(shape, 3600).await;
        till.grant("u1", 100_000).await;
        let order = till.membership("u1", "1").await.unwrap().order_id;
        let number = till.begin("wechat", "u1", &order).await;
        till.pay_coins("u1", &order, "").await.unwrap();
        till.reaches(&number, "closed").await;
        assert!(!till.press("wechat", &number).await);
        assert_eq!(till.kept().await, 0);
        till.sound(shape).await;
    }
}

#[tokio::test]
async fn who_cancels_what_is_paid_is_told_so() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        // Failed steps are retried after a delay.
        test.parts.clock.run();
        test.grant("u1", 29_900).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        // The order does not know about the money yet.
        test.world
            .parts
            .fail
            .arm("order.paid.before_commit", Failure::Error, 3);
        test.pay_coins("u1", &order, "").await.unwrap();
        let refused = test.cancel("u1", &order).await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT, "{shape:?}");
        test.becomes("u1", &order, 1).await;
        test.sound(shape).await;
    }
}

/// A correct notice settles, whatever was reported before; an order with a conflict is closed once an operator has decided.
#[tokio::test]
async fn a_right_notice_after_a_wrong_one_settles() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let number = test.pay_outside("u1", &order).await.unwrap();
        let wrong = money::bank::signed(&number, 9_899);
        test.payments.notified("wechat", &wrong).await.unwrap();
        assert!(test.bank.pay(&number));
        let right = test.bank.message(&number);
        test.payments.notified("wechat", &right).await.unwrap();
        test.becomes("u1", &order, 1).await;
        let kept = test.payments.misfits(false, 10).await.unwrap();
        assert_eq!((kept.len(), kept[0].number.as_str()), (1, number.as_str()));
        test.payments
            .end_misfit(
                &crate::operators::decision(&kept[0].id),
                xl_payment::misfit::Ending::Nothing,
            )
            .await
            .unwrap();
        test.sound(shape).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_orders_wait_than_may_however_many_are_made_at_once() {
    for shape in shapes() {
        let limit = |settings: &mut chassis::Settings| settings.set("order", "pending_limit", 50);
        let test = Test::start_changed(shape, limit).await;
        let made = join_all((0..120).map(|_| test.recharge("u1", 100))).await;
        let refused = made.iter().filter_map(|made| made.as_ref().err());
        let codes: Vec<i32> = refused.map(code_of).collect();
        assert_eq!(codes, [code::QUOTA; 70], "{shape:?}");
        test.later(31);
        test.sound(shape).await;
    }
}

/// The rule which grade may be bought beside the current one is checked on payment, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_kept_order_for_a_grade_that_is_no_longer_sold_is_not_paid() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 1_000_000).await;
        let lowest = test.membership("u1", "1").await.unwrap().order_id;
        let first = test.membership("u1", "3").await.unwrap().order_id;
        let second = test.membership("u1", "3").await.unwrap().order_id;
        // Two at the same time: only one of them.
        let paid = tokio::join!(
            test.pay_coins("u1", &first, ""),
            test.pay_coins("u1", &second, "")
        );
        let paid = [paid.0, paid.1];
        let refused: Vec<i32> = paid
            .iter()
            .filter_map(|p| p.as_ref().err())
            .map(code_of)
            .collect();
        assert_eq!(refused, [code::CONFLICT], "{shape:?}");
        for order in [&lowest, &second, &first] {
            let refused = test.pay_coins("u1", order, "").await.unwrap_err();
            assert_eq!(code_of(&refused), code::CONFLICT);
        }
        let winner = if paid[0].is_ok() { &first } else { &second };
        test.becomes("u1", winner, 1).await;
        let refused = test.pay_outside("u1", &lowest).await.unwrap_err();
        let reply = chassis::error::business_error(&refused).unwrap();
        assert!(reply.message.contains("等级高于"), "{}", reply.message);
        assert_eq!(test.coins("u1").await, 1_000_000 - 169_900);
        test.later(31);
        test.sound(shape).await;
    }
}

/// The connection on which an attempt is worked on goes silent, and the queue of its channel has no other place.
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_database_does_not_keep_the_places_of_a_channel() {
    let started = Till::behind_proxy(|settings| {
        settings.set("payment", "channel_at_once", 1);
        settings.set("payment", "channel_wait_ms", 1_000);
    });
    let Some((till, proxy)) = started.await else {
        return;
    };
    // Only its queue learns that it is paid.
    till.misbehave("wechat", json!({"mute": true})).await;
    let order = till.membership("u1", "1").await.unwrap().order_id;
    let number = till.begin("wechat", "u1", &order).await;
    let past = till.parts.database("payment").await;
    let held = HeldTable::hold(&past, "settlement").await;
    till.parts.parts.clock.run();
    held.silence(&proxy, "SELECT").await;
    assert!(till.press("wechat", &number).await);
    eventually("the queue finds it paid", || async {
        let sql = format!("SELECT order_id FROM settlement WHERE order_id = '{order}'");
        let query = Statement::from_string(past.get_database_backend(), sql);
        past.query_one_raw(query).await.unwrap().map(|_| ())
    })
    .await;
}

/// Both codes began before either was paid. The money of the one that is not sold beside the other goes back.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_codes_for_grades_that_exclude_each_other_one_is_given_back() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        for (user, second, sold) in [("u1", "3", false), ("u2", "1", false), ("u3", "2", true)] {
            let mut codes = Vec::new();
            for grade in ["3", second] {
                let order = test.membership(user, grade).await.unwrap();
                let number = test.pay_outside(user, &order.order_id).await.unwrap();
                codes.push((order.order_id, number));
            }
            let kept = test.bank.kept();
            for (order, number) in &codes {
                assert!(test.bank.pay(number));
                let message = test.bank.message(number);
                test.payments.notified("wechat", &message).await.unwrap();
                if sold || *order == codes[0].0 {
                    test.becomes(user, order, 1).await;
                }
            }
            if sold {
                continue;
            }
            eventually("the second is given back", || async {
                (test.bank.kept() == kept + 169_900).then_some(())
            })
            .await;
            let (order, number) = &codes[1];
            assert_eq!(test.status(user, order).await.0, 0, "{shape:?}");
            let shown = test.payments.show(number).await.unwrap();
            assert_eq!(shown.refunds.len(), 1, "{shape:?}");
            assert!(shown.refunds[0].reason.contains("已不能购买"));
            assert_eq!(test.profile(user).await.remaining_days, Some(365));
        }
        test.later(31);
        test.sound(shape).await;
    }
}
