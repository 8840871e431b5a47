//! Unmatched money is kept until an operator has decided, and refunds that a channel does not make are ended by hand.

use chassis::testing::{eventually, shapes};
use money::bank::{Faults, says, signed};
use xl_payment::entity::refund::State;
use xl_payment::misfit::Ending;
use xl_payment::operator::Verdict;
use xl_payment::owed::Back;

use crate::auditor::{each_is_named, loss};
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
        assert!(
            test.payments
                .end_misfit(&nothing, Ending::Nothing)
                .await
                .is_err()
        );
        for misfit in test.payments.misfits(false, 10).await.unwrap() {
            let decision = decision(&misfit.id);
            test.payments
                .end_misfit(&decision, Ending::Nothing)
                .await
                .unwrap();
            assert!(
                test.payments
                    .end_misfit(&decision, Ending::Nothing)
                    .await
                    .is_err()
            );
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

async fn end(test: &Test, id: &str) {
    let decision = decision(id);
    let ended = test.payments.end_misfit(&decision, Ending::Nothing);
    ended.await.unwrap();
}

/// Notifies three times; the rows that it made.
async fn rows_of(test: &Test, number: &str, what: &str) -> Vec<String> {
    let before = open(test).await;
    for _ in 0..3 {
        let message = says(number, what);
        test.payments.notified("wechat", &message).await.unwrap();
    }
    let mut after = open(test).await;
    after.retain(|why| !before.contains(why));
    after
}

async fn code(test: &Test, order: &str) -> String {
    test.pay_outside("u1", order).await.unwrap()
}

/// An operator has ended a conflict by what the channel's books said; then the channel reports other money.
#[tokio::test]
async fn money_after_an_operators_decision_is_a_row() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        for booked in [0, 29_899] {
            let order = test.membership("u1", "1").await.unwrap().order_id;
            let number = code(&test, &order).await;
            assert_eq!(rows_of(&test, &number, "29899").await.len(), 1);
            let verdict = Verdict::Return(booked);
            let settled = test.payments.settle(&decision(&number), verdict).await;
            settled.unwrap();
            // Known already, and decided.
            assert!(rows_of(&test, &number, "29899").await.is_empty());
            let why = rows_of(&test, &number, "29900").await;
            assert_eq!(why.len(), 1, "{shape:?} {why:?}");
            assert!(why[0].contains(&format!("booked {booked}")), "{why:?}");
            let shown = test.payments.show(&number).await.unwrap();
            assert_eq!(shown.attempt.captured, booked, "{shape:?}");
            test.cancel("u1", &order).await.unwrap();
            test.becomes("u1", &order, 2).await;
        }
        let found = test.settle().await.unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|line| line.starts_with(RULE)), "{found:?}");
        for misfit in test.payments.misfits(false, 10).await.unwrap() {
            end(&test, &misfit.id).await;
        }
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn what_contradicts_a_success_or_cannot_be_read_is_a_row() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let order = test.recharge("u1", 9_900).await.unwrap().order_id;
        let number = code(&test, &order).await;
        // It does not end the attempt.
        let why = rows_of(&test, &number, "TRADE_NEW").await;
        assert!(
            why.len() == 1 && why[0].contains("cannot be read"),
            "{why:?}"
        );
        assert!(test.bank.pay(&number));
        let right = test.bank.message(&number);
        test.payments.notified("wechat", &right).await.unwrap();
        test.becomes("u1", &order, 1).await;
        let why = rows_of(&test, &number, "closed").await;
        assert!(
            why.len() == 1 && why[0].contains("9900 cents were taken"),
            "{why:?}"
        );
        for refund in ["9900 r1:500", "- r2:500", "closed r3:9900", "9900 r4:?"] {
            let why = rows_of(&test, &number, refund).await;
            assert!(
                why.len() == 1 && why[0].contains("not ours"),
                "{refund}: {why:?}"
            );
        }
        for misfit in test.payments.misfits(false, 10).await.unwrap() {
            end(&test, &misfit.id).await;
        }

        assert_eq!(test.settle().await.unwrap(), [""; 0], "{shape:?}");
        // What we gave back ourselves is told in the same ways.
        let id = decision(&number);
        test.payments.refund(&id, "back1", 900).await.unwrap();
        assert!(rows_of(&test, &number, "9900 back1:900").await.is_empty());
        assert!(rows_of(&test, &number, "- back1:900").await.is_empty());
        assert_eq!(rows_of(&test, &number, "- back1:901").await.len(), 1);
        test.payments.refund(&id, "back2", 9_000).await.unwrap();
        assert!(
            rows_of(&test, &number, "closed back2:9900")
                .await
                .is_empty()
        );
        assert!(rows_of(&test, &number, "closed").await.is_empty());
        // A code that nobody paid is closed.
        let order = test.recharge("u1", 700).await.unwrap().order_id;
        let unpaid = code(&test, &order).await;
        assert!(rows_of(&test, &unpaid, "closed").await.is_empty());
        test.cancel("u1", &order).await.unwrap();
        let misfit = &test.payments.misfits(false, 10).await.unwrap()[0];
        end(&test, &misfit.id).await;
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

/// Sets when the next round asks for the refund.
async fn due(test: &Test, id: &str, at: i64) {
    use sea_orm::ConnectionTrait;
    let set = format!("UPDATE refund SET next_check_at = {at} WHERE id = '{id}'");
    let db = &test.contexts.payment.db;
    db.execute_unprepared(&set).await.unwrap();
}

