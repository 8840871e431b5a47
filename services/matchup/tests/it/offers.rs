//! Offers, the choice, closing, and ratings. covers: X351 X352 X353 X354 X357 X358 X359

use std::sync::Arc;

use chassis::testing::shapes;
use proto::code;
use proto::matchup::v1::*;

use crate::support::{DAY, Running, code_of, message_of};

impl Running {
    async fn offers_to(&self, user: &str, id: &str) -> Result<OfferPage, tonic::Status> {
        let form = DemandOffersRequest {
            demand_id: id.to_owned(),
            ..Default::default()
        };
        let page = self.demands().demand_offers(self.by(user, form)).await?;
        Ok(page.into_inner())
    }

    async fn my_offers(&self, user: &str, state: &str) -> OfferPage {
        let form = MyOffersRequest {
            state: state.to_owned(),
            ..Default::default()
        };
        let page = self.demands().my_offers(self.by(user, form)).await;
        page.expect("a page").into_inner()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_offer_per_provider_changed_until_the_choice() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running.open("u1", "减速机轻量化").await;
        let refused = running.offer("u2", &id, 100).await;
        assert!(message_of(refused).contains("服务商资料"));
        running.provider("p1").await;
        for (price, proposal) in [
            (0, "按零件逐级减面，交付 GLB。"),
            (100_000_001, "按零件逐级减面，交付 GLB。"),
            (100, "太短"),
            (100, "按零件逐级减面，电话 一三八零零一三八零零零"),
        ] {
            let refused = running.propose("p1", &id, price, proposal).await;
            assert_eq!(code_of(refused), code::INVALID, "{proposal}");
        }
        let before = running.notifications().await;
        let first = running.offer("p1", &id, 5000).await.unwrap();
        let second = running.offer("p1", &id, 4500).await.unwrap();
        assert_eq!(first.offer_id, second.offer_id);
        assert_eq!(
            running.notifications().await - before,
            1,
            "a change tells nobody"
        );
        assert_eq!(running.offers_to("u1", &id).await.unwrap().total_count, 1);
        assert_eq!(
            running.offers_to("u1", &id).await.unwrap().results[0].price,
            4500
        );
        for stranger in ["u2", "p1"] {
            let seen = running.offers_to(stranger, &id).await;
            assert_eq!(code_of(seen), code::NOT_FOUND);
            let taken = running.choose(stranger, &first.offer_id).await;
            assert_eq!(code_of(taken), code::NOT_FOUND);
        }
        assert_eq!(
            code_of(running.take_back("u1", &first.offer_id).await),
            code::NOT_FOUND
        );
        let back = running.take_back("p1", &first.offer_id).await.unwrap();
        assert_eq!(back.state, "withdrawn");
        assert_eq!(
            code_of(running.take_back("p1", &first.offer_id).await),
            code::CONFLICT
        );
        assert_eq!(running.offers_to("u1", &id).await.unwrap().total_count, 0);
        assert_eq!(
            code_of(running.choose("u1", &first.offer_id).await),
            code::CONFLICT,
            "what was taken back is not chosen"
        );
        assert_eq!(running.detail("u1", &id).await.unwrap().state, "open");
        running.offer("p1", &id, 4400).await.unwrap();
        assert_eq!(running.my_offers("p1", "sent").await.total_count, 1);
        assert_eq!(running.my_offers("u1", "").await.total_count, 0);
        running.is_a("u1", 3).await;
        let own = running.profile("做装配体轻量化，交付带对比链接，三个工作日完成。");
        running.introduce("u1", own).await.unwrap();
        assert!(message_of(running.offer("u1", &id, 1).await).contains("自己的需求"));
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_choices_at_once_one_wins() {
    for shape in shapes() {
        let running = Arc::new(Running::start(shape).await);
        let id = running.open("u1", "减速机轻量化").await;
        let mut offers = Vec::new();
        for number in 0..8 {
            let user = format!("p{number}");
            running.provider(&user).await;
            let sent = running.offer(&user, &id, 4000 + number).await.unwrap();
            offers.push(sent.offer_id);
        }
        let choices = (0..64).map(|number| {
            let (running, offer) = (running.clone(), offers[number % 8].clone());
            tokio::spawn(async move { running.choose("u1", &offer).await.map(|_| offer) })
        });
        let choices: Vec<_> = choices.collect();
        let (mut won, mut late) = (Vec::new(), 0);
        for choice in choices {
            match choice.await.expect("no panic") {
                Ok(offer) => won.push(offer),
                refused => {
                    assert_eq!(code_of(refused), code::CONFLICT);
                    late += 1;
                }
            }
        }
        assert_eq!((won.len(), late), (1, 63));
        let count = async |state: &str| {
            let query = format!("SELECT COUNT(*) FROM offer WHERE state = '{state}'");
            running.number(&query).await
        };
        assert_eq!((count("chosen").await, count("lost").await), (1, 7));
        let seen = running.detail("u1", &id).await.unwrap();
        assert_eq!(seen.offer.unwrap().offer_id, won[0]);
        let running = Arc::into_inner(running).expect("alone");
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contacts_come_with_the_choice_and_ratings_with_the_end() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running.open("u1", "减速机轻量化").await;
        let provider = running.provider("p1").await;
        running.provider("p2").await;
        let chosen = running.offer("p1", &id, 4000).await.unwrap();
        let other = running.offer("p2", &id, 4200).await.unwrap();
        for user in ["", "u1", "p1", "p2", "u2"] {
            assert_eq!(
                running.detail(user, &id).await.unwrap().contact,
                "",
                "{user:?}"
            );
        }
        let before = running.notifications().await;
        let seen = running.choose("u1", &chosen.offer_id).await.unwrap();
        assert_eq!(
            running.notifications().await - before,
            2,
            "the one and the other"
        );
        assert_eq!(
            (seen.state.as_str(), seen.contact.as_str()),
            ("chosen", "微信 maker_01")
        );
        assert_eq!(
            running.detail("p1", &id).await.unwrap().contact,
            "13800138000"
        );
        let lost = running.detail("p2", &id).await.unwrap();
        assert_eq!((lost.contact.as_str(), lost.own_contact.as_str()), ("", ""));
        assert_eq!(lost.offer.unwrap().state, "lost");
        for stranger in ["", "u2"] {
            assert_eq!(
                code_of(running.detail(stranger, &id).await),
                code::NOT_FOUND
            );
        }
        // Only closing is possible from here on.
        assert_eq!(
            code_of(running.choose("u1", &other.offer_id).await),
            code::CONFLICT
        );
        assert_eq!(code_of(running.offer("p1", &id, 1).await), code::CONFLICT);
        assert_eq!(
            code_of(running.take_back("p1", &chosen.offer_id).await),
            code::CONFLICT
        );
        assert_eq!(code_of(running.withdraw("u1", &id).await), code::CONFLICT);
        assert_eq!(code_of(running.rate("u1", &id, 5).await), code::CONFLICT);
        running.test.parts.clock.advance_ms(30 * DAY);
        for stranger in ["p2", "u2"] {
            assert_eq!(code_of(running.close(stranger, &id).await), code::NOT_FOUND);
        }
        assert_eq!(running.close("p1", &id).await.unwrap().state, "closed");
        assert_eq!(code_of(running.close("u1", &id).await), code::CONFLICT);
        for stranger in ["p2", "u2"] {
            assert_eq!(
                code_of(running.rate(stranger, &id, 1).await),
                code::NOT_FOUND
            );
        }
        for stars in [0, 6] {
            assert_eq!(code_of(running.rate("u1", &id, stars).await), code::INVALID);
        }
        let rated = running.rate("u1", &id, 4).await.unwrap();
        assert_eq!(rated.given.unwrap().stars, 4);
        assert_eq!(code_of(running.rate("u1", &id, 5).await), code::CONFLICT);
        let rated = running.rate("p1", &id, 5).await.unwrap();
        assert_eq!(
            (rated.given.unwrap().stars, rated.received.unwrap().stars),
            (5, 4)
        );
        assert_eq!((rated.rating_count, rated.rating_sum), (1, 5));
        let form = ProviderDetailRequest {
            provider_id: provider,
        };
        let seen = running.people().provider_detail(running.by("", form)).await;
        let seen = seen.unwrap().into_inner();
        let card = seen.card.unwrap();
        assert_eq!((card.done, card.rating_count, card.rating_sum), (1, 1, 4));
        assert_eq!(seen.ratings[0].nickname, "认证u1");
        running.test.finish().await;
    }
}
