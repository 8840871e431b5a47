//! 10: the window of thirty minutes; close, query, then expire; late payments are refunded.

use chassis::testing::{eventually, shapes};
use money::bank::{Faults, signed};
use money::code_of;
use proto::code;

use crate::support::Test;

#[tokio::test]
async fn invariant_10_the_window_ends_on_the_servers_clock() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 100_000).await;
        let early = test.membership("u1", "1").await.unwrap().order_id;
        let late = test.membership("u1", "1").await.unwrap().order_id;
        test.later(29);
        test.pay_coins("u1", &early, "").await.unwrap();
        test.later(2);
        let refused = test.pay_coins("u1", &late, "").await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);
        test.becomes("u1", &late, 3).await;
        // Paid before it ended, whenever its order is notified.
        test.becomes("u1", &early, 1).await;
        test.later(-60);
        let refused = test.pay_coins("u1", &late, "").await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);
        assert_eq!(test.coins("u1").await, 70_100);
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn invariant_10_paid_while_it_is_being_closed() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        test.pay_outside("u1", &order).await.unwrap();
        test.bank.misbehave(Faults {
            paid_while_closing: true,
            ..Default::default()
        });
        test.later(31);
        test.becomes("u1", &order, 1).await;
        test.sound(shape).await;
    }
}

/// 5 and 10: hours after the order has expired, the channel reports that it was paid.
#[tokio::test]
async fn invariant_10_money_that_comes_late_is_given_back() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let number = test.pay_outside("u1", &order).await.unwrap();
        test.later(31);
        test.becomes("u1", &order, 3).await;
        test.later(25 * 60);
        test.bank.misbehave(Faults {
            lose_refunded: 1,
            ..Default::default()
        });
        for _ in 0..3 {
            let message = signed(&number, 29_900);
            test.payments.notified("wechat", &message).await.unwrap();
        }
        // In the bank's own books the trade stayed closed, and its money was refunded once.
        eventually("it is given back once", || async {
            (test.bank.kept() == -29_900).then_some(())
        })
        .await;
        assert_eq!(test.status("u1", &order).await.0, 3);
        test.sound(shape).await;
    }
}

/// 6: a wrong amount is left to an operator; a wrong signature has no effect.
#[tokio::test]
async fn invariant_6_a_lie_about_the_amount_settles_nothing() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let number = test.pay_outside("u1", &order).await.unwrap();
        let mut forged = signed(&number, 29_900);
        forged.headers.clear();
        assert!(test.payments.notified("wechat", &forged).await.is_err());
        assert!(
            test.payments
                .notified("alipay", &signed(&number, 29_900))
                .await
                .is_err()
        );
        assert!(
            test.payments
                .notified("wechat", &signed("unknown", 1))
                .await
                .is_err()
        );
        test.payments
            .notified("wechat", &signed(&number, 1))
            .await
            .unwrap();
        assert_eq!(test.status("u1", &order).await.0, 0);
        assert_eq!(test.profile("u1").await.member_status, None);
        // Money for an unknown payment is listed until an operator has decided.
        let open = test.payments.misfits(false, 10).await.unwrap();
        let stranger = open.iter().find(|misfit| misfit.number == "unknown");
        let decision = crate::operators::decision(&stranger.expect("a row").id);
        test.payments
            .end_misfit(&decision, xl_payment::misfit::Ending::Nothing)
            .await
            .unwrap();
        test.sound(shape).await;
    }
}

/// A lost response of the channel: the attempt is queried and found paid.
#[tokio::test]
async fn an_unknown_attempt_is_resolved_by_asking() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.bank.misbehave(Faults {
            lose_created: 1,
            ..Default::default()
        });
        let order = test.membership("u1", "1").await.unwrap().order_id;
        assert!(test.pay_outside("u1", &order).await.is_err());
        let number = test.pay_outside("u1", &order).await.unwrap();
        assert!(test.bank.pay(&number));
        // No notification arrives.
        test.later(1);
        test.becomes("u1", &order, 1).await;
        test.later(32);
        test.sound(shape).await;
    }
}
