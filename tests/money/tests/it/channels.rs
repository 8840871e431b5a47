//! The invariants again, through the protocols of Alipay and WeChat Pay, against the sandbox over HTTP.

use chassis::testing::{eventually, shapes};
use futures::future::join_all;
use serde_json::{Value, json};
use xl_payment::provider::{ProviderError, RefundStatus, RefundTicket};

use crate::till::{PRICE, Till};

const BOTH: [&str; 2] = ["alipay", "wechat"];

/// A new user's purchase: form, cashier, button, and back to the site.
#[tokio::test(flavor = "multi_thread")]
async fn a_person_pays_with_clicks() {
    for shape in shapes() {
        let till = Till::start(shape).await;
        let order = till.membership("u1", "1").await.unwrap().order_id;
        let refused = till
            .pay_by_form("u1", &order, "https://evil.example/")
            .await;
        let reply = chassis::error::business_error(&refused.unwrap_err()).unwrap();
        assert!(reply.message.contains("本站"), "{}", reply.message);
        let back = format!("{}/workbench?isPay=1", till.site);
        let form = till.pay_by_form("u1", &order, &back).await.unwrap();
        let cashier = format!("{}{}", till.sandbox, till.submit(&form).await);
        let page = till
            .http
            .get(&cashier)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        assert!(
            page.contains("299.00") && page.contains("确认付款"),
            "{page}"
        );
        let code = cashier.split_once("no=").unwrap().1;
        let press = [("no", code), ("act", "pay")];
        let address = format!("{}/alipay/cashier", till.sandbox);
        let paid = till.http.post(&address).form(&press).send().await.unwrap();
        let paid = paid.text().await.unwrap();
        assert!(
            paid.contains("url=http") && paid.contains("isPay=1&amp;"),
            "{paid}"
        );
        till.becomes("u1", &order, 1).await;

        let order = till.membership("u2", "1").await.unwrap().order_id;
        let code = till.pay_outside("u2", &order).await.unwrap();
        let pr = code.split_once("pr=").unwrap().1;
        let phone = format!("{}/wechat/phone", till.sandbox);
        let list = till
            .http
            .get(&phone)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        assert!(list.contains(pr), "{list}");
        let decide = |act: &'static str| {
            till.http
                .post(&phone)
                .form(&[("pr", pr), ("act", act)])
                .send()
        };
        let declined = decide("decline").await.unwrap().text().await.unwrap();
        assert!(declined.contains("拒绝"));
        assert_eq!(till.status("u2", &order).await.0, 0);
        decide("pay").await.unwrap();
        till.becomes("u2", &order, 1).await;
        till.sound(shape).await;
    }
}

/// 3: Alipay, WeChat and coins at once: one settles, the others are refunded automatically.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_3_three_ways_to_pay_one_order() {
    for shape in shapes() {
        let till = Till::start(shape).await;
        till.grant("u1", 1_000_000).await;
        for _ in 0..3 {
            let order = till.membership("u1", "1").await.unwrap().order_id;
            let mut numbers = Vec::new();
            for channel in BOTH {
                numbers.push((channel, till.begin(channel, "u1", &order).await));
            }
            let outside = numbers
                .iter()
                .map(|(channel, number)| till.press(channel, number));
            let (_, coins) = tokio::join!(join_all(outside), till.pay_coins("u1", &order, ""));
            till.becomes("u1", &order, 1).await;
            drop(coins);
        }
        eventually("what was paid twice is given back", || async {
            let spent = 1_000_000 - till.coins("u1").await;
            (spent + till.kept().await == 3 * PRICE).then_some(())
        })
        .await;
        till.sound(shape).await;
    }
}

/// 5: repeated, concurrent, reordered, before the response, and 25 hours late: one effect.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_5_a_notification_has_one_effect() {
    for shape in shapes() {
        // Results come by notification only.
        let till = Till::start_asking(shape, 3600).await;
        for channel in BOTH {
            for faults in [
                json!({"repeat": 6, "reorder": true}),
                json!({"repeat": 1, "early": true}),
            ] {
                till.misbehave(channel, faults).await;
                let order = till.membership("u1", "1").await.unwrap().order_id;
                let number = till.begin(channel, "u1", &order).await;
                till.press(channel, &number).await;
                till.becomes("u1", &order, 1).await;
                let booked = format!(
                    "SELECT CAST(COUNT(*) AS TEXT) FROM ledger_transaction WHERE book = 'attempt' AND key = '{number}'"
                );
                assert_eq!(till.first(&booked).await.unwrap(), "1");
            }
        }
        let late = json!({"lateMs": 25 * 3_600_000});
        let mut numbers = Vec::new();
        for channel in BOTH {
            till.misbehave(channel, late.clone()).await;
            let order = till.membership("u1", "1").await.unwrap().order_id;
            let number = till.begin(channel, "u1", &order).await;
            assert!(till.press(channel, &number).await);
            numbers.push((order, number));
        }
        // Their window ends; closing finds them paid.
        till.later(31);
        for (order, _) in &numbers {
            till.becomes("u1", order, 1).await;
        }
        till.later(25 * 60);
        till.told_all().await;
        for (order, number) in &numbers {
            assert_eq!(till.status("u1", order).await.0, 1);
            assert_eq!(till.state(number).await, "succeeded");
        }
        assert_eq!(till.kept().await, 6 * PRICE);
        till.sound(shape).await;
    }
}

