//! Coins for invitations: each side once, whatever is delivered twice or dies in between; the ledger stays sound.

use chassis::failpoint::Failure;
use chassis::messaging::Event;
use chassis::testing::{TestParts, eventually, shapes};
use prost::Message;
use proto::auth::v1::InvitationQualified;
use proto::events::Published;
use xl_payment::entity::account::Kind;
use xl_payment::ledger::{self, Account, audit};

#[tokio::test]
async fn each_side_of_an_invitation_gets_its_coins_once() {
    for shape in shapes() {
        let test = TestParts::open(shape, &[xl_payment::DEFAULTS], |_| {}).await;
        // What failed is tried again after a while.
        test.parts.clock.run();
        let context = test
            .migrated::<xl_payment::Migrator>(xl_payment::NAME)
            .await;
        let started = xl_payment::start_with(context.clone(), Vec::new()).await;
        let running = started.map_err(|error| error.to_string());
        assert!(running.is_ok(), "service starts");
        let qualified = |side: &str, login_id: &str, id: String| {
            let event = InvitationQualified {
                invitation_id: "i1".into(),
                side: side.into(),
                login_id: login_id.into(),
                cents: 500,
                qualified_at_ms: 1,
            };
            Event {
                id,
                key: InvitationQualified::KEY.to_owned(),
                aggregate: "i1".to_owned(),
                version: 1,
                time_ms: 1,
                traceparent: String::new(),
                body: event.encode_to_vec(),
            }
        };
        context
            .fail
            .arm("payment.invitation.before_commit", Failure::Error, 1);
        // The same event again, and the same reward under another event's id.
        let events = (0..64).flat_map(|number| {
            let id = number % 32;
            [
                qualified("inviter", "u1", format!("a{id}")),
                qualified("invitee", "u2", format!("b{id}")),
            ]
        });
        context
            .bus
            .publish(events.collect())
            .await
            .expect("published");
        let balance = |user: &str| {
            let (context, account) = (context.clone(), Account::of(Kind::Coin, user));
            async move {
                ledger::available(&context.db, &account)
                    .await
                    .expect("a balance")
            }
        };
        eventually("both sides are paid", || async {
            (balance("u1").await == 500 && balance("u2").await == 500).then_some(())
        })
        .await;
        eventually("the failed step was made again", || async {
            (context.fail.left("payment.invitation.before_commit") == 0).then_some(())
        })
        .await;
        assert_eq!((balance("u1").await, balance("u2").await), (500, 500));
        assert!(
            audit::findings(&context.db)
                .await
                .expect("audited")
                .is_empty()
        );
        test.finish().await;
    }
}
