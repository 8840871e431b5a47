//! Orders of models: frozen prices, makers' earnings, refunds. With the mall itself as the seller.

use chassis::testing::{Shape, TestParts, eventually, shapes};
use chassis::{Context, Settings};
use money::code_of;
use proto::code;
use proto::order::v1::{
    CreateCartOrderRequest, CreateModelOrderRequest, OrderInfo, OrderRequest, ReturnItemRequest,
};
use proto::payment::v1::{IncomeList, IncomeListRequest};
use sea_orm::ConnectionTrait;
use tonic::Status;

use crate::auditor::{Fault, change, each_is_named, loss};
use crate::support::Test;

/// The message of a refusal.
pub fn message_of(status: &Status) -> String {
    let refused = chassis::error::business_error(status);
    refused.map(|answer| answer.message).unwrap_or_default()
}

const DAY: i64 = 24 * 60;

/// A world with a selling mall.
pub struct Mall {
    pub test: Test,
    pub mall: Context,
}

impl std::ops::Deref for Mall {
    type Target = Test;
    fn deref(&self) -> &Test {
        &self.test
    }
}

impl Mall {
    pub async fn start(shape: Shape) -> Self {
        Self::start_hurried(shape, money::hurry).await
    }

    pub async fn start_hurried(shape: Shape, hurry: fn(&mut Settings)) -> Self {
        let defaults = [money::DEFAULTS, &[xl_transaction::DEFAULTS]].concat();
        let parts = TestParts::open(shape, &defaults, hurry).await;
        let test = Test::start_with(parts).await;
        let mall = test
            .migrated::<xl_transaction::Migrator>(xl_transaction::NAME)
            .await;
        xl_transaction::start(mall.clone()).await.unwrap();
        let mall = Self { test, mall };
        for (maker, kind, share_bp) in [("maker", 2, 7_000), ("other", 2, 7_000), ("studio", 1, 0)]
        {
            money::mall::approve(&mall.mall.db, maker, kind, share_bp)
                .await
                .unwrap();
        }
        eventually("the mall quotes", || async {
            let asked = mall.order("nobody", "m0").await.unwrap_err();
            (code_of(&asked) == code::CONFLICT).then_some(())
        })
        .await;
        mall
    }

    /// A model of a maker at a price in cents.
    pub async fn offer(&self, id: &str, maker: &str, price: i64) {
        money::mall::offer(&self.mall.db, id, maker, price)
            .await
            .unwrap();
    }

    async fn sql(&self, sql: &str) {
        self.mall.db.execute_unprepared(sql).await.unwrap();
    }

    pub async fn order(&self, user: &str, model: &str) -> Result<OrderInfo, Status> {
        let request = CreateModelOrderRequest {
            model_id: model.to_owned(),
            ..Default::default()
        };
        let request = self.order_call(user, request);
        Ok(self
            .orders()
            .create_model_order(request)
            .await?
            .into_inner())
    }

    pub async fn cart(
        &self,
        user: &str,
        models: &str,
        total: Option<i64>,
    ) -> Result<OrderInfo, Status> {
        let request = CreateCartOrderRequest {
            model_id: models.to_owned(),
            total,
            ..Default::default()
        };
        let request = self.order_call(user, request);
        Ok(self.orders().create_cart_order(request).await?.into_inner())
    }

    pub async fn info(&self, user: &str, order: &str) -> OrderInfo {
        let request = OrderRequest {
            order_id: order.to_owned(),
            ..Default::default()
        };
        let request = self.order_call(user, request);
        self.orders().get_by_id(request).await.unwrap().into_inner()
    }

    /// States of the items of an order.
    pub async fn things(&self, user: &str, order: &str) -> Vec<String> {
        let info = self.info(user, order).await;
        let things = info.order_detail_list.into_iter();
        things.map(|thing| thing.state).collect()
    }

    pub async fn buy(&self, user: &str, order: &str) {
        self.pay_coins(user, order, "").await.unwrap();
        eventually("the order is delivered", || async {
            (self.status(user, order).await == (1, true)).then_some(())
        })
        .await;
    }

    pub async fn give_back(&self, user: &str, order: &str, item: &str) -> Result<String, Status> {
        let request = ReturnItemRequest {
            order_id: order.to_owned(),
            item_id: item.to_owned(),
            ..Default::default()
        };
        let request = self.order_call(user, request);
        Ok(self.orders().return_item(request).await?.into_inner().state)
    }

    async fn incomes(&self, user: &str) -> IncomeList {
        let request = self.payment_call(user, IncomeListRequest::default());
        let reply = self.payment_api().list_incomes(request).await;
        reply.unwrap().into_inner()
    }

