//! Requests and events of the order centre: quotes, paid goods, returns.

use chassis::ServiceError;
use chassis::failpoint::Failure;
use chassis::testing::{eventually, shapes};
use proto::events::Published;
use proto::order::v1::order_paid::Product;
use proto::order::v1::{Goods, GoodsItem, OrderPaid};
use proto::transaction::v1::*;

use crate::support::Running;

/// An order of these listings, at what `listed` asks for them.
pub fn order(user: &str, order: &str, ids: &[&str]) -> OrderPaid {
    let item = |(at, id): (usize, &&str)| GoodsItem {
        item_id: format!("{order}-{at}"),
        id: (*id).to_owned(),
        version: 1,
        title: "直齿轮".to_owned(),
        seller: "maker".to_owned(),
        share_bp: 7_000,
        price: 1_990,
        payable: 1_990,
        license: "personal".to_owned(),
        ..Default::default()
    };
    OrderPaid {
        order_id: order.to_owned(),
        owner: user.to_owned(),
        product: Some(Product::Goods(Goods {
            service: "transaction".to_owned(),
            kind: "model".to_owned(),
            items: ids.iter().enumerate().map(item).collect(),
            ..Default::default()
        })),
        ..Default::default()
    }
}

pub fn read<E: Published>(body: &[u8]) -> E {
    E::decode(body).expect("an event")
}

impl Running {
    /// Pays an order, and waits for its delivery.
    pub async fn paid(&self, user: &str, id: &str, ids: &[&str]) -> OrderFulfilled {
        self.publish(&format!("paid-{id}"), &order(user, id, ids))
            .await;
        self.fulfilled(id).await
    }

    async fn fulfilled(&self, order: &str) -> OrderFulfilled {
        let sql = format!(
            "SELECT body FROM outbox WHERE event_key = '{}' AND aggregate = '{order}'",
            OrderFulfilled::KEY
        );
        let body = eventually("the delivery", || self.bytes(&sql)).await;
        read(&body)
    }

    pub async fn give_back(&self, order: &str, item: &str) -> String {
        let request = ReturnRequest {
            order_id: order.to_owned(),
            item_id: item.to_owned(),
        };
        loop {
            match TransactionCommands::r#return(&self.test.parts.bus, &request).await {
                Ok(answer) => return answer.state,
                // No answer in time, on a busy machine: a command may be sent again.
                Err(ServiceError::Unavailable(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    async fn quote(&self, owner: &str, ids: &[&str]) -> Result<Vec<QuotedItem>, String> {
        let request = QuoteRequest {
            owner: owner.to_owned(),
            model_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            ..Default::default()
        };
        let answer = TransactionCommands::quote(&self.test.parts.bus, &request).await;
        answer
            .map(|reply| reply.items)
            .map_err(|error| error.to_string())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_order_is_delivered_whole_and_once() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        // What failed is tried again after a while.
        running.test.parts.clock.run();
        let first = running.listed("maker", "f1").await;
        let second = running.listed("maker", "f2").await;
        running.price("maker", &second, 0).await;
        let draft = running.draft("maker", "f3").await.listing.unwrap();

        let quoted = running
            .quote("u1", &[&second, &first, &second, &draft.listing_id, "0"])
            .await
            .unwrap();
        let outcome: Vec<_> = quoted
            .iter()
            .map(|item| (item.model_id.as_str(), item.price, item.state.as_str()))
            .collect();
        assert_eq!(
            outcome,
            [
                (second.as_str(), 0, "listed"),
                (first.as_str(), 1_990, "listed"),
                (draft.listing_id.as_str(), 0, "none"),
                ("0", 0, "none"),
            ]
        );
        let item = &quoted[1];
        assert_eq!(
            (item.version, item.share_bp, item.seller.as_str()),
            (1, 7_000, "maker")
        );
        assert_eq!(
            (item.title.as_str(), item.license.as_str(), item.owned),
            ("直齿轮", "personal", false)
        );
        let many: Vec<String> = (0..201).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for wrong in [&[][..], &many] {
            let refused = running.quote("u1", wrong).await.unwrap_err();
            assert!(refused.contains("1 至 200"), "{refused}");
        }

        // Paid while the mall shows it no more; killed before the end, it is done whole when it comes again.
        running.add("u1", &first).await.unwrap();
        running.add("u1", &second).await.unwrap();
        running.withdraw("maker", &first).await;
        let point = "transaction.granted.before_commit";
        running.test.parts.fail.arm(point, Failure::Error, 1);
        let outcome = running.paid("u1", "o1", &[&first, &second]).await;
        assert_eq!(running.test.parts.fail.left(point), 0);
        assert!(outcome.had_item_ids.is_empty());
        let again = order("u1", "o1", &[&first, &second]);
        running.publish("paid-again", &again).await;
        let events = "SELECT COUNT(*) FROM outbox WHERE event_key = 'transaction.order.fulfilled'";
        running.becomes(events, 2).await;
        assert_eq!(running.number("SELECT COUNT(*) FROM model_grant").await, 2);
        let sold = "SELECT CAST(SUM(sold) AS BIGINT) FROM listing";
        assert_eq!(running.number(sold).await, 2);
        assert_eq!(running.cart("u1").await.total_count, 0);
        assert!(running.quote("u1", &[&first]).await.unwrap()[0].owned);

        let outcome = "SELECT body FROM outbox WHERE event_key = 'transaction.purchases.changed' ORDER BY id DESC";
        let bought: PurchasesChanged = read(&running.bytes(outcome).await.unwrap());
        assert_eq!(
            (bought.login_id.as_str(), bought.total_purchased_models),
            ("u1", 2)
        );

        // Had already, by another order: nothing is granted for it, and order is notified.
        running.relist("maker", &first).await;
        let third = running.copies(&first, 1).await;
        let outcome = running.paid("u1", "o2", &[&first, &third[0]]).await;
        assert_eq!(outcome.had_item_ids, ["o2-0"]);
        assert_eq!(running.number("SELECT COUNT(*) FROM model_grant").await, 3);

        // Goods of another service are none of ours.
        let mut other = order("u1", "o3", &[&first]);
        if let Some(Product::Goods(goods)) = &mut other.product {
            goods.service = "process".to_owned();
        }
        running.publish("paid-o3", &other).await;
        running.paid("u2", "o4", &[&first]).await;
        assert_eq!(running.number(events).await, 4);
        running.test.finish().await;
    }
}
