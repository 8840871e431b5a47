//! 4: transitions are compare-and-set: in any order of events, an order ends once and keeps its final state.

use chassis::ServiceError;
use chassis::messaging::Event;
use chassis::testing::{Shape, TestParts};
use chassis::{Context, Service};
use money::{DEFAULTS, hurry};
use proto::common::v1::{ExportPage, ExportPageRequest, Principal};
use proto::events::Published;
use proto::order::v1::order_api_client::OrderApiClient;
use proto::order::v1::{
    BeginRequest, CallerRequest, CreateMemberOrderRequest, OrderCommands, OrderPaid, OrderRequest,
    PaymentRefused,
};
use proto::payment::v1::{
    AttemptFailed, AttemptSucceeded, BalancesReply, BalancesRequest, ClearReply, ClearRequest,
    CountsLeftReply, CountsLeftRequest, PaymentCommandsHandler, PaymentCommandsServer, Verdict,
};
use proto::personal::v1::OrderFulfilled;
use sea_orm::{ConnectionTrait, Statement};
use tonic::Request;

/// A payment that reports for every order that nothing is pending, even when that is wrong.
struct Careless;

impl PaymentCommandsHandler<ServiceError> for Careless {
    async fn clear(&self, _: ClearRequest) -> Result<ClearReply, ServiceError> {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    CouponSucceeds,
    PlainSucceeds,
    CouponFails,
    Cancel,
    TimeOut,
    Delivered,
}

const STEPS: [Step; 6] = [
    Step::CouponSucceeds,
    Step::PlainSucceeds,
    Step::CouponFails,
    Step::Cancel,
    Step::TimeOut,
    Step::Delivered,
];

fn permutations(rest: &[Step]) -> Vec<Vec<Step>> {
    if rest.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in rest.iter().enumerate() {
        let mut others = rest.to_vec();
        others.remove(index);
        for mut tail in permutations(&others) {
            tail.insert(0, *first);
            all.push(tail);
        }
    }
    all
}

struct Lone {
    test: TestParts,
    context: Context,
    service: Service,
}

impl Lone {
    async fn start() -> Self {
        let test = TestParts::open(Shape::Embedded, DEFAULTS, |settings| {
            hurry(settings);
            // The test runs the steps; nothing has to outlive the test, so memory suffices.
            settings.set("order", "sweep_ms", 5);
            settings.set("database", "full_sync", toml_list());
        })
        .await;
        let context = test.migrated::<xl_order::Migrator>(xl_order::NAME).await;
        test.parts.bus.serve(PaymentCommandsServer(Careless));
        let service = xl_order::start(context.clone()).await.unwrap();
        Self {
            test,
            context,
            service,
        }
    }

    fn by<T>(&self, user: &str, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let principal = Principal {
            login_id: user.to_owned(),
            audience: xl_order::NAME.to_owned(),
            ..Default::default()
        };
        let principals = &self.test.parts.principals;
        principals
            .attach(principal, request.metadata_mut())
            .unwrap();
        request
    }

    fn client(&self) -> OrderApiClient<tonic::service::Routes> {
        OrderApiClient::new(self.service.routes.clone().prepare())
    }

    async fn publish<E: Published>(&self, order: &str, body: &E) {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let event = Event {
            id: format!("e{number}"),
            key: E::KEY.to_owned(),
            aggregate: order.to_owned(),
            version: 1,
            time_ms: 1,
            traceparent: String::new(),
            body: body.encode_to_vec(),
        };
        self.test.parts.bus.publish(vec![event]).await.unwrap();
    }

    async fn text(&self, sql: &str) -> Vec<String> {
        let backend = self.context.db.get_database_backend();
        let rows = self
            .context
            .db
            .query_all_raw(Statement::from_string(backend, sql))
            .await
            .unwrap();
        let value = |row: sea_orm::QueryResult| row.try_get::<String>("", "value").unwrap();
        rows.into_iter().map(value).collect()
    }

    async fn begin(&self, user: &str, order: &str, attempt: &str, coupon: &str) -> i64 {
        let request = BeginRequest {
            attempt_id: attempt.to_owned(),
            order_id: order.to_owned(),
            owner: user.to_owned(),
            channel: "cloudCoin".to_owned(),
            coupon_id: coupon.to_owned(),
            coupon_amount: None,
        };
        let bus = &self.test.parts.bus;
        let reply = OrderCommands::begin(bus, &request).await.unwrap();
        let again = OrderCommands::begin(bus, &request).await.unwrap();
        assert_eq!(reply, again);
        reply.payable
    }