    pub async fn grants(&self, user: &str) -> Vec<String> {
        use xl_transaction::entity::grant::Entity;
        let rows = Entity::find_any().all(&self.mall.db).await.unwrap();
        let mut had: Vec<String> = rows
            .into_iter()
            .filter(|row| row.owner == user)
            .map(|row| format!("{}:{}", row.listing_id, row.state))
            .collect();
        had.sort();
        had
    }
}

#[tokio::test]
async fn a_cart_is_one_order_and_its_makers_earn_after_a_week() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offer("m1", "maker", 1_001).await;
        mall.offer("m2", "maker", 2_000).await;
        mall.offer("m3", "other", 10).await;
        mall.grant("u1", 10_000).await;
        // OR003: payTpye, orderDetailList with each field.
        let order = mall.cart("u1", "m1,m2,m3", Some(3_011)).await.unwrap();
        assert_eq!(
            (order.amount, order.pay_able, order.pay_tpye.as_deref()),
            (3_011, 3_011, Some("batch"))
        );
        assert_eq!((order.function_module, order.order_type), (3, 10));
        // OR009, OR010.
        assert_eq!(order.is_buy_type, "buymodel");
        assert_eq!(order.model_publisher_uploader_type, Some(2));
        assert_eq!(order.note, "");
        let things: Vec<_> = order
            .order_detail_list
            .iter()
            .map(|thing| (thing.description.as_str(), thing.amount, thing.order_type))
            .collect();
        assert_eq!(
            things,
            [
                ("模型m1", 1_001, 10),
                ("模型m2", 2_000, 10),
                ("模型m3", 10, 10)
            ]
        );
        assert!(
            order.order_detail_list.iter().all(|thing| {
                !thing.id.is_empty() && thing.order_no.starts_with(&order.order_no)
            })
        );
        mall.buy("u1", &order.order_id).await;
        assert_eq!(mall.coins("u1").await, 6_989);
        assert_eq!(
            mall.grants("u1").await,
            ["m1:active", "m2:active", "m3:active"]
        );
        assert_eq!(mall.things("u1", &order.order_id).await, ["granted"; 3]);
        // Seven tenths of each, rounded down; still pending.
        let earned = mall.await_pending("maker", 700 + 1_400).await;
        assert_eq!((earned.income_balance, earned.total_count), (0, 2));
        assert!(
            earned
                .results
                .iter()
                .all(|income| income.state == "pending")
        );
        mall.await_pending("other", 7).await;
        // MD008: with the clock moved, the balance grows.
        mall.later(7 * DAY).await_income("maker", 2_100).await;
        let earned = mall.incomes("maker").await;
        assert_eq!((earned.pending_income, earned.debt), (0, 0));
        assert!(
            earned
                .results
                .iter()
                .all(|income| income.state == "matured")
        );
        mall.test.sound(shape).await;
    }
}

impl Mall {
    pub fn later(&self, minutes: i64) -> &Self {
        self.test.later(minutes);
        self
    }

    /// Payment hears of a delivery by itself, the mall by itself. The days of an income begin when payment does: `later` comes
    /// after this.
    pub async fn await_pending(&self, user: &str, cents: i64) -> IncomeList {
        eventually("the sale is an income", || async {
            let incomes = self.incomes(user).await;
            (incomes.pending_income == cents).then_some(incomes)
        })
        .await
    }

