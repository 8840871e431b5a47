//! Cards: whose they are, what is kept of them, and what a new key does to them.

use chassis::testing::{code_of, shapes};
use proto::code;
use proto::payment::v1::{CardListRequest, DeletCardRequest};
use tonic::Status;
use xl_payment::entity::account::Kind;
use xl_payment::operator;

use super::world::{CARD, HOLDER, OTHER_CARD, World};

impl World {
    async fn cards(&self, user: &str) -> Vec<String> {
        let form = CardListRequest::default();
        let answer = self.api().query_card_list(self.by(user, form)).await;
        let cards = answer.expect("a list").into_inner().results;
        cards.into_iter().map(|card| card.card_no).collect()
    }

    async fn delete(&self, user: &str, card: &str) -> Result<(), Status> {
        let form = DeletCardRequest {
            card_id: card.to_owned(),
            ..Default::default()
        };
        self.api().delet_card(self.by(user, form)).await.map(drop)
    }
}

#[tokio::test]
async fn a_card_is_its_certified_owner_s_and_stays_secret() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let card = world
            .modify("u1", "add", "", CARD, "张 三丰")
            .await
            .unwrap();
        assert_eq!(
            (
                card.bank_name.as_str(),
                card.card_no.as_str(),
                card.holder.as_str()
            ),
            ("中国工商银行", "**** **** **** 0128", "张**")
        );
        let row = world
            .text("SELECT details || wrapped_key || number_index || holder FROM bank_card")
            .await;
        assert!(
            !row.contains("6222021234567890128") && !row.contains(HOLDER),
            "{row}"
        );
        for (number, holder, refused) in [
            ("6222 0212 3456 7890 129", HOLDER, code::INVALID),
            (OTHER_CARD, "李四", code::CONFLICT),
            (CARD, HOLDER, code::CONFLICT),
        ] {
            let reply = world
                .modify("u1", "add", "", number, holder)
                .await
                .unwrap_err();
            assert_eq!(code_of(&reply), refused, "{number} {holder}");
        }
        let reply = world
            .modify("nobody", "add", "", CARD, HOLDER)
            .await
            .unwrap_err();
        assert!(reply.to_string().contains("实名认证") || code_of(&reply) == code::CONFLICT);
        // Another user neither changes nor removes it.
        let reply = world
            .modify("u2", "update", &card.id, OTHER_CARD, HOLDER)
            .await;
        assert_eq!(code_of(&reply.unwrap_err()), code::NOT_FOUND);
        assert_eq!(
            code_of(&world.delete("u2", &card.id).await.unwrap_err()),
            code::NOT_FOUND
        );
        // The same number is another person's card.
        world.modify("u2", "add", "", CARD, HOLDER).await.unwrap();
        world
            .modify("u1", "update", &card.id, OTHER_CARD, HOLDER)
            .await
            .unwrap();
        assert_eq!(world.cards("u1").await, ["**** **** **** 1111"]);
        world.delete("u1", &card.id).await.unwrap();
        assert_eq!(world.cards("u1").await, Vec::<String>::new());
        world.finish().await;
    }
}

#[tokio::test]
async fn a_card_with_an_open_withdrawal_stays_as_it_is() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let card = world.card("u1").await;
        world.give(Kind::Income, "u1", 20_000).await;
        let open = world
            .request("u1", &card, "number-1", 10_000)
            .await
            .unwrap();
        let reply = world
            .modify("u1", "update", &card, OTHER_CARD, HOLDER)
            .await;
        assert_eq!(code_of(&reply.unwrap_err()), code::CONFLICT);
        assert_eq!(
            code_of(&world.delete("u1", &card).await.unwrap_err()),
            code::CONFLICT
        );
        world.cancel("u1", &open.id).await.unwrap();
        world.delete("u1", &card).await.unwrap();
        world.finish().await;
    }
}

#[tokio::test]
async fn a_new_master_key_takes_the_cards_over() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let card = world.card("u1").await;
        world.give(Kind::Income, "u1", 20_000).await;
        let mut context = world.context.clone();
        let settings = &mut context.parts.settings;
        settings.put("payment.cards.key_id", "k2").unwrap();
        settings.put("payment.cards.key", "02".repeat(32)).unwrap();
        let former = vec![format!("k1:{}", "01".repeat(32))];
        settings.put("payment.cards.previous_keys", former).unwrap();
        let both = operator::open(&context).unwrap();
        assert_eq!(both.rewrap_cards().await.unwrap(), 1);
        assert_eq!(both.rewrap_cards().await.unwrap(), 0);
        assert_eq!(world.text("SELECT key_id FROM bank_card").await, "k2");
        // It cannot be read with the former key alone: what is taken stays as it was.
        let open = world
            .request("u1", &card, "number-1", 10_000)
            .await
            .unwrap();
        let version = world.version(&open.id).await;
        world
            .decide("anna", "approve", &open.id, version)
            .await
            .unwrap();
        assert!(world.take("anna", &open.id).await.is_err());
        assert_eq!(world.show(&open.id).await.item.unwrap().state, "approved");
        world.finish().await;
    }
}
