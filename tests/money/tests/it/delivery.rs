//! 14: what was sold is delivered once, however often the event arrives.

use chassis::messaging::Event;
use chassis::testing::{eventually, shapes};
use prost::Message;
use proto::events::Published;
use proto::order::v1::{OrderEnded, OrderPaid};
use proto::payment::v1::{AttemptSucceeded, OrderFulfilled};
use sea_orm::{ConnectionTrait, Statement};
use xl_order::entity::purchase;

use crate::support::Test;

#[tokio::test]
async fn invariant_14_redelivered_news_has_one_effect() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 100_000).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        test.pay_coins("u1", &order, "").await.unwrap();
        eventually("delivered", || async {
            test.status("u1", &order).await.1.then_some(())
        })
        .await;
        assert!(test.settle().await.unwrap().is_empty());
        let mut events = Vec::new();
        for context in [
            &test.contexts.order,
            &test.contexts.payment,
            &test.contexts.personal,
        ] {
            events.extend(sent(&context.db).await);
        }
        assert!(events.len() >= 4);
        for round in 0..3 {
            let mut again = events.clone();
            if round > 0 {
                // The same event under another id: an outbox restored from a copy.
                for event in &mut again {
                    event.id = format!("{}-{round}", event.id);
                }
                again.reverse();
            }
            test.parts.bus.publish(again).await.unwrap();
        }
        let last = test.recharge("u1", 100).await.unwrap().order_id;
        let number = test.pay_outside("u1", &last).await.unwrap();
        test.bank.pay(&number);
        let message = test.bank.message(&number);
        test.payments.notified("wechat", &message).await.unwrap();
        test.becomes("u1", &last, 1).await;
        assert_eq!(test.profile("u1").await.remaining_days, Some(365));
        test.sound(shape).await;
    }
}

async fn sent(db: &sea_orm::DatabaseConnection) -> Vec<Event> {
    let all = "SELECT id, event_key, aggregate, version, body FROM outbox ORDER BY created_at, id";
    let statement = Statement::from_string(db.get_database_backend(), all);
    let rows = db.query_all_raw(statement).await.unwrap();
    let event = |row: sea_orm::QueryResult| Event {
        id: row.try_get("", "id").unwrap(),
        key: row.try_get("", "event_key").unwrap(),
        aggregate: row.try_get("", "aggregate").unwrap(),
        version: row.try_get("", "version").unwrap(),
        time_ms: 1,
        traceparent: String::new(),
        body: row.try_get("", "body").unwrap(),
    };
    rows.into_iter().map(event).collect()
}

/// The guarantees for `ce_version` in docs/events.md: for an order it is the order's version, for its payment it counts from 1.
#[tokio::test]
async fn events_carry_the_version_of_their_object() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let paid = test.recharge("u1", 5_000).await.unwrap().order_id;
        let number = test.pay_outside("u1", &paid).await.unwrap();
        test.bank.pay(&number);
        let message = test.bank.message(&number);
        test.payments.notified("wechat", &message).await.unwrap();
        test.becomes("u1", &paid, 1).await;
        let ended = test.recharge("u1", 700).await.unwrap().order_id;
        test.cancel("u1", &ended).await.unwrap();
        assert!(test.settle().await.unwrap().is_empty());

        let of = |events: &[Event], order: &str| -> Vec<(String, i64)> {
            let of_it = events.iter().filter(|event| event.aggregate == order);
            of_it
                .map(|event| (event.key.clone(), event.version))
                .collect()
        };
        let payments = sent(&test.contexts.payment.db).await;
        let reply = of(&payments, &paid);
        let expected = [(AttemptSucceeded::KEY, 1), (OrderFulfilled::KEY, 2)];
        assert_eq!(
            reply,
            expected.map(|(key, version)| (key.to_owned(), version))
        );
        let orders = sent(&test.contexts.order.db).await;
        let order =
            |id: &str| purchase::Entity::find_any_by_id(id.to_owned()).one(&test.contexts.order.db);
        let cancelled = order(&ended).await.unwrap().unwrap();
        assert_eq!(
            of(&orders, &ended),
            [(OrderEnded::KEY.to_owned(), cancelled.version)]
        );
        // Delivered since: one version higher than at the event.
        let fulfilled = order(&paid).await.unwrap().unwrap();
        assert_eq!(
            of(&orders, &paid),
            [(OrderPaid::KEY.to_owned(), fulfilled.version - 1)]
        );
        test.sound(shape).await;
    }
}

/// A success for an order that was never asked to begin the attempt is refunded, not delivered.
#[tokio::test]
async fn a_success_that_was_never_begun_is_refused() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let body = AttemptSucceeded {
            attempt_id: "forged".into(),
            order_id: order.clone(),
            owner: "u1".into(),
            channel: "cloudCoin".into(),
            amount: 29_900,
            succeeded_at_ms: 1,
        };
        let event = Event {
            id: "forged".into(),
            key: AttemptSucceeded::KEY.into(),
            aggregate: order.clone(),
            version: 1,
            time_ms: 1,
            traceparent: String::new(),
            body: body.encode_to_vec(),
        };
        test.parts.bus.publish(vec![event]).await.unwrap();
        test.cancel("u1", &order).await.unwrap();
        assert_eq!(test.status("u1", &order).await, (2, false));
        test.sound(shape).await;
    }
}