/// 5: committed, but the response is lost: the provider sends again, and nothing happens twice.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_5_an_answer_lost_after_the_commit() {
    for shape in shapes() {
        let till = Till::start_asking(shape, 3600).await;
        // A provider retries after a delay.
        till.parts.parts.clock.run();
        for channel in BOTH {
            for step in ["payment.capture.before_commit", "payment.capture.committed"] {
                let order = till.membership("u1", "1").await.unwrap().order_id;
                let number = till.begin(channel, "u1", &order).await;
                till.parts
                    .parts
                    .fail
                    .arm(step, chassis::failpoint::Failure::Error, 1);
                assert!(till.press(channel, &number).await);
                till.becomes("u1", &order, 1).await;
                assert_eq!(till.parts.parts.fail.left(step), 0);
            }
        }
        assert_eq!(till.kept().await, 4 * PRICE);
        till.sound(shape).await;
    }
}

/// 6: every field with our identity or the money, changed under a valid signature, is left to an operator.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_6_each_field_is_bound() {
    for shape in shapes() {
        let till = Till::start_asking(shape, 3600).await;
        for (channel, faults) in [
            ("alipay", json!({"wrongAmount": 1})),
            ("alipay", json!({"wrongApp": true})),
            ("alipay", json!({"wrongMerchant": true})),
            ("wechat", json!({"wrongAmount": 2_990_000})),
            ("wechat", json!({"wrongApp": true})),
            ("wechat", json!({"wrongMerchant": true})),
            ("wechat", json!({"wrongCurrency": true})),
        ] {
            till.misbehave(channel, faults.clone()).await;
            let order = till.membership("u1", "1").await.unwrap().order_id;
            let number = till.begin(channel, "u1", &order).await;
            assert!(till.press(channel, &number).await);
            till.reaches(&number, "conflicted").await;
            assert_eq!(till.status("u1", &order).await.0, 0, "{channel} {faults}");
        }
        assert_eq!(till.profile("u1").await.member_status, None);
        assert!(till.settle().await.unwrap().is_empty());
        till.parts.finish().await;
    }
}

/// 6: a notification with a wrong signature has no effect; the correct one afterwards counts.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_6_a_wrong_signature_is_not_heard() {
    for shape in shapes() {
        let till = Till::start_asking(shape, 3600).await;
        till.parts.parts.clock.run();
        for channel in BOTH {
            till.misbehave(channel, json!({"badSignature": true})).await;
            let order = till.membership("u1", "1").await.unwrap().order_id;
            let number = till.begin(channel, "u1", &order).await;
            assert!(till.press(channel, &number).await);
            till.told_in_vain(&number).await;
            assert_eq!(till.state(&number).await, "submitted");
            till.misbehave_with(channel, &number, json!({})).await;
            till.becomes("u1", &order, 1).await;
        }
        for (channel, said) in [("alipay", "fail"), ("wechat", "\"code\":\"FAIL\"")] {
            let url = format!("{}/api-payment/notify/{channel}", till.site);
            for body in [&b""[..], b"a=1", b"{}", &[0xff; 4000]] {
                let request = till.http.post(&url).body(body.to_vec());
                let answer = request
                    .header("wechatpay-serial", "x")
                    .send()
                    .await
                    .unwrap();
                assert_eq!(answer.status(), 400);
                assert!(answer.text().await.unwrap().contains(said));
            }
            let large = till
                .http
                .post(&url)
                .body(vec![b'a'; 70_000])
                .send()
                .await
                .unwrap();
            assert_eq!(large.status(), 400);
        }
        let url = format!("{}/api-payment/notify/cloudCoin", till.site);
        assert_eq!(till.http.post(url).send().await.unwrap().status(), 404);
        till.sound(shape).await;
    }
}

