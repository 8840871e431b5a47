//! Manual decisions of operators, and payments from a user's earnings.

use chassis::testing::shapes;
use money::bank::{Faults, signed};
use money::code_of;
use proto::code;
use sea_orm::{EntityTrait, Set};
use xl_payment::entity::account::Kind;
use xl_payment::entity::attempt::{Disposition, State};
use xl_payment::entity::ledger_transaction::Book;
use xl_payment::entity::statement;
use xl_payment::ledger::{self, Account, Posting};
use xl_payment::operator::{Decision, Verdict};

use crate::goods::Mall;
use crate::support::Test;

pub fn decision(attempt: &str) -> Decision {
    Decision {
        operator: "wang".to_owned(),
        subject: attempt.to_owned(),
        reason: "渠道账单已核对".to_owned(),
    }
}

/// A membership whose channel reports one cent too little.
async fn conflicted(test: &Test) -> (String, String) {
    let order = test.membership("u1", "1").await.unwrap().order_id;
    let number = test.pay_outside("u1", &order).await.unwrap();
    let lie = signed(&number, 29_899);
    test.payments.notified("wechat", &lie).await.unwrap();
    let found = test
        .payments
        .attempts_in(&[State::Conflicted], 10)
        .await
        .unwrap();
    assert!(found.iter().any(|attempt| attempt.id == number));
    (order, number)
}

async fn left_in_conflict(test: &Test) -> usize {
    let found = test.payments.attempts_in(&[State::Conflicted], 10).await;
    found.unwrap().len()
}

#[tokio::test]
async fn a_conflict_is_accepted_returned_or_closed_by_a_person() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let (order, number) = conflicted(&test).await;
        test.payments
            .settle(&decision(&number), Verdict::Accept)
            .await
            .unwrap();
        test.becomes("u1", &order, 1).await;
        let again = test
            .payments
            .settle(&decision(&number), Verdict::Accept)
            .await;
        assert!(
            again.unwrap_err().to_string().contains("succeeded"),
            "{shape:?}"
        );

        let (order, number) = conflicted(&test).await;
        let returned = Verdict::Return(29_899);
        test.payments
            .settle(&decision(&number), returned)
            .await
            .unwrap();
        let shown = test.payments.show(&number).await.unwrap();
        assert_eq!(shown.attempt.disposition, Disposition::Returned);
        assert_eq!((shown.refunds.len(), shown.refunds[0].amount), (1, 29_899));
        assert_eq!(
            (shown.log.len(), shown.log[0].operator.as_str()),
            (1, "wang")
        );
        // The order can be paid in another way.
        test.grant("u1", 29_900).await;
        test.pay_coins("u1", &order, "").await.unwrap();
        test.becomes("u1", &order, 1).await;

        let (order, number) = conflicted(&test).await;
        test.payments
            .settle(&decision(&number), Verdict::Return(0))
            .await
            .unwrap();
        test.cancel("u1", &order).await.unwrap();
        test.becomes("u1", &order, 2).await;
        assert_eq!(left_in_conflict(&test).await, 0);
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn what_is_decided_wrongly_is_refused_and_changes_nothing() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 29_900).await;
        let (_, number) = conflicted(&test).await;
        for (decision, verdict) in [
            (decision("nobody"), Verdict::Accept),
            (decision(&number), Verdict::Return(-1)),
            (decision(&number), Verdict::Return(i64::MAX)),
            (
                Decision {
                    reason: " ".into(),
                    ..decision(&number)
                },
                Verdict::Accept,
            ),
            (
                Decision {
                    operator: "x".repeat(201),
                    ..decision(&number)
                },
                Verdict::Accept,
            ),
        ] {
            assert!(test.payments.settle(&decision, verdict).await.is_err());
        }
        let order = test.membership("u1", "1").await.unwrap().order_id;
        test.pay_coins("u1", &order, "").await.unwrap();
        test.becomes("u1", &order, 1).await;
        assert!(test.settle().await.unwrap().is_empty());
        let paid = test
            .payments
            .attempts_in(&[State::Succeeded], 10)
            .await
            .unwrap();
        let paid = decision(&paid[0].id);
        for (number, cents) in [("", 1), ("a-b", 1), ("r1", 0), ("r1", -5), ("r1", 29_901)] {
            assert!(
                test.payments.refund(&paid, number, cents).await.is_err(),
                "{number} {cents}"
            );
        }
        assert!(
            test.payments
                .refund(&decision(&number), "r1", 1)
                .await
                .is_err()
        );
        assert_eq!(
            (left_in_conflict(&test).await, test.coins("u1").await),
            (1, 0)
        );
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn an_operator_refunds_whole_or_in_parts_once_for_each_number() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 29_900).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        test.pay_coins("u1", &order, "").await.unwrap();
        let outside = test.recharge("u2", 5_000).await.unwrap().order_id;
        let number = test.pay_outside("u2", &outside).await.unwrap();
        assert!(test.bank.pay(&number));
        test.payments
            .notified("wechat", &test.bank.message(&number))
            .await
            .unwrap();
        test.becomes("u2", &outside, 1).await;
        assert!(test.settle().await.unwrap().is_empty());

        let coins = test
            .payments
            .attempts_in(&[State::Succeeded], 10)
            .await
            .unwrap();
        let coins = coins
            .iter()
            .find(|attempt| attempt.order_id == order)
            .unwrap();
        let decided = decision(&coins.id);
        assert!(
            test.payments
                .refund(&decided, "part1", 10_000)
                .await
                .unwrap()
        );
        assert!(
            !test
                .payments
                .refund(&decided, "part1", 10_000)
                .await
                .unwrap()
        );
        assert!(
            test.payments
                .refund(&decided, "part1", 9_999)
                .await
                .is_err()
        );
        assert!(
            test.payments
                .refund(&decided, "part2", 19_900)
                .await
                .unwrap()
        );
        assert!(test.payments.refund(&decided, "part3", 1).await.is_err());
        assert_eq!(test.coins("u1").await, 29_900, "{shape:?}");

        // Through the channel, with a lost response; the recharged coins are taken back.
        test.bank.misbehave(Faults {
            lose_refunded: 1,
            ..Default::default()
        });
        assert!(
            test.payments
                .refund(&decision(&number), "r2", 2_000)
                .await
                .unwrap()
        );
        assert!(test.settle().await.unwrap().is_empty());
        assert_eq!((test.coins("u2").await, test.bank.kept()), (3_000, 3_000));
        // Coins that were spent meanwhile cannot be taken back.
        let grant = ledger_move(&test, Kind::Coin, "u2", -2_500).await;
        assert!(grant.is_ok());
        let refused = test.payments.refund(&decision(&number), "r3", 3_000).await;
        assert!(refused.unwrap_err().to_string().contains("not enough"));
        test.sound(shape).await;
    }
}