#[tokio::test]
async fn a_refund_that_its_channel_never_concludes_is_ended_by_hand() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.bank.misbehave(Faults {
            pend_refunds: true,
            ..Default::default()
        });
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let number = test.pay_outside("u1", &order).await.unwrap();
        test.cancel("u1", &order).await.unwrap();
        test.becomes("u1", &order, 2).await;
        let late = signed(&number, 29_900);
        test.payments.notified("wechat", &late).await.unwrap();
        let submitted = || test.payments.refunds_in(&[State::Submitted], 10);
        let refund = eventually("the channel was asked", || async {
            submitted().await.unwrap().pop()
        })
        .await;
        let by_hand = decision(&refund.id);
        let now = test.parts.clock.now_ms();
        // A round has taken it and asks the channel: it could be given back twice.
        eventually("no other round has it", || async {
            due(&test, &refund.id, now + 1).await;
            let found = submitted().await.unwrap().pop().expect("the refund");
            (found.next_check_at == now + 1).then_some(())
        })
        .await;
        let refused = test.payments.end_refund(&by_hand, Back::Coins).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("being asked"), "{shape:?}: {refused}");
        assert_eq!(test.coins("u1").await, 0);
        // It waits for its next turn.
        due(&test, &refund.id, now + 3_600_000).await;
        let ended = test.payments.end_refund(&by_hand, Back::Coins).await;
        ended.unwrap();
        assert_eq!(test.coins("u1").await, 29_900, "{shape:?}");
        // Should the channel make it after all, it was given back twice.
        let told = format!("- {}:29900", refund.id);
        let why = rows_of(&test, &number, &told).await;
        assert!(why.len() == 1 && why[0].contains("coins"), "{why:?}");
        let misfit = &test.payments.misfits(false, 10).await.unwrap()[0];
        end(&test, &misfit.id).await;
        test.sound(shape).await;
    }
}

/// What the channel has taken beyond what is booked goes back once, with its row in the log.
#[tokio::test]
async fn a_notice_is_ended_with_money_that_goes_back() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let number = code(&test, &order).await;
        assert_eq!(rows_of(&test, &number, "29899").await.len(), 1);
        let verdict = Verdict::Return(100);
        let settled = test.payments.settle(&decision(&number), verdict).await;
        settled.unwrap();
        assert_eq!(rows_of(&test, &number, "29900").await.len(), 1);
        let strange = signed("stranger", 5);
        assert!(test.payments.notified("wechat", &strange).await.is_err());
        let waiting = test.membership("u1", "1").await.unwrap().order_id;
        let waiting = code(&test, &waiting).await;
        assert_eq!(rows_of(&test, &waiting, "TRADE_NEW").await.len(), 1);
        let listed = test.payments.misfits(false, 10).await.unwrap();
        let of = |number: &str| {
            let found = listed.iter().find(|misfit| misfit.number == number);
            decision(&found.expect("a notice").id)
        };
        for (subject, cents, why) in [
            (of("stranger"), 5, "no payment of ours"),
            (of(&waiting), 5, "has to end first"),
            (of(&number), 0, "cents"),
            (of(&number), -5, "cents"),
            (of(&number), i64::MAX, "cents"),
        ] {
            let refused = test.payments.end_misfit(&subject, Ending::Return(cents));
            let refused = refused.await.unwrap_err().to_string();
            assert!(refused.contains(why), "{shape:?}: {refused}");
        }
        assert_eq!(test.payments.misfits(false, 10).await.unwrap().len(), 3);
        for other in ["stranger", &waiting] {
            end(&test, &of(other).subject).await;
        }
        let back = of(&number);
        let ending = Ending::Return(29_800);
        let (one, two) = tokio::join!(
            test.payments.end_misfit(&back, ending),
            test.payments.end_misfit(&back, ending)
        );
        assert!(one.is_ok() != two.is_ok(), "{shape:?}: {one:?} {two:?}");
        // Known, and decided.
        assert!(rows_of(&test, &number, "29900").await.is_empty());
        eventually("it is given back", || async {
            (test.bank.kept() == -29_900).then_some(())
        })
        .await;
        let shown = test.payments.show(&number).await.unwrap();
        assert_eq!((shown.attempt.captured, shown.refunds.len()), (100, 2));
        let log: Vec<i64> = shown.log.iter().map(|row| row.amount).collect();
        assert_eq!(log, [100, 29_800], "{shape:?}");
        let logged = shown.log[1].misfit_id.as_deref();
        assert_eq!(logged, Some(back.subject.as_str()));
        test.later(31);
        assert_eq!(test.settle().await.unwrap(), [""; 0], "{shape:?}");
        assert_eq!(audited(&test).await, [""; 0], "{shape:?}");
        let key = &back.subject;
        let faults = [
            loss(
                "payment",
                "taken beyond a payment and not given back",
                "operator_log",
                &format!("refund_id = '{key}'"),
            ),
            loss(
                "payment",
                "given back for a notice and not taken",
                "ledger_transaction",
                &format!("book = 'misfit' AND key = '{key}'"),
            ),
            loss(
                "payment",
                "booked as refunded and not refunded",
                "refund",
                &format!("id = '{key}'"),
            ),
        ];
        each_is_named(&test, &faults, &format!("{shape:?}")).await;
        assert_eq!(audited(&test).await, [""; 0], "{shape:?}");
        let db = &test.contexts.payment.db;
        let wrong = format!("UPDATE refund SET amount = amount - 1 WHERE id = '{key}'");
        sea_orm::ConnectionTrait::execute_unprepared(db, &wrong)
            .await
            .unwrap();
        let found = audited(&test).await;
        assert!(found.iter().any(|line| line.contains(key)), "{found:?}");
    }
}

async fn audited(test: &Test) -> Vec<String> {
    let db = &test.contexts.payment.db;
    xl_payment::ledger::audit::findings(db).await.unwrap()
}