    async fn take(&self, step: Step, user: &str, order: &str) {
        let succeeded = |attempt: String, amount: i64| AttemptSucceeded {
            attempt_id: attempt,
            order_id: order.to_owned(),
            owner: user.to_owned(),
            channel: "cloudCoin".to_owned(),
            amount,
            succeeded_at_ms: 1,
        };
        match step {
            Step::CouponSucceeds => {
                let body = succeeded(format!("c{user}"), 26_900);
                self.publish(order, &body).await;
            }
            Step::PlainSucceeds => {
                let body = succeeded(format!("p{user}"), 29_900);
                self.publish(order, &body).await;
            }
            Step::CouponFails => {
                let body = AttemptFailed {
                    attempt_id: format!("c{user}"),
                    order_id: order.to_owned(),
                    owner: user.to_owned(),
                    closed: true,
                    ..Default::default()
                };
                self.publish(order, &body).await;
            }
            Step::Cancel => {
                let request = OrderRequest {
                    order_id: order.to_owned(),
                    ..Default::default()
                };
                // A paid one refuses.
                let _ = self.client().cancel_order(self.by(user, request)).await;
            }
            Step::TimeOut => {
                self.test.parts.clock.advance_ms(31 * 60_000);
                tokio::time::sleep(std::time::Duration::from_millis(15)).await;
            }
            Step::Delivered => {
                let body = OrderFulfilled {
                    order_id: order.to_owned(),
                    fulfilled_at_ms: 1,
                };
                self.publish(order, &body).await;
            }
        }
    }

    /// Plays one permutation with its own user; returns the outcome.
    async fn play(&self, user: &str, steps: &[Step]) -> String {
        let mut client = self.client();
        let gift = self.by(user, CallerRequest::default());
        let gift = client
            .get_combination_coupons(gift)
            .await
            .unwrap()
            .into_inner();
        let coupon = gift.coupons[0].coupon_id.clone();
        let request = CreateMemberOrderRequest {
            member_grade_id: "1".to_owned(),
            ..Default::default()
        };
        let made = client.create_member_order(self.by(user, request)).await;
        let order = made.unwrap().into_inner().order_id;
        assert_eq!(
            self.begin(user, &order, &format!("c{user}"), &coupon).await,
            26_900
        );
        assert_eq!(
            self.begin(user, &order, &format!("p{user}"), "").await,
            29_900
        );
        let mut ended: Option<String> = None;
        for step in steps {
            self.take(*step, user, &order).await;
            let state = format!("SELECT state AS value FROM purchase WHERE id = '{order}'");
            let state = self.text(&state).await.remove(0);
            if let Some(ended) = &ended {
                assert_eq!(&state, ended, "{steps:?}: left its end");
            }
            if !matches!(state.as_str(), "pending" | "paid") {
                ended = Some(state);
            }
        }
        self.check(user, &order, &coupon, steps).await
    }

    async fn check(&self, user: &str, order: &str, coupon: &str, steps: &[Step]) -> String {
        let keys = format!(
            "SELECT event_key AS value FROM outbox WHERE aggregate = '{order}' ORDER BY event_key"
        );
        let keys = self.text(&keys).await;
        let count = |key: &str| keys.iter().filter(|answer| *answer == key).count();
        let (paid, refused) = (count(OrderPaid::KEY), count(PaymentRefused::KEY));
        let one = |column: &str, table: &str, id: &str| {
            format!("SELECT {column} AS value FROM {table} WHERE id = '{id}'")
        };
        let state = self.text(&one("state", "purchase", order)).await.remove(0);
        let coupon = self.text(&one("state", "coupon", coupon)).await.remove(0);
        let by = self
            .text(&one("COALESCE(attempt_id, '')", "purchase", order))
            .await
            .remove(0);
        assert_eq!(
            paid + refused,
            2,
            "{steps:?}: each success is taken or refused"
        );
        assert!(paid <= 1, "{steps:?}");
        assert_eq!(
            paid == 1,
            matches!(state.as_str(), "paid" | "fulfilled"),
            "{steps:?}: {state}"
        );
        let used = by == format!("c{user}");
        assert_eq!(
            coupon,
            if used { "consumed" } else { "available" },
            "{steps:?}: {state}"
        );
        state
    }
}

fn toml_list() -> Vec<String> {
    Vec::new()
}

#[tokio::test]
async fn invariant_4_every_permutation_of_six_events() {
    let lone = Lone::start().await;
    let mut ends = std::collections::BTreeMap::<String, u32>::new();
    for (number, steps) in permutations(&STEPS).into_iter().enumerate() {
        let user = format!("u{number}");
        *ends.entry(lone.play(&user, &steps).await).or_default() += 1;
    }
    // Every outcome occurs, so the permutations were effective.
    assert_eq!(ends.values().sum::<u32>(), 720);
    for end in ["cancelled", "expired", "fulfilled", "paid"] {
        assert!(ends.contains_key(end), "{ends:?}");
    }
    lone.test.finish().await;
}