    pub async fn await_income(&self, user: &str, cents: i64) {
        eventually("the income is there", || async {
            (self.incomes(user).await.income_balance == cents).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn prices_are_the_sellers_and_what_cannot_be_bought_is_named() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offer("m1", "maker", 1_000).await;
        mall.offer("m2", "maker", 2_000).await;
        mall.offer("free", "maker", 0).await;
        mall.offer("own", "u1", 500).await;
        mall.offer("gone", "maker", 500).await;
        mall.sql("UPDATE listing SET state = 'withdrawn' WHERE id = 'gone'")
            .await;
        mall.grant("u1", 10_000).await;
        let had = mall.order("u1", "m2").await.unwrap();
        assert_eq!((had.pay_tpye, had.order_detail_list.len()), (None, 1));
        mall.buy("u1", &had.order_id).await;

        for (model, reason) in [
            ("free", "免费"),
            ("own", "自己"),
            ("gone", "下架"),
            ("m2", "已拥有"),
            ("nothing", "不存在"),
        ] {
            let refused = mall.order("u1", model).await.unwrap_err();
            assert_eq!(code_of(&refused), code::CONFLICT);
            assert!(
                message_of(&refused).contains(reason),
                "{}",
                message_of(&refused)
            );
        }
        let all = "m1,free,own,gone,m2,nothing,m1";
        let refused = mall.cart("u1", all, Some(999)).await.unwrap_err();
        let text = message_of(&refused);
        assert!(text.contains("9.99") && text.contains("10.00"), "{text}");
        let refused = mall.cart("u1", "own,free", None).await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);
        // OR012, OR013: the order is created, and the note lists what is not in it.
        let order = mall.cart("u1", all, Some(1_000)).await.unwrap();
        assert_eq!((order.amount, order.order_detail_list.len()), (1_000, 1));
        for name in ["模型free", "模型own", "模型gone", "模型m2"] {
            assert!(order.note.contains(name), "{}", order.note);
        }
        // A repeat returns the same order, also when requested alone.
        let again = mall.order("u1", "m1").await.unwrap();
        assert_eq!(again.order_id, order.order_id);
        assert!(again.note.contains("待支付"), "{}", again.note);
        // Another price makes another order; the first keeps its own.
        mall.sql("UPDATE listing SET price = 1500 WHERE id = 'm1'")
            .await;
        let dearer = mall.order("u1", "m1").await.unwrap();
        assert_ne!(dearer.order_id, order.order_id);
        assert_eq!(dearer.amount, 1_500);
        // Withdrawn by its maker after it was ordered: still sold, at the frozen price.
        mall.sql("UPDATE listing SET state = 'withdrawn' WHERE id = 'm1'")
            .await;
        mall.buy("u1", &order.order_id).await;
        assert_eq!(mall.coins("u1").await, 7_000);
        // An owned model cannot be paid again, and nothing is charged.
        let twice = mall
            .pay_coins("u1", &dearer.order_id, "")
            .await
            .unwrap_err();
        assert_eq!(code_of(&twice), code::CONFLICT);
        assert_eq!(mall.coins("u1").await, 7_000);
        mall.cancel("u1", &dearer.order_id).await.unwrap();
        mall.test.sound(shape).await;
    }
}

#[tokio::test]
async fn what_the_platform_took_down_is_not_sold_any_more() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offer("m1", "maker", 1_000).await;
        mall.grant("u1", 10_000).await;
        let order = mall.order("u1", "m1").await.unwrap();
        mall.sql("UPDATE listing SET state = 'takendown' WHERE id = 'm1'")
            .await;
        let refused = mall.pay_coins("u1", &order.order_id, "").await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);
        assert_eq!(mall.coins("u1").await, 10_000);
        mall.cancel("u1", &order.order_id).await.unwrap();
        mall.test.sound(shape).await;
    }
}

#[tokio::test]
async fn two_orders_of_one_model_that_are_both_paid_give_it_once_and_the_rest_back() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offer("m1", "maker", 1_000).await;
        mall.offer("m2", "maker", 300).await;
        // Outside, both codes can be scanned before either is reported.
        let one = mall.order("u1", "m1").await.unwrap().order_id;
        let both = mall.cart("u1", "m1,m2", None).await.unwrap().order_id;
        let numbers = [
            mall.pay_outside("u1", &one).await.unwrap(),
            mall.pay_outside("u1", &both).await.unwrap(),
        ];
        for (number, order) in numbers.iter().zip([&one, &both]) {
            assert!(mall.bank.pay(number));
            let message = mall.bank.message(number);
            mall.payments.notified("wechat", &message).await.unwrap();
            mall.becomes("u1", order, 1).await;
        }
        eventually("the second one goes back", || async {
            let mut things = mall.things("u1", &one).await;
            things.extend(mall.things("u1", &both).await);
            (things.iter().filter(|state| *state == "refunded").count() == 1).then_some(())
        })
        .await;
        assert_eq!(mall.grants("u1").await, ["m1:active", "m2:active"]);
        mall.await_pending("maker", 700 + 210).await;
        mall.test.sound(shape).await;
    }
}

#[tokio::test]
async fn a_model_is_given_back_unless_it_was_downloaded() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offer("m1", "maker", 1_000).await;
        mall.offer("m2", "maker", 500).await;
        mall.grant("u1", 10_000).await;
        let order = mall.cart("u1", "m1,m2", None).await.unwrap();
        mall.buy("u1", &order.order_id).await;
        let item = |at: usize| order.order_detail_list[at].id.clone();
        mall.sql(
            "UPDATE model_grant SET first_download_at = 1, downloads = 1 WHERE listing_id = 'm2'",
        )
        .await;
        let late = mall.give_back("u1", &order.order_id, &item(1)).await;
        assert_eq!(code_of(&late.unwrap_err()), code::CONFLICT);
        let stranger = mall.give_back("u2", &order.order_id, &item(0)).await;
        assert_eq!(code_of(&stranger.unwrap_err()), code::NOT_FOUND);
        for _ in 0..2 {
            let state = mall.give_back("u1", &order.order_id, &item(0)).await;
            assert!(["returned", "refunded"].contains(&state.unwrap().as_str()));
        }
        eventually("the price is back", || async {
            let things = mall.things("u1", &order.order_id).await;
            (things == ["refunded", "granted"]).then_some(())
        })
        .await;
        assert_eq!(mall.coins("u1").await, 9_500);
        eventually("the model is gone", || async {
            (mall.grants("u1").await == ["m1:returned", "m2:active"]).then_some(())
        })
        .await;
        mall.await_pending("maker", 350).await;
        // It can be bought again; after the deadline it is not refunded.
        let again = mall.order("u1", "m1").await.unwrap();
        mall.buy("u1", &again.order_id).await;
        mall.await_pending("maker", 350 + 700).await;
        mall.later(7 * DAY + 1)
            .await_income("maker", 350 + 700)
            .await;
        let late = mall
            .give_back("u1", &again.order_id, &again.order_detail_list[0].id)
            .await;
        assert!(message_of(&late.unwrap_err()).contains("7 天"));
        let findings = mall.settle().await.unwrap();
        assert!(findings.is_empty(), "{shape:?}: {findings:?}");
        let (order, item) = (&order.order_id, item(0));
        each_is_named(&mall.test, &faults(order, &item), &format!("{shape:?}")).await;
    }
}

