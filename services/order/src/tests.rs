//! Steps that only a handle of the service can interleave: the sweep of unpaid orders, and an attempt that fails while
//! another begins.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chassis::testing::{Shape, TestParts, shapes};
use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::payment::v1::{
    AttemptFailed, BalancesReply, BalancesRequest, ClearReply, ClearRequest, CountsLeftReply,
    CountsLeftRequest, PaymentCommandsHandler, PaymentCommandsServer, Verdict,
};
use proto::transaction::v1::{
    MakerReply, MakerRequest, QuoteReply, QuoteRequest, ReturnReply, ReturnRequest,
    TransactionCommandsHandler, TransactionCommandsServer,
};
use sea_orm::Condition;
use sea_orm::entity::prelude::*;
use tokio::sync::Semaphore;

use crate::Orders;
use crate::begin::lock_pending;
use crate::config::MINUTE_MS;
use crate::entity::purchase::{Closing, State};
use crate::entity::{coupon, purchase, purchase_item, reservation};

/// The service's handle without its background work; a busy machine may take its time to answer.
async fn orders(shape: Shape) -> (TestParts, Orders) {
    orders_waiting(shape, 60_000).await
}

async fn orders_waiting(shape: Shape, cancel_wait_ms: i64) -> (TestParts, Orders) {
    let test = TestParts::open(shape, &[crate::DEFAULTS], |settings| {
        settings.set("order", "cancel_wait_ms", cancel_wait_ms);
    });
    let test = test.await;
    let context = test.migrated::<crate::Migrator>(crate::NAME).await;
    crate::migrate(&context).await.unwrap();
    (test, Orders::new(context).unwrap())
}

/// Writes a pending order whose window ends in so many minutes.
async fn pending(orders: &Orders, id: &str, minutes: i64) {
    let expires_at = orders.now() + minutes * MINUTE_MS;
    let row = purchase::Model {
        id: id.to_owned(),
        order_no: id.to_owned(),
        owner: "u1".to_owned(),
        function_module: 1,
        order_type: 0,
        description: String::new(),
        amount: 100,
        product: "{}".to_owned(),
        state: State::Pending,
        closing: Closing::Open,
        coupon_id: None,
        coupon_off: 0,
        payable: 100,
        pay_method: None,
        attempt_id: None,
        created_at: 0,
        expires_at,
        paid_at: None,
        fulfilled_at: None,
        ended_at: None,
        shut_at: None,
        checks: 0,
        next_check_at: expires_at,
        version: 1,
    };
    db::insert(row, &orders.context.db).await.unwrap();
}

async fn order(orders: &Orders, id: &str) -> purchase::Model {
    let found = purchase::Entity::find_own_by_id("u1", id).one(&orders.context.db);
    found.await.unwrap().expect("an order")
}

fn live(attempt_id: &str) -> reservation::Model {
    reservation::Model {
        attempt_id: attempt_id.to_owned(),
        order_id: "o1".to_owned(),
        channel: "cloudCoin".to_owned(),
        coupon_id: Some("c1".to_owned()),
        payable: 70,
        coupon_off: 30,
        state: reservation::State::Live,
        created_at: 0,
    }
}

fn reserved_coupon() -> coupon::Model {
    coupon::Model {
        id: "c1".to_owned(),
        owner: "u1".to_owned(),
        template: "t1".to_owned(),
        sys_type: 1,
        kind: coupon::Kind::FaceValue,
        face_value: 30,
        discount_value: 0,
        name: String::new(),
        label: String::new(),
        min_amount: 0,
        function_module: 1,
        state: coupon::State::Reserved,
        order_id: Some("o1".to_owned()),
        release_at: None,
        received_at: 0,
        expires_at: i64::MAX,
    }
}

/// Payment that takes its time to clear an order, and counts how many wait for it at once.
#[derive(Clone, Default)]
struct Slow(Arc<Waiting>);

#[derive(Default)]
struct Waiting {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl PaymentCommandsHandler<ServiceError> for Slow {
    async fn clear(&self, _: ClearRequest) -> Result<ClearReply, ServiceError> {
        let now = self.0.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(200)).await;
        self.0.now.fetch_sub(1, Ordering::SeqCst);
        Ok(ClearReply {
            verdict: Verdict::Clear.into(),
        })
    }

    async fn balances(&self, _: BalancesRequest) -> Result<BalancesReply, ServiceError> {
        Ok(BalancesReply::default())
    }

