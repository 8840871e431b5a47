//! Unmatched money is kept until an operator has decided, and refunds that a channel does not make are ended by hand.

use chassis::testing::{eventually, shapes};
use money::bank::{Faults, signed};
use xl_payment::entity::refund::State;
use xl_payment::owed::Back;

use crate::operators::decision;
use crate::support::Test;

const RULE: &str = "notice that fits nothing";

async fn open(test: &Test) -> Vec<String> {
    let open = test.payments.misfits(false, 100).await.unwrap();
    open.into_iter().map(|misfit| misfit.why).collect()
}

#[tokio::test]
async fn what_no_state_takes_is_a_row_until_somebody_ends_it() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        // For an attempt that has ended: a wrong amount.
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let closed = test.pay_outside("u1", &order).await.unwrap();
        test.cancel("u1", &order).await.unwrap();
        test.becomes("u1", &order, 2).await;
        for _ in 0..3 {
            let wrong = signed(&closed, 9_899);
            test.payments.notified("wechat", &wrong).await.unwrap();
        }
        let why = open(&test).await;
        assert_eq!(why.len(), 1, "{why:?}");
        assert!(why[0].contains("9899 of 29900"), "{why:?}");
        // A second notice, with an amount other than the booked one.
        let order = test.recharge("u1", 9_900).await.unwrap().order_id;
        let paid = test.pay_outside("u1", &order).await.unwrap();
        assert!(test.bank.pay(&paid));
        for message in [test.bank.message(&paid), signed(&paid, 9_899)] {
            test.payments.notified("wechat", &message).await.unwrap();
        }
        // For an unknown payment: it is refused as before, and kept.
        let strange = signed("stranger", 5);
        assert!(test.payments.notified("wechat", &strange).await.is_err());
        assert_eq!(open(&test).await.len(), 3);
        test.becomes("u1", &order, 1).await;
        let found = test.settle().await.unwrap();
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.iter().all(|line| line.starts_with(RULE)), "{found:?}");
        let shown = test.payments.show(&closed).await.unwrap();
        assert_eq!(shown.notices.len(), 1);
        assert!(shown.notices[0].body.contains("9899"));

        let nothing = decision("nothing");
        assert!(test.payments.end_misfit(&nothing).await.is_err());
        for misfit in test.payments.misfits(false, 10).await.unwrap() {
            let decision = decision(&misfit.id);
            test.payments.end_misfit(&decision).await.unwrap();
            assert!(test.payments.end_misfit(&decision).await.is_err());
        }
        let ended = test.payments.misfits(true, 10).await.unwrap();
        assert!(
            ended
                .iter()
                .all(|m| m.ended_by == "wang" && !m.note.is_empty())
        );
        assert_eq!((ended.len(), open(&test).await.len()), (3, 0));
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn a_refund_that_the_channel_refuses_is_listed_and_ended_by_hand() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.bank.misbehave(Faults {
            refuse_refunds: true,
            ..Default::default()
        });
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let number = test.pay_outside("u1", &order).await.unwrap();
        test.cancel("u1", &order).await.unwrap();
        test.becomes("u1", &order, 2).await;
        let late = signed(&number, 29_900);
        test.payments.notified("wechat", &late).await.unwrap();
        let refund = eventually("the refusal is known", || async {
            let listed = test
                .payments
                .refunds_in(&[State::Unknown], 10)
                .await
                .unwrap();
            listed.into_iter().find(|refund| !refund.told.is_empty())
        })
        .await;
        assert!(refund.told.contains("account is closed"), "{}", refund.told);
        let by_hand = decision(&refund.id);
        eventually("it is ended between two questions", || async {
            let ended = test.payments.end_refund(&by_hand, Back::Coins);
            ended.await.ok()
        })
        .await;
        assert_eq!(test.coins("u1").await, 29_900, "{shape:?}");
        let again = test.payments.end_refund(&by_hand, Back::Coins);
        assert!(again.await.is_err());
        assert!(
            test.payments
                .refunds_in(&State::OPEN, 10)
                .await
                .unwrap()
                .is_empty()
        );
        test.sound(shape).await;
    }
}
