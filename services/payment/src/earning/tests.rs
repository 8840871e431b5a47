//! Incomes that cannot be made their sellers'.

use chassis::db;
use chassis::testing::{TestParts, shapes};

use crate::Payment;
use crate::entity::earning::{Entity, Model, State};

/// Its release was never booked, so nothing is pending.
fn unbooked(matures_at: i64) -> Model {
    Model {
        id: "i1".to_owned(),
        owner: "maker".to_owned(),
        order_id: "o1".to_owned(),
        order_no: "1".to_owned(),
        title: String::new(),
        amount: 100,
        paid: 200,
        state: State::Pending,
        created_at: 0,
        matures_at,
        ended_at: None,
        tries: 0,
        next_check_at: 0,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_income_that_fails_is_tried_by_one_replica_and_less_and_less() {
    for shape in shapes() {
        let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
        let context = test.migrated::<crate::Migrator>(crate::NAME).await;
        crate::migrate(&context).await.unwrap();
        let payment = Payment::new(context, Vec::new()).unwrap();
        let connection = &payment.context.db;
        let due = unbooked(payment.now());
        db::insert(due, connection).await.unwrap();
        let mut waits = Vec::new();
        for round in 1..9 {
            let now = payment.now();
            let (one, other) = tokio::join!(payment.mature_due(), payment.mature_due());
            one.unwrap();
            other.unwrap();
            let row = Entity::find_any().one(connection).await.unwrap().unwrap();
            assert_eq!((row.tries, row.state), (round, State::Pending), "{shape:?}");
            waits.push((row.next_check_at - now) / 1000);
            // Not before its time.
            payment.mature_due().await.unwrap();
            payment.context.clock.advance_ms(row.next_check_at - now);
        }
        assert_eq!(waits, [10, 20, 40, 80, 160, 300, 300, 300], "{shape:?}");
        test.finish().await;
    }
}
