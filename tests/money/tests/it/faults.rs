//! 7: money is taken if and only if exactly one of delivered or refunded happens in the end, wherever a step fails.

use std::process::{Command, Stdio};

use chassis::failpoint::Failure;
use chassis::testing::shapes;
use money::bank::Faults;
use tempfile::TempDir;

use crate::support::Test;

/// Every step from the click to the delivery with coins.
pub const COIN_STEPS: &[&str] = &[
    "payment.attempt.created",
    "order.begin.before_commit",
    "order.begin.committed",
    "payment.begun",
    "payment.coin.before_commit",
    "payment.coin.committed",
    "order.paid.before_commit",
    "payment.release.before_commit",
    "personal.activated.before_commit",
];

/// The same through an outside channel.
pub const OUTSIDE_STEPS: &[&str] = &[
    "payment.attempt.created",
    "order.begin.committed",
    "payment.submitted",
    "payment.channel.created",
    "payment.capture.before_commit",
    "payment.capture.committed",
    "order.paid.before_commit",
    "payment.release.before_commit",
    "personal.activated.before_commit",
];

/// The additional steps of a payment with free counts.
const KILLED_COUNT_STEPS: &[&str] = &[
    "payment.count.before_commit",
    "payment.count.committed",
    "transaction.granted.before_commit",
];

/// Steps of an order that ends unpaid, but whose money still arrives.
const CLOSING_STEPS: &[&str] = &[
    "order.shut",
    "payment.channel.closed",
    "order.cleared",
    "order.ended.before_commit",
    "payment.capture.before_commit",
    "payment.capture.committed",
    "payment.refund.asked",
];

async fn pay_outside_until_paid(test: &Test, order: &str) {
    for _ in 0..100 {
        if test.status("u1", order).await.0 == 1 {
            return;
        }
        if let Ok(number) = test.pay_outside("u1", order).await
            && test.bank.pay(&number)
        {
            let message = test.bank.message(&number);
            // A failed response: the channel would send it again; here the janitor polls.
            let _ = test.payments.notified("wechat", &message).await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn invariant_7_each_step_of_a_payment_with_coins_may_fail() {
    for shape in shapes() {
        let test = Test::start_after_faults(shape).await;
        test.grant("u1", COIN_STEPS.len() as i64 * 29_900).await;
        for step in COIN_STEPS {
            let order = test.membership("u1", "1").await.unwrap().order_id;
            test.parts.fail.arm(step, Failure::Error, 2);
            for _ in 0..100 {
                if test.status("u1", &order).await.0 == 1 {
                    break;
                }
                let _ = test.pay_coins("u1", &order, "").await;
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            test.becomes("u1", &order, 1).await;
            // A failure of one of the steps after the payment suffices.
            test.parts.fail.arm(step, Failure::Error, 0);
            let findings = test.settle().await.unwrap();
            assert!(findings.is_empty(), "{shape:?} {step}: {findings:?}");
        }
        assert_eq!(test.coins("u1").await, 0, "{shape:?}");
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn invariant_7_each_step_of_a_payment_outside_may_fail() {
    for shape in shapes() {
        let test = Test::start_after_faults(shape).await;
        for step in OUTSIDE_STEPS {
            let order = test.membership("u1", "1").await.unwrap().order_id;
            test.parts.fail.arm(step, Failure::Error, 2);
            pay_outside_until_paid(&test, &order).await;
            test.becomes("u1", &order, 1).await;
            test.parts.fail.arm(step, Failure::Error, 0);
            let findings = test.settle().await.unwrap();
            assert!(findings.is_empty(), "{shape:?} {step}: {findings:?}");
        }
        // Remaining attempts are closed when their window ends; none of them keeps money.
        test.later(40);
        let paid = OUTSIDE_STEPS.len() as i64 * 29_900;
        chassis::testing::eventually("the rest is given back", || async {
            (test.bank.kept() == paid).then_some(())
        })
        .await;
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn invariant_7_each_step_of_closing_may_fail() {
    for shape in shapes() {
        let test = Test::start_after_faults(shape).await;
        for step in CLOSING_STEPS {
            let order = test.membership("u1", "1").await.unwrap().order_id;
            let number = test.pay_outside("u1", &order).await.unwrap();
            test.parts.fail.arm(step, Failure::Error, 1);
            let _ = test.cancel("u1", &order).await;
            test.becomes("u1", &order, 2).await;
            // The channel took it at the last moment.
            test.bank.misbehave(Faults {
                lose_refunded: 1,
                ..Default::default()
            });
            for _ in 0..4 {
                let message = money::bank::signed(&number, 29_900);
                let _ = test.payments.notified("wechat", &message).await;
            }
            let findings = test.settle().await.unwrap();
            assert!(findings.is_empty(), "{shape:?} {step}: {findings:?}");
            assert_eq!(test.parts.fail.left(step), 0, "{step} was not passed");
            assert_eq!(test.status("u1", &order).await.0, 2);
        }
        assert_eq!(test.bank.kept(), -(CLOSING_STEPS.len() as i64) * 29_900);
        test.sound(shape).await;
    }
}

/// The real process dies at each step, without notice, and is restarted on the data on the disk.
#[test]
fn invariant_7_killed_at_each_step_and_started_again() {
    let ways = [
        ("coins", COIN_STEPS, "sound 20100\n"),
        ("outside", OUTSIDE_STEPS, "sound 50000\n"),
        // The membership is paid with coins, the model with a count.
        ("counts", KILLED_COUNT_STEPS, "sound 20100\n"),
    ];
    for (way, steps, expected) in ways {
        for step in steps {
            let folder = TempDir::new().unwrap();
            let start = |fail: Option<String>| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_money-world"));
                command.arg(folder.path()).arg(way).stderr(Stdio::null());
                if let Some(fail) = fail {
                    command.env("XUANLAN_FAILPOINTS", fail);
                }
                command.output().unwrap()
            };
            let killed = start(Some(format!("{step}=abort")));
            assert!(!killed.status.success(), "{way} {step} was not passed");
            assert_eq!(killed.status.code(), None, "{way} {step}: ended by itself");
            let after = start(None);
            let said = String::from_utf8_lossy(&after.stdout).into_owned();
            assert!(after.status.success(), "{way} {step}: {said}");
            assert_eq!(said, expected, "{way} {step}");
        }
    }
}