/// Books cents between a user's account and the platform's gifts, with the line a user would see.
async fn ledger_move(test: &Test, kind: Kind, user: &str, cents: i64) -> anyhow::Result<()> {
    let context = &test.contexts.payment;
    let transaction = chassis::db::begin_write(&context.db).await?;
    let account = Account::of(kind, user);
    let key = format!("test:{user}:{cents}");
    let posting = Posting {
        book: Book::Grant,
        key: &key,
        entries: vec![
            (Account::platform(Kind::Promotion), -cents),
            (account, cents),
        ],
    };
    ledger::post(&transaction, &posting, 1).await?;
    let line = statement::ActiveModel {
        id: Set(key.clone()),
        owner: Set(user.to_owned()),
        transaction_type: Set(0),
        function_type: Set(0),
        pay_method: Set(String::new()),
        amount: Set(cents),
        balance: Set(Some(0)),
        order_no: Set(String::new()),
        description: Set(String::new()),
        created_at: Set(1),
    };
    statement::Entity::insert(line)
        .exec_without_returning(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// PY022.
#[tokio::test]
async fn an_order_is_paid_from_what_was_earned() {
    for shape in shapes() {
        let test = Mall::start(shape).await;
        ledger_move(&test, Kind::Income, "maker", 30_000)
            .await
            .unwrap();
        let order = test.membership("maker", "1").await.unwrap().order_id;
        test.pay_income("maker", &order).await.unwrap();
        test.becomes("maker", &order, 1).await;
        let account = test.account("maker").await.unwrap();
        assert_eq!(
            (account.income_balance, account.cloud_coin),
            (100, 0),
            "{shape:?}"
        );
        let more = test.membership("maker", "2").await.unwrap().order_id;
        let refused = test.pay_income("maker", &more).await.unwrap_err();
        assert_eq!(code_of(&refused), code::NO_FUNDS);
        let reply = chassis::error::business_error(&refused).unwrap();
        assert!(reply.message.contains("收益"), "{}", reply.message);
        test.test.sound(shape).await;
    }
}
