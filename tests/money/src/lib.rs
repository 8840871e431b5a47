//! Order, payment and personal in one process, an outside channel with injectable faults, and the audit over all
//! of them: the basis for the tests of the money's invariants.

pub mod audit;
pub mod bank;
pub mod mall;

use std::sync::Arc;

use chassis::{Context, Parts, Service, Settings};
use proto::common::v1::Principal;
use proto::order::v1::order_api_client::OrderApiClient;
use proto::order::v1::{
    CallerRequest, Coupon, CreateMemberOrderRequest, CreateModelOrderRequest,
    CreatePackageOrderRequest, CreateRechargeOrderRequest, OrderInfo, OrderRequest,
};
use proto::payment::v1::payment_api_client::PaymentApiClient;
use proto::payment::v1::{CountPayRequest, MemberFreeCount, MemberFreeCountsRequest, PayRequest};
use proto::personal::v1::account_api_client::AccountApiClient;
use proto::personal::v1::package_api_client::PackageApiClient;
use proto::personal::v1::profile_api_client::ProfileApiClient;
use proto::personal::v1::{UserInfo, UserRequest};
use tonic::service::Routes;
use tonic::{Request, Status};
use xl_payment::Payment;
use xl_payment::provider::Provider;

use crate::bank::Bank;

pub const DEFAULTS: &[&str] = &[
    xl_order::DEFAULTS,
    xl_payment::DEFAULTS,
    xl_personal::DEFAULTS,
];

/// Contexts of the three services.
pub struct Contexts {
    pub order: Context,
    pub payment: Context,
    pub personal: Context,
}

pub struct World {
    pub parts: Parts,
    pub contexts: Contexts,
    pub payments: Payment,
    pub bank: Arc<Bank>,
    order: Service,
    payment: Service,
    personal: Service,
}

/// Short periods, since no user is waiting here.
pub fn hurry(settings: &mut Settings) {
    settings.set("order", "sweep_ms", 20);
    settings.set("order", "retry_s", 0);
    settings.set("order", "pending_limit", 1000);
    // Longer than a verdict takes on a busy machine.
    settings.set("order", "cancel_wait_ms", 60_000);
    settings.set("payment", "sweep_ms", 20);
    settings.set("payment", "retry_s", 0);
    // Longer than an attempt takes on a busy machine: an attempt that ends meanwhile refuses its own payment.
    settings.set("payment", "abandoned_s", 15);
}

/// Like [`hurry`], for tests whose attempts are interrupted at each step.
pub fn hurry_after_faults(settings: &mut Settings) {
    hurry(settings);
    settings.set("payment", "abandoned_s", 3);
}

/// The code of a refusal; 0 for another kind of failure.
pub fn code_of(status: &Status) -> i32 {
    chassis::error::business_error(status).map_or(0, |answer| answer.code)
}