/// Faults of an order with two models, of which one was refunded.
fn faults(order: &str, returned: &str) -> Vec<Fault> {
    let this = format!("id = '{returned}'");
    let other = format!("order_id = '{order}' AND id <> '{returned}'");
    vec![
        change(
            "order",
            "models ordered for another price",
            "purchase_item",
            ["price", "price + 1", "price - 1"],
            &other,
        ),
        change(
            "order",
            "thing of no order of models",
            "purchase",
            ["order_type", "12", "10"],
            &format!("id = '{order}'"),
        ),
        change(
            "order",
            "thing delivered and not paid",
            "purchase_item",
            ["state", "'ordered'", "'granted'"],
            &other,
        ),
        change(
            "order",
            "thing given back and not refunded",
            "purchase_item",
            ["state", "'refunded'", "'granted'"],
            &other,
        ),
        change(
            "order",
            "delivered and refunded without an operator",
            "purchase_item",
            ["state", "'granted'", "'refunded'"],
            &this,
        ),
        change(
            "payment",
            "income of what was not sold so",
            "earning",
            ["paid", "paid + 1", "paid - 1"],
            &other,
        ),
        change(
            "payment",
            "income kept of what was given back",
            "earning",
            ["state", "'matured'", "'reversed'"],
            &this,
        ),
        change(
            "payment",
            "income taken of what was not given back",
            "earning",
            ["state", "'reversed'", "'matured'"],
            &other,
        ),
        change(
            "payment",
            "pending incomes differ from their account",
            "earning",
            ["state", "'pending'", "'matured'"],
            &other,
        ),
        loss(
            "payment",
            "income matured and not booked so",
            "ledger_transaction",
            &format!("book = 'mature' AND key IN (SELECT id FROM earning WHERE {other})"),
        ),
    ]
}

#[tokio::test]
async fn what_a_maker_has_spent_is_his_debt_that_further_sales_pay() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        mall.offer("m1", "maker", 1_000).await;
        mall.offer("m2", "maker", 600).await;
        mall.grant("u1", 10_000).await;
        let order = mall.order("u1", "m1").await.unwrap();
        mall.buy("u1", &order.order_id).await;
        mall.await_pending("maker", 700).await;
        mall.later(7 * DAY).await_income("maker", 700).await;
        // The maker buys something himself.
        mall.offer("m9", "other", 500).await;
        let own = mall.order("maker", "m9").await.unwrap();
        mall.pay_income("maker", &own.order_id).await.unwrap();
        mall.becomes("maker", &own.order_id, 1).await;
        // An operator returns it for the buyer, downloaded or not.
        let orders = xl_order::Orders::open(&mall.contexts.order).unwrap();
        let item = &order.order_detail_list[0].id;
        let give = || orders.return_by_operator(&order.order_id, item, "wang", "与描述不符");
        give().await.unwrap();
        assert!(give().await.is_err());
        eventually("the buyer has the price", || async {
            (mall.coins("u1").await == 10_000).then_some(())
        })
        .await;
        eventually("the maker owes it", || async {
            let owes = mall.incomes("maker").await;
            ((owes.income_balance, owes.debt) == (0, 500)).then_some(())
        })
        .await;
        let order = mall.order("u1", "m2").await.unwrap();
        mall.buy("u1", &order.order_id).await;
        mall.await_pending("maker", 420).await;
        mall.later(7 * DAY);
        eventually("the sale pays it", || async {
            let owes = mall.incomes("maker").await;
            ((owes.income_balance, owes.debt) == (0, 500 - 420)).then_some(())
        })
        .await;
        assert_eq!(mall.grants("u1").await, ["m1:revoked", "m2:active"]);
        mall.test.sound(shape).await;
    }
}
