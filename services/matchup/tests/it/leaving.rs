//! A user closes the account.

use bytes::Bytes;
use chassis::testing::{eventually, shapes};
use proto::auth::v1::AccountClosed;
use proto::matchup::v1::*;

use crate::support::Running;

#[tokio::test(flavor = "multi_thread")]
async fn needs_go_and_what_was_chosen_ends() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let provider = running.provider("p1").await;
        // u1 has a need, was chosen by u2, and has rated p1.
        running.provider("u1").await;
        running.is_a("u1", 3).await;
        let own = running
            .save("u1", running.need("自己的需求"))
            .await
            .unwrap();
        let own = own.demand_id;
        let objects = running.test.parts.objects.clone();
        let bytes = Bytes::from_static(b"%PDF-1.7");
        objects
            .put_bytes("u/u1/a.pdf", bytes, "application/pdf")
            .await
            .unwrap();
        let form = AddDemandFileRequest {
            demand_id: own.clone(),
            object_key: "u/u1/a.pdf".to_owned(),
            name: "a.pdf".to_owned(),
            ..Default::default()
        };
        running
            .demands()
            .add_demand_file(running.by("u1", form))
            .await
            .unwrap();
        running.submit("u1", &own).await.unwrap();
        running.decide(&own, "approve").await.unwrap();
        let offer = running.offer("p1", &own, 100).await.unwrap();
        running.choose("u1", &offer.offer_id).await.unwrap();
        running.close("u1", &own).await.unwrap();
        running.rate("u1", &own, 2).await.unwrap();
        let other = running.open("u2", "别人的需求").await;
        let offer = running.offer("u1", &other, 100).await.unwrap();
        running.choose("u2", &offer.offer_id).await.unwrap();
        running
            .publish(
                "closed-1",
                &AccountClosed {
                    closure_id: "c1".to_owned(),
                    login_id: "u1".to_owned(),
                    pseudonym: "p1x".to_owned(),
                    round: 1,
                },
            )
            .await;
        running
            .becomes(
                "SELECT COUNT(*) FROM outbox WHERE event_key = 'matchup.account.erased'",
                1,
            )
            .await;
        assert!(running.detail("u2", &own).await.is_err());
        let seen = running.detail("u2", &other).await.unwrap();
        assert_eq!((seen.state.as_str(), seen.contact.as_str()), ("closed", ""));
        assert!(seen.offer.is_none());
        for (table, column) in [
            ("provider", "owner"),
            ("demand", "owner"),
            ("demand", "chosen_owner"),
            ("offer", "owner"),
            ("rating", "owner"),
            ("rating", "target"),
        ] {
            let query = format!("SELECT COUNT(*) FROM {table} WHERE {column} = 'u1'");
            assert_eq!(running.number(&query).await, 0, "{table}.{column}");
        }
        assert_eq!(running.number("SELECT COUNT(*) FROM demand_file").await, 0);
        let form = ProviderDetailRequest {
            provider_id: provider,
        };
        let seen = running.people().provider_detail(running.by("", form)).await;
        let card = seen.unwrap().into_inner().card.unwrap();
        assert_eq!((card.rating_count, card.rating_sum), (0, 0));
        eventually("the files are gone", || async {
            let left = objects.list(&format!("n/{own}/"), None).await.unwrap();
            left.objects.is_empty().then_some(())
        })
        .await;
        running.test.finish().await;
    }
}
