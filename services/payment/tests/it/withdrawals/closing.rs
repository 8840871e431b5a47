//! An account that ends while a withdrawal is open.

use chassis::messaging::Event;
use chassis::testing::{eventually, shapes};
use prost::Message;
use proto::auth::v1::AccountClosed;
use proto::events::Published;
use xl_payment::entity::account::Kind;

use super::world::World;

#[tokio::test]
async fn a_closed_account_waits_for_its_withdrawal() {
    for shape in shapes() {
        let world = World::start(shape).await;
        // What is under way is looked at again after a second.
        world.test.parts.clock.run();
        let card = world.card("u1").await;
        world.give(Kind::Income, "u1", 30_000).await;
        let asked = world
            .request("u1", &card, "number-1", 20_000)
            .await
            .unwrap();
        let closed = AccountClosed {
            closure_id: "c1".into(),
            login_id: "u1".into(),
            pseudonym: "gone-1".into(),
            round: 1,
        };
        let event = Event {
            id: "e1".into(),
            key: AccountClosed::KEY.to_owned(),
            aggregate: "c1".into(),
            version: 1,
            time_ms: 1,
            traceparent: String::new(),
            body: closed.encode_to_vec(),
        };
        world.context.bus.publish(vec![event]).await.unwrap();
        world.decide("anna", "approve", &asked.id, 1).await.unwrap();
        let taken = world.take("anna", &asked.id).await.unwrap();
        assert_eq!(taken.card_no, "6222021234567890128");
        world.paid("anna", &asked.id).await.unwrap();
        eventually("nothing of the person is left", || async {
            let cards = world
                .text("SELECT CAST(COUNT(*) AS TEXT) FROM bank_card")
                .await;
            let row = world
                .text("SELECT owner || holder || last4 FROM withdrawal")
                .await;
            (cards == "0" && row == "gone-1").then_some(())
        })
        .await;
        assert_eq!(world.has(Kind::Income, "gone-1").await, 10_000);
        world.finish().await;
    }
}
