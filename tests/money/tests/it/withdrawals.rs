//! Withdrawals of a sale's income, with the mall, order and personal beside payment; and the auditor's findings in the books.

use chassis::ServiceError;
use chassis::testing::{eventually, shapes};
use proto::auth::v1::{
    AuthCommandsHandler, AuthCommandsServer, CertifiedAsReply, CertifiedAsRequest,
};
use proto::common::v1::Principal;
use proto::payment::v1::withdrawal_api_client::WithdrawalApiClient;
use proto::payment::v1::withdrawal_console_api_client::WithdrawalConsoleApiClient;
use proto::payment::v1::*;
use sea_orm::{ConnectionTrait, Statement};
use tonic::Request;
use tonic::service::Routes;

use crate::auditor::{Fault, change, each_is_named, fault, loss};
use crate::goods::Mall;

const DAY: i64 = 24 * 60;

/// Auth: every user is certified under the stated name.
struct Certified;

impl AuthCommandsHandler<ServiceError> for Certified {
    async fn certified_as(&self, _: CertifiedAsRequest) -> Result<CertifiedAsReply, ServiceError> {
        Ok(CertifiedAsReply {
            certified: true,
            same: true,
            enterprise: false,
        })
    }
}

impl Mall {
    fn payment_routes(&self) -> Routes {
        self.payment_service().routes.prepare()
    }

    fn of<T>(&self, operator: &str, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            audience: xl_payment::NAME.to_owned(),
            operator: true,
            operator_id: operator.to_owned(),
            operator_name: operator.to_owned(),
            permissions: vec!["*".to_owned()],
            fresh_until_ms: i64::MAX,
            ..Default::default()
        };
        let principals = &self.test.world.parts.principals;
        principals
            .attach(principal, request.metadata_mut())
            .unwrap();
        request
    }

    async fn bind_card(&self, user: &str) -> String {
        let mut api = WithdrawalApiClient::new(self.payment_routes());
        let card = eventually("a card", || async {
            let form = ModifyBankRequest {
                suffix: "add".into(),
                card_no: "6222021234567890128".into(),
                holder: "张三丰".into(),
                ..Default::default()
            };
            let mut api = api.clone();
            api.modify_bank(self.payment_call(user, form)).await.ok()
        });
        let card = card.await.into_inner().id;
        let form = CardListRequest::default();
        let listed = api.query_card_list(self.payment_call(user, form)).await;
        assert_eq!(listed.unwrap().into_inner().results.len(), 1);
        card
    }

    async fn withdraw(&self, user: &str, card: &str, number: &str, cents: i64) -> Withdrawal {
        let form = ManualCheckRequest {
            request_no: number.to_owned(),
            card_id: card.to_owned(),
            amount: cents,
            ..Default::default()
        };
        let mut api = WithdrawalApiClient::new(self.payment_routes());
        let asked = api.manual_check(self.payment_call(user, form)).await;
        asked.unwrap().into_inner()
    }

    async fn pay_out(&self, id: &str, approvers: &[&str]) {
        let mut console = WithdrawalConsoleApiClient::new(self.payment_routes());
        for (before, operator) in approvers.iter().enumerate() {
            let form = WithdrawalDecideRequest {
                id: id.to_owned(),
                version: before as i64 + 1,
                reason: "收入来源正常".into(),
            };
            console
                .withdrawal_approve(self.of(operator, form))
                .await
                .unwrap();
        }
        let version = approvers.len() as i64 + 1;
        let take = WithdrawalTakeRequest {
            id: id.to_owned(),
            version,
        };
        console
            .withdrawal_take(self.of("anna", take))
            .await
            .unwrap();
        let paid = WithdrawalPaidRequest {
            id: id.to_owned(),
            version: version + 1,
            reference: "ICBC-1".into(),
        };
        console
            .withdrawal_paid(self.of("anna", paid))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn income_of_sales_is_withdrawn_and_every_fault_in_it_is_named() {
    for shape in shapes() {
        let mall = Mall::start(shape).await;
        let auth = mall.test.context("auth").await;
        auth.bus.serve(AuthCommandsServer(Certified));
        mall.offer("m1", "maker", 2_000_000).await;
        mall.grant("u1", 2_000_000).await;
        let order = mall.order("u1", "m1").await.unwrap();
        mall.buy("u1", &order.order_id).await;
        mall.await_pending("maker", 1_400_000).await;
        mall.later(7 * DAY).await_income("maker", 1_400_000).await;
        let card = mall.bind_card("maker").await;
        let paid = mall.withdraw("maker", &card, "number-1", 1_200_000).await;
        let form = WithdrawalShowRequest {
            id: paid.id.clone(),
        };
        let mut console = WithdrawalConsoleApiClient::new(mall.payment_routes());
        let shown = console.withdrawal_show(mall.of("anna", form)).await;
        let shown = shown.unwrap().into_inner();
        // Gifted coins are shown to the operator.
        assert_eq!(
            (shown.earned, shown.from_gifted, shown.frozen),
            (1_400_000, 1_400_000, false)
        );
        assert_eq!(
            (shown.sources[0].channel.as_str(), shown.sources[0].sales),
            ("cloudCoin", 1)
        );
        assert_eq!(
            (shown.buyers[0].login_id.as_str(), shown.buyers[0].gifted),
            ("u1", 2_000_000)
        );
        mall.pay_out(&paid.id, &["anna", "bob"]).await;
        let open = mall.withdraw("maker", &card, "number-2", 50_000).await;
        assert_eq!(mall.account("maker").await.unwrap().income_balance, 150_000);
        eventually("its owner is told", || async {
            let db = &mall.contexts.personal.db;
            let asked = "SELECT id FROM message WHERE kind = 'withdrawalPaid'";
            let asked = Statement::from_string(db.get_database_backend(), asked);
            db.query_one_raw(asked).await.unwrap()
        })
        .await;
        let findings = mall.test.world.settle().await.unwrap();
        assert!(findings.is_empty(), "{shape:?}: {findings:?}");
        each_is_named(
            &mall.test,
            &faults(&paid.id, &open.id),
            &format!("{shape:?}"),
        )
        .await;
    }
}

fn faults(paid: &str, open: &str) -> Vec<Fault> {
    let this = |id: &str| format!("id = '{id}'");
    vec![
        change(
            "payment",
            "withdrawal open and not held",
            "hold",
            ["amount", "amount + 1", "amount - 1"],
            &this(open),
        ),
        change(
            "payment",
            "held for no open withdrawal",
            "withdrawal",
            ["state", "'refused'", "'requested'"],
            &this(open),
        ),
        change(
            "payment",
            "withdrawal paid and not booked so",
            "withdrawal",
            ["fee", "fee + 1", "fee - 1"],
            &this(paid),
        ),
        change(
            "payment",
            "booked as withdrawn and not paid",
            "withdrawal",
            ["state", "'failed'", "'paid'"],
            &this(paid),
        ),
        change(
            "payment",
            "large withdrawal approved by one",
            "withdrawal",
            ["checked_id", "approved_id", "'anna'"],
            &this(paid),
        ),
        loss(
            "payment",
            "withdrawal paid and not booked so",
            "ledger_transaction",
            &format!("book = 'withdraw' AND key = '{paid}'"),
        ),
        fault(
            "payment",
            "held for no open withdrawal",
            "INSERT INTO hold (id, account_id, amount, state, created_at) VALUES ('h1', 'income:maker', 1, 'held', 1)",
            "DELETE FROM hold WHERE id = 'h1'",
        ),
    ]
}