/// Waits until `check` is true; fails after two minutes. Not from `chassis::testing`, so that this crate does not
/// enable the test parts in other crates of the same build.
async fn until<F: Future<Output = bool>>(what: &str, check: impl Fn() -> F) {
    for _ in 0..6000 {
        if check().await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("waited in vain: {what}");
}

impl World {
    /// With the [`Bank`] as the only channel outside.
    pub async fn start(parts: Parts, contexts: Contexts) -> anyhow::Result<Self> {
        let bank = Arc::new(Bank::default());
        Self::start_with(parts, contexts, bank.clone(), vec![bank]).await
    }

    /// With the channels in the settings; the bank is not one of them.
    pub async fn start_configured(parts: Parts, contexts: Contexts) -> anyhow::Result<Self> {
        let providers = xl_payment::providers(&contexts.payment)?;
        Self::start_with(parts, contexts, Arc::default(), providers).await
    }

    async fn start_with(
        parts: Parts,
        contexts: Contexts,
        bank: Arc<Bank>,
        providers: Vec<Arc<dyn Provider>>,
    ) -> anyhow::Result<Self> {
        let hold = parts.bus.hold();
        let order = xl_order::start(contexts.order.clone()).await?;
        let (payments, payment) =
            xl_payment::start_with(contexts.payment.clone(), providers).await?;
        let personal = xl_personal::start(contexts.personal.clone()).await?;
        drop(hold);
        let world = Self {
            parts,
            contexts,
            payments,
            bank,
            order,
            payment,
            personal,
        };
        world.wait_for_bus().await;
        Ok(world)
    }

    /// Commands are answered once their queues exist.
    async fn wait_for_bus(&self) {
        until("services answer commands", || async {
            let info = self.recharge("nobody", 100).await;
            let counts = self.account("nobody").await;
            info.is_ok() && counts.is_ok()
        })
        .await;
    }

    fn by<T>(&self, audience: &str, user: &str, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let principal = Principal {
            login_id: user.to_owned(),
            audience: audience.to_owned(),
            ..Default::default()
        };
        // This process has the signing key.
        if let Err(status) = self
            .parts
            .principals
            .attach(principal, request.metadata_mut())
        {
            panic!("{status}");
        }
        request
    }

    pub fn orders(&self) -> OrderApiClient<Routes> {
        OrderApiClient::new(self.order.routes.clone().prepare())
    }

    pub fn order_call<T>(&self, user: &str, message: T) -> Request<T> {
        self.by(xl_order::NAME, user, message)
    }

    /// For a test's own gateway.
    pub fn payment_service(&self) -> Service {
        self.payment.clone()
    }

    /// The same for orders.
    pub fn order_service(&self) -> Service {
        self.order.clone()
    }

    pub fn payment_api(&self) -> PaymentApiClient<Routes> {
        PaymentApiClient::new(self.payment.routes.clone().prepare())
    }

    pub fn payment_call<T>(&self, user: &str, message: T) -> Request<T> {
        self.by(xl_payment::NAME, user, message)
    }

    pub async fn grant(&self, user: &str, cents: i64) {
        let key = format!("test:{user}");
        let granted = xl_payment::admin::grant(&self.contexts.payment, user, cents, &key).await;
        granted.unwrap_or_else(|error| panic!("{error:#}"));
    }

    /// Orders a year of a grade: 1 basic, 2 advanced, 3 professional.
    pub async fn membership(&self, user: &str, grade: &str) -> Result<OrderInfo, Status> {
        let request = CreateMemberOrderRequest {
            member_grade_id: grade.to_owned(),
            ..Default::default()
        };
        let request = self.order_call(user, request);
        let reply = self.orders().create_member_order(request).await?;
        Ok(reply.into_inner())
    }

    /// Orders a model of the mall, if the mall is running.
    pub async fn model(&self, user: &str, model: &str) -> Result<OrderInfo, Status> {
        let request = CreateModelOrderRequest {
            model_id: model.to_owned(),
            ..Default::default()
        };
        let request = self.order_call(user, request);
        let reply = self.orders().create_model_order(request).await?;
        Ok(reply.into_inner())
    }

    /// Pays an order of one model with a free count.
    pub async fn pay_count(&self, user: &str, order: &str) -> Result<(), Status> {
        let request = self.payment_call(user, Self::count_request(order));
        let mut api = self.payment_api();
        api.pay_by_member_free_count(request).await.map(drop)
    }

    /// Pays an order of several models with free counts.
    pub async fn pay_counts(&self, user: &str, order: &str) -> Result<(), Status> {
        let request = self.payment_call(user, Self::count_request(order));
        let mut api = self.payment_api();
        let paid = api.batch_pay_models_by_member_free_count(request).await;
        paid.map(drop)
    }

    fn count_request(order: &str) -> CountPayRequest {
        CountPayRequest {
            order_id: order.to_owned(),
            ..Default::default()
        }
    }

    /// The free counts of the running membership.
    pub async fn free_counts(&self, user: &str) -> Vec<MemberFreeCount> {
        let request = self.payment_call(user, MemberFreeCountsRequest::default());
        match self.payment_api().member_free_counts(request).await {
            Ok(reply) => reply.into_inner().counts,
            Err(status) => panic!("{status}"),
        }
    }

    pub async fn recharge(&self, user: &str, cents: i64) -> Result<OrderInfo, Status> {
        let request = CreateRechargeOrderRequest {
            amount: cents,
            ..Default::default()
        };
        let request = self.order_call(user, request);
        let reply = self.orders().create_recharge_order(request).await?;
        Ok(reply.into_inner())
    }

    pub fn pay_request(order: &str, coupon: &str) -> PayRequest {
        PayRequest {
            order_id: order.to_owned(),
            coupon_id: coupon.to_owned(),
            ..Default::default()
        }
    }

    pub async fn pay_coins(&self, user: &str, order: &str, coupon: &str) -> Result<(), Status> {
        let request = self.payment_call(user, Self::pay_request(order, coupon));
        self.payment_api().cloud_coin_pay(request).await.map(drop)
    }

    pub async fn pay_income(&self, user: &str, order: &str) -> Result<(), Status> {
        let request = self.payment_call(user, Self::pay_request(order, ""));
        let mut api = self.payment_api();
        api.income_balance_pay(request).await.map(drop)
    }

    /// Asks for a QR code; at the [`Bank`] its text is the number of the attempt.
    pub async fn pay_outside(&self, user: &str, order: &str) -> Result<String, Status> {
        let request = self.payment_call(user, Self::pay_request(order, ""));
        let reply = self.payment_api().weixin_pay(request).await?;
        Ok(reply.into_inner().code_url)
    }

    /// Asks for the form that leads to Alipay.
    pub async fn pay_by_form(
        &self,
        user: &str,
        order: &str,
        return_url: &str,
    ) -> Result<String, Status> {
        let mut request = Self::pay_request(order, "");
        request.return_url = return_url.to_owned();
        let request = self.payment_call(user, request);
        let reply = self.payment_api().pc_alipay(request).await?;
        Ok(reply.into_inner().form)
    }

    pub async fn cancel(&self, user: &str, order: &str) -> Result<(), Status> {
        let request = OrderRequest {
            order_id: order.to_owned(),
            ..Default::default()
        };
        let request = self.order_call(user, request);
        self.orders().cancel_order(request).await.map(drop)
    }

    /// State of the order as a number, and whether it was delivered.
    pub async fn status(&self, user: &str, order: &str) -> (i32, bool) {
        let request = OrderRequest {
            order_id: order.to_owned(),
            ..Default::default()
        };
        let request = self.order_call(user, request);
        match self.orders().find_by_order_id(request).await {
            Ok(reply) => {
                let status = reply.into_inner();
                (status.status, status.fulfilled)
            }
            Err(status) => panic!("{status}"),
        }
    }

    pub async fn gift(&self, user: &str) -> Result<Vec<Coupon>, Status> {
        let request = self.order_call(user, CallerRequest::default());
        let reply = self.orders().get_combination_coupons(request).await?;
        Ok(reply.into_inner().coupons)
    }

    /// Ids of the caller's usable coupons.
    pub async fn usable(&self, user: &str) -> Vec<String> {
        let request = self.order_call(user, CallerRequest::default());
        match self.orders().get_active_coupons(request).await {
            Ok(reply) => {
                let coupons = reply.into_inner().coupons;
                coupons.into_iter().map(|c| c.coupon_id).collect()
            }
            Err(status) => panic!("{status}"),
        }
    }

    pub async fn profile(&self, user: &str) -> UserInfo {
        let mut client = ProfileApiClient::new(self.personal.routes.clone().prepare());
        let request = self.by(xl_personal::NAME, user, UserRequest::default());
        match client.query_info(request).await {
            Ok(reply) => reply.into_inner(),
            Err(status) => panic!("{status}"),
        }
    }

    pub async fn package(&self, user: &str, package: &str) -> Result<OrderInfo, Status> {
        let request = CreatePackageOrderRequest {
            package_id: package.to_owned(),
            ..Default::default()
        };
        let request = self.order_call(user, request);
        let reply = self.orders().create_package_order(request).await?;
        Ok(reply.into_inner())
    }

    pub async fn own_packages(&self, user: &str) -> Vec<proto::personal::v1::OwnPackage> {
        let mut client = PackageApiClient::new(self.personal.routes.clone().prepare());
        let request = self.by(xl_personal::NAME, user, UserRequest::default());
        match client.my_package_list(request).await {
            Ok(reply) => reply.into_inner().packages,
            Err(status) => panic!("{status}"),
        }
    }

    pub async fn account(&self, user: &str) -> Result<proto::personal::v1::AccountInfo, Status> {
        let mut client = AccountApiClient::new(self.personal.routes.clone().prepare());
        let request = self.by(xl_personal::NAME, user, UserRequest::default());
        let reply = client.account_information(request).await?;
        Ok(reply.into_inner())
    }

    pub async fn coins(&self, user: &str) -> i64 {
        match self.account(user).await {
            Ok(account) => account.cloud_coin,
            Err(status) => panic!("{status}"),
        }
    }

    /// Waits until an order has this state.
    pub async fn becomes(&self, user: &str, order: &str, status: i32) {
        let what = format!("order {order} becomes {status}");
        until(&what, || async {
            self.status(user, order).await.0 == status
        })
        .await;
    }
}