    async fn counts_left(&self, _: CountsLeftRequest) -> Result<CountsLeftReply, ServiceError> {
        Ok(CountsLeftReply::default())
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unpaid_orders_are_closed_several_at_a_time_with_a_bound() {
    let (test, orders) = orders(Shape::Embedded).await;
    let slow = Slow::default();
    orders
        .context
        .bus
        .serve(PaymentCommandsServer(slow.clone()));
    for number in 0..20 {
        pending(&orders, &format!("o{number}"), -1).await;
    }
    orders.sweep().await.unwrap();
    for number in 0..20 {
        let row = order(&orders, &format!("o{number}")).await;
        assert_eq!(row.state, State::Expired);
    }
    let most = slow.0.most.load(Ordering::SeqCst);
    assert!((2..=8).contains(&most), "{most} at once");
    test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_cannot_be_shut_does_not_keep_the_others_open() {
    let (test, orders) = orders(Shape::Embedded).await;
    orders
        .context
        .bus
        .serve(PaymentCommandsServer(Slow::default()));
    // Due first.
    pending(&orders, "o0", -3).await;
    pending(&orders, "o1", -2).await;
    pending(&orders, "o2", -1).await;
    let refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON purchase WHEN NEW.id = 'o0' \
                  BEGIN SELECT RAISE(ABORT, 'refused'); END";
    orders.context.db.execute_unprepared(refuse).await.unwrap();
    orders.sweep().await.unwrap();
    assert_eq!(order(&orders, "o0").await.state, State::Pending);
    assert_eq!(order(&orders, "o1").await.state, State::Expired);
    assert_eq!(order(&orders, "o2").await.state, State::Expired);
    test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coupon_stays_with_an_attempt_that_begins_while_another_fails() {
    for shape in shapes() {
        let (test, orders) = orders(shape).await;
        let connection = orders.context.db.clone();
        pending(&orders, "o1", 30).await;
        db::insert(reserved_coupon(), &connection).await.unwrap();
        db::insert(live("a1"), &connection).await.unwrap();
        // The second attempt has begun and not committed: it has the order, and the coupon again.
        let begin = db::begin_write(&connection).await.unwrap();
        let locked = lock_pending(&begin, "u1", "o1", Condition::all()).await;
        assert!(locked.unwrap());
        db::insert(live("a2"), &begin).await.unwrap();
        let failing = tokio::spawn({
            let (orders, connection) = (orders.clone(), connection.clone());
            async move {
                let event = AttemptFailed {
                    attempt_id: "a1".to_owned(),
                    order_id: "o1".to_owned(),
                    owner: "u1".to_owned(),
                    closed: true,
                    ..Default::default()
                };
                let transaction = db::begin_write(&connection).await.unwrap();
                orders.failed(&transaction, &event).await.unwrap();
                transaction.commit().await.unwrap();
            }
        });
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(!failing.is_finished(), "{shape:?}: it has to wait");
        begin.commit().await.unwrap();
        failing.await.unwrap();
        let coupon = coupon::Entity::find_own_by_id("u1", "c1");
        let coupon = coupon.one(&connection).await.unwrap().expect("the coupon");
        assert_eq!(
            (coupon.state, coupon.order_id.as_deref()),
            (coupon::State::Reserved, Some("o1")),
            "{shape:?}"
        );
        let first = reservation::Entity::find_by_id("a1").one(&connection).await;
        let first = first.unwrap().expect("the first attempt");
        assert_eq!(first.state, reservation::State::Released);
        test.finish().await;
    }
}

/// Payment that never knows, and counts how often it is asked.
#[derive(Clone, Default)]
struct Unsure(Arc<AtomicUsize>);

impl PaymentCommandsHandler<ServiceError> for Unsure {
    async fn clear(&self, _: ClearRequest) -> Result<ClearReply, ServiceError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(ClearReply {
            verdict: Verdict::Uncertain.into(),
        })
    }

    async fn balances(&self, _: BalancesRequest) -> Result<BalancesReply, ServiceError> {
        Ok(BalancesReply::default())
    }

    async fn counts_left(&self, _: CountsLeftRequest) -> Result<CountsLeftReply, ServiceError> {
        Ok(CountsLeftReply::default())
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

/// A mall that refuses to answer each time, and counts how often it is asked.
#[derive(Clone, Default)]
struct Broken(Arc<AtomicUsize>);

impl TransactionCommandsHandler<ServiceError> for Broken {
    async fn quote(&self, _: QuoteRequest) -> Result<QuoteReply, ServiceError> {
        Ok(QuoteReply::default())
    }

    async fn r#return(&self, _: ReturnRequest) -> Result<ReturnReply, ServiceError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Err(BusinessError::new(code::CONFLICT, "请稍后再试").into())
    }

    async fn maker(&self, _: MakerRequest) -> Result<MakerReply, ServiceError> {
        Ok(MakerReply::default())
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_that_fails_is_resumed_by_one_replica_and_less_and_less() {
    for shape in shapes() {
        let (test, orders) = orders(shape).await;
        let broken = Broken::default();
        let mall = TransactionCommandsServer(broken.clone());
        orders.context.bus.serve(mall);
        pending(&orders, "o1", 30).await;
        let item = purchase_item::Model {
            id: "i1".to_owned(),
            order_id: "o1".to_owned(),
            goods_id: "g1".to_owned(),
            price: 100,
            state: purchase_item::State::Returning,
            updated_at: orders.now(),
            version: 1,
            tries: 0,
            next_check_at: orders.now(),
        };
        db::insert(item, &orders.context.db).await.unwrap();
        let mut waits = Vec::new();
        for round in 1..9 {
            let now = orders.now();
            let (one, other) = tokio::join!(orders.resume_returns(), orders.resume_returns());
            one.unwrap();
            other.unwrap();
            // Not before its time.
            orders.resume_returns().await.unwrap();
            assert_eq!(broken.0.load(Ordering::SeqCst), round, "{shape:?}");
            let row = purchase_item::Entity::find_by_id("i1");
            let row = row.one(&orders.context.db).await.unwrap().unwrap();
            waits.push((row.next_check_at - now) / 1000);
            orders.context.clock.advance_ms(row.next_check_at - now);
        }
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 300, 300], "{shape:?}");
        test.finish().await;
    }
}

/// Payment that does not answer before it is let go.
#[derive(Clone)]
struct Held(Arc<Semaphore>);

impl PaymentCommandsHandler<ServiceError> for Held {
    async fn clear(&self, _: ClearRequest) -> Result<ClearReply, ServiceError> {
        let _free = self.0.acquire().await.map_err(anyhow::Error::from)?;
        Ok(ClearReply {
            verdict: Verdict::Clear.into(),
        })
    }

    async fn balances(&self, _: BalancesRequest) -> Result<BalancesReply, ServiceError> {
        Ok(BalancesReply::default())
    }

    async fn counts_left(&self, _: CountsLeftRequest) -> Result<CountsLeftReply, ServiceError> {
        Ok(CountsLeftReply::default())
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_does_not_wait_for_a_payment_that_hangs() {
    for shape in shapes() {
        let (test, orders) = orders_waiting(shape, 1).await;
        let gate = Arc::new(Semaphore::new(0));
        let held = Held(gate.clone());
        orders.context.bus.serve(PaymentCommandsServer(held));
        pending(&orders, "o1", 30).await;
        // Answered while the gate is closed.
        orders.cancel("u1", "o1").await.unwrap();
        orders.cancel("u1", "o1").await.unwrap();
        let shut = order(&orders, "o1").await;
        let seen = (shut.state, shut.closing);
        assert_eq!(seen, (State::Pending, Closing::Cancelled), "{shape:?}");
        gate.add_permits(1);
        orders.context.clock.advance_ms(301_000);
        orders.sweep().await.unwrap();
        assert_eq!(order(&orders, "o1").await.state, State::Cancelled);
        test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_cannot_be_closed_is_asked_for_less_and_less_and_by_one_replica() {
    for shape in shapes() {
        let (test, orders) = orders(shape).await;
        let unsure = Unsure::default();
        let asked = || unsure.0.load(Ordering::SeqCst);
        orders
            .context
            .bus
            .serve(PaymentCommandsServer(unsure.clone()));
        pending(&orders, "o1", 30).await;
        orders.cancel("u1", "o1").await.unwrap();
        assert_eq!(asked(), 1, "{shape:?}");
        let mut waits = Vec::new();
        for round in 2..12 {
            let before = orders.now();
            orders.context.clock.advance_ms(301_000);
            // Two replicas at the same moment.
            let (one, other) = tokio::join!(orders.sweep(), orders.sweep());
            one.unwrap();
            other.unwrap();
            assert_eq!(asked(), round, "{shape:?}");
            waits.push((order(&orders, "o1").await.next_check_at - before) / 1000 - 301);
        }
        assert!(waits.is_sorted() && waits[0] <= 11, "{waits:?}");
        assert!((300..310).contains(&waits[9]), "{waits:?}");
        let fails = async |attempt_id: &str, owner: &str| {
            let event = AttemptFailed {
                attempt_id: attempt_id.to_owned(),
                order_id: "o1".to_owned(),
                owner: owner.to_owned(),
                closed: true,
                ..Default::default()
            };
            let transaction = db::begin_write(&orders.context.db).await.unwrap();
            orders.failed(&transaction, &event).await.unwrap();
            transaction.commit().await.unwrap();
        };
        // Another user tried to pay it: that changes nothing of it.
        let before = order(&orders, "o1").await;
        fails("a2", "u2").await;
        assert_eq!(order(&orders, "o1").await, before);
        // An attempt of its own ends: payment is asked at once.
        fails("a1", "u1").await;
        orders.sweep().await.unwrap();
        assert_eq!(asked(), 12, "{shape:?}");
        let waiting = orders.waiting(crate::figures::Waiting::Closing, 10).await;
        assert_eq!(waiting.unwrap().len(), 1);
        test.finish().await;
    }
}
