//! Concurrent payments from the same account or for the same order.

use chassis::testing::{eventually, shapes};
use futures::future::join_all;

use crate::support::Test;

/// 2: 64 at once on an account that has enough for ten.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_2_sixty_four_payers_of_one_account() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 10 * 29_900 + 100).await;
        let made = join_all((0..64).map(|_| test.membership("u1", "1"))).await;
        let orders: Vec<String> = made.into_iter().map(|o| o.unwrap().order_id).collect();
        let paid = join_all(orders.iter().map(|order| test.pay_coins("u1", order, ""))).await;
        let paid = paid.iter().filter(|one| one.is_ok()).count();
        assert_eq!(paid, 10, "{shape:?}");
        assert_eq!(test.coins("u1").await, 100);
        test.sound(shape).await;
    }
}

/// 3: coins and an outside channel at once, several times each: one settles, the others are refunded.
#[tokio::test(flavor = "multi_thread")]
async fn invariant_3_one_attempt_settles_an_order() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 1_000_000).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let mut numbers = Vec::new();
        for _ in 0..3 {
            let number = test.pay_outside("u1", &order).await.unwrap();
            numbers.push(number);
        }
        for number in &numbers {
            assert!(test.bank.pay(number));
        }
        let coins = join_all((0..8).map(|_| test.pay_coins("u1", &order, "")));
        // None of them fails in the database because of the others.
        let outside = join_all(numbers.iter().map(|number| async {
            let message = test.bank.message(number);
            test.payments.notified("wechat", &message).await.unwrap();
        }));
        let (coins, _) = tokio::join!(coins, outside);
        assert!(coins.iter().filter(|one| one.is_ok()).count() <= 1);
        test.becomes("u1", &order, 1).await;
        eventually("the others are given back", || async {
            let spent = 1_000_000 - test.coins("u1").await;
            (spent + test.bank.kept() == 29_900).then_some(())
        })
        .await;
        test.sound(shape).await;
    }
}