/// 10: paid during closing; and close, query, then expire.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_10_the_window_at_the_channels() {
    for shape in shapes() {
        let till = Till::start(shape).await;
        let mut paid = Vec::new();
        for channel in BOTH {
            till.misbehave(channel, json!({"paidOnClose": true, "mute": true}))
                .await;
            let order = till.membership("u1", "1").await.unwrap().order_id;
            till.begin(channel, "u1", &order).await;
            paid.push(order);
        }
        let mut unpaid = Vec::new();
        for channel in BOTH {
            let order = till.membership("u1", "1").await.unwrap().order_id;
            till.begin(channel, "u1", &order).await;
            unpaid.push((channel, till.number(&order, channel).await, order));
        }
        let unopened = till.membership("u1", "1").await.unwrap().order_id;
        let form = till.pay_by_form("u1", &unopened, "").await.unwrap();
        for order in &paid {
            let _ = till.cancel("u1", order).await;
            till.becomes("u1", order, 1).await;
        }
        till.later(31);
        for (channel, number, order) in &unpaid {
            till.becomes("u1", order, 3).await;
            assert!(!till.press(channel, number).await);
        }
        // Alipay does not know it, so the request could still be in flight; it ends after a grace period.
        assert_eq!(till.status("u1", &unopened).await.0, 4);
        let said = till.submit(&form).await;
        assert!(said.contains("超时"), "{said}");
        till.later(6);
        till.becomes("u1", &unopened, 3).await;
        assert_eq!(till.kept().await, 2 * PRICE);
        till.sound(shape).await;
    }
}

/// 11: responses about refunds are lost, requests are not received: each is refunded once.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_11_a_refund_survives_lost_answers() {
    for shape in shapes() {
        let till = Till::start(shape).await;
        till.parts.parts.clock.run();
        till.grant("u1", PRICE).await;
        let order = till.membership("u1", "1").await.unwrap().order_id;
        // Paid at the moment when the coin payment closes it.
        let faults = json!({"mute": true, "paidOnClose": true, "silent": ["refund"],
            "lose": ["query", "refund", "refund", "queryRefund", "queryRefund"]});
        for channel in BOTH {
            till.misbehave(channel, faults.clone()).await;
            till.begin(channel, "u1", &order).await;
        }
        till.pay_coins("u1", &order, "").await.unwrap();
        eventually("both are given back", || async {
            let refunds = till.books().await["refunds"].as_array().unwrap().len();
            (refunds == 2 && till.kept().await == 0).then_some(())
        })
        .await;
        till.later(1);
        assert!(till.settle().await.unwrap().is_empty());
        let books = till.books().await;
        assert_eq!(books["refunds"].as_array().unwrap().len(), 2, "{books}");
        till.sound(shape).await;
    }
}

/// 11: the same refund many times at once, and more than was paid.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_11_concurrent_refunds_at_the_channels() {
    let till = Till::start(shapes()[0]).await;
    for provider in xl_payment::providers(&till.contexts.payment).unwrap() {
        let channel = provider.name();
        let order = till.membership("u1", "1").await.unwrap().order_id;
        let number = till.begin(channel, "u1", &order).await;
        assert!(till.press(channel, &number).await);
        till.becomes("u1", &order, 1).await;
        let ticket = |key: &str, amount: i64| RefundTicket {
            number: format!("{key}{number}")[..32].to_owned(),
            payment: number.clone(),
            amount,
            total: PRICE,
            reason: "退款".to_owned(),
        };
        let half = ticket("a", PRICE / 2 + 1);
        assert_eq!(
            provider.query_refund(&half).await.unwrap(),
            RefundStatus::Missing
        );
        let at_once = join_all((0..8).map(|_| provider.refund(&half))).await;
        assert!(at_once.iter().all(Result::is_ok), "{channel} {at_once:?}");
        assert_eq!(
            provider.query_refund(&half).await.unwrap(),
            RefundStatus::Done
        );
        let other = provider.refund(&ticket("b", PRICE / 2)).await;
        assert!(
            matches!(other, Err(ProviderError::Refused(_))),
            "{channel} {other:?}"
        );
        let rest = ticket("c", PRICE / 2 - 1);
        provider.refund(&rest).await.unwrap();
        assert_eq!(
            provider.query_refund(&rest).await.unwrap(),
            RefundStatus::Done
        );
    }
    let books: Value = till.books().await;
    assert_eq!(books["refunds"].as_array().unwrap().len(), 4);
    assert_eq!(till.kept().await, 0);
    till.parts.finish().await;
}

/// The response to a new code is lost: another is requested, and the first is found by polling.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_code_is_asked_after() {
    for shape in shapes() {
        let till = Till::start(shape).await;
        till.misbehave("wechat", json!({"lose": ["create"], "mute": true}))
            .await;
        let order = till.membership("u1", "1").await.unwrap().order_id;
        assert!(till.pay_outside("u1", &order).await.is_err());
        let number = till.number(&order, "wechat").await;
        assert!(till.press("wechat", &number).await);
        till.becomes("u1", &order, 1).await;
        till.sound(shape).await;
    }
}
