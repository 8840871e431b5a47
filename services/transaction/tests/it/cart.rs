//! The cart: what is in it, what can be bought of it, and how much it holds.

use chassis::testing::{code_of, shapes};
use proto::code;
use proto::transaction::v1::*;
use sea_orm::{EntityTrait, Set};
use tonic::Status;
use xl_transaction::entity::cart_item;

use crate::support::Running;

impl Running {
    pub async fn cart(&self, user: &str) -> CartList {
        let form = GetCartListRequest {
            page_no: 1,
            page_size: 200,
            ..Default::default()
        };
        let list = self.carts().get_cart_list(self.by(user, form)).await;
        list.expect("a list").into_inner()
    }

    pub async fn add(&self, user: &str, id: &str) -> Result<i64, Status> {
        let form = AddToCartRequest {
            model_id: id.to_owned(),
            ..Default::default()
        };
        let added = self.carts().add_to_cart(self.by(user, form)).await?;
        Ok(added.into_inner().total_count)
    }

    async fn take_out(&self, user: &str, ids: &str) -> Result<i64, Status> {
        let form = DelCartModelRequest {
            model_id: ids.to_owned(),
            ..Default::default()
        };
        let left = self.carts().del_cart_model(self.by(user, form)).await?;
        Ok(left.into_inner().total_count)
    }
}

fn refusal(answer: Result<i64, Status>) -> (i32, String) {
    let status = answer.unwrap_err();
    let reply = chassis::error::business_error(&status).expect("told");
    (reply.code, reply.message)
}

/// CT001, CT002, CT003, CT004, CT007.
#[tokio::test(flavor = "multi_thread")]
async fn a_cart_says_what_can_be_bought_and_for_how_much() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let first = running.listed("maker", "f1").await;
        let second = running.listed("maker", "f2").await;
        running.price("maker", &second, 1_005).await;
        assert_eq!(running.cart("u1").await.total_price, "0.00");
        assert_eq!(running.add("u1", &first).await.unwrap(), 1);
        running.test.parts.clock.advance_ms(1_000);
        assert_eq!(running.add("u1", &second).await.unwrap(), 2);
        assert_eq!(running.add("u1", &second).await.unwrap(), 2);

        let cart = running.cart("u1").await;
        assert_eq!((cart.total_count, cart.available_count), (2, 2));
        assert_eq!((cart.total, cart.total_price.as_str()), (2_995, "29.95"));
        let item = &cart.results[1];
        assert_eq!(
            (item.model_id.as_str(), item.model_name.as_str()),
            (first.as_str(), "直齿轮")
        );
        assert_eq!((item.model_price, item.seller.as_str()), (1_990, "maker"));
        assert!(item.preview.contains("1.webp"), "{item:?}");
        let one = GetCartListRequest {
            page_no: 2,
            page_size: 1,
            ..Default::default()
        };
        let page = running.carts().get_cart_list(running.by("u1", one)).await;
        let page = page.unwrap().into_inner();
        assert_eq!((page.total_count, page.total), (2, 2_995));
        // Signed anew, so that the address of its picture is another one a second later.
        let shown = CartItem {
            preview: item.preview.clone(),
            ..page.results[0].clone()
        };
        assert_eq!((page.results.len(), &shown), (1, item));

        // A changed price is shown beside the one that was seen; what left the mall is marked so and costs nothing.
        running.price("maker", &first, 2_990).await;
        running.withdraw("maker", &second).await;
        let cart = running.cart("u1").await;
        let [withdrawn, dearer] = &cart.results[..] else {
            panic!("{cart:?}")
        };
        assert_eq!((dearer.model_price, dearer.added_price), (2_990, 1_990));
        assert_eq!(
            (withdrawn.state.as_str(), withdrawn.reason.as_str()),
            ("withdrawn", "模型已被作者下架")
        );
        assert!(!withdrawn.available && dearer.available);
        assert_eq!((cart.total_count, cart.total_price.as_str()), (2, "29.90"));
        running.take_down(&first).await;
        let cart = running.cart("u1").await;
        assert_eq!(cart.results[1].reason, "模型已被平台下架");
        assert_eq!((cart.available_count, cart.total), (0, 0));

        // Taking out, also what was never in it; another user's cart is not touched.
        assert_eq!(running.take_out("u2", &first).await.unwrap(), 0);
        assert_eq!(running.take_out("u1", &first).await.unwrap(), 1);
        let both = format!("{first},{second}");
        assert_eq!(running.take_out("u1", &both).await.unwrap(), 0);
        assert_eq!(refusal(running.take_out("u1", " ").await).0, code::INVALID);
        assert_eq!(
            running.cart("u1").await,
            CartList {
                total_price: "0.00".to_owned(),
                ..Default::default()
            }
        );
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cart_takes_what_its_owner_can_get_and_no_more_than_it_holds() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("maker", "f1").await;
        let own = refusal(running.add("maker", &id).await);
        assert_eq!(
            own,
            (code::CONFLICT, "这是您自己发布的模型，无需购买".to_owned())
        );
        let free = running.listed("maker", "f2").await;
        running.price("maker", &free, 0).await;
        running.add("u1", &free).await.unwrap();
        running.take_free("u1", &free).await.unwrap();
        assert_eq!(running.cart("u1").await.total_count, 0, "got, so taken out");
        let owned = refusal(running.add("u1", &free).await);
        assert_eq!(
            owned,
            (
                code::CONFLICT,
                "您已拥有该模型，可以在我的模型中下载".to_owned()
            )
        );
        let draft = running.draft("maker", "f3").await.listing.unwrap();
        for nothing in [draft.listing_id.as_str(), "0", ""] {
            let refused = refusal(running.add("u1", nothing).await);
            assert_eq!(refused.0, code::NOT_FOUND);
        }
        let gone = running.listed("maker", "f4").await;
        running.withdraw("maker", &gone).await;
        let refused = refusal(running.add("u1", &gone).await);
        assert_eq!(refused, (code::CONFLICT, "该模型已下架".to_owned()));

        let copies = running.copies(&id, 201).await;
        let row = |listing: &String| cart_item::ActiveModel {
            owner: Set("u1".to_owned()),
            listing_id: Set(listing.clone()),
            price: Set(1_990),
            added_at: Set(1),
        };
        cart_item::Entity::insert_many(copies[..198].iter().map(row))
            .exec_without_returning(&running.db)
            .await
            .unwrap();
        // Two places are left for many at once.
        let wanted = [&copies[198], &copies[199], &copies[200], &id];
        let answers = futures_of(&running, &wanted).await;
        let full = answers.iter().filter(|answer| {
            let reply = answer.as_ref().err().map(code_of);
            reply == Some(code::QUOTA)
        });
        assert_eq!(full.count(), 2, "{answers:?}");
        let cart = running.cart("u1").await;
        assert_eq!((cart.total_count, cart.results.len()), (200, 200));
        running.test.finish().await;
    }
}

async fn futures_of(running: &Running, ids: &[&String; 4]) -> [Result<i64, Status>; 4] {
    let [a, b, c, d] = ids.map(|id| running.add("u1", id));
    let (a, b, c, d) = tokio::join!(a, b, c, d);
    [a, b, c, d]
}
