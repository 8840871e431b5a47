//! The generated trait: request → domain → reply.

use chassis::ServiceError;
use chassis::rpc::signed_in as parts;
use proto::common::v1::Empty;
use proto::order::v1::order_api_server::OrderApi;
use proto::order::v1::*;
use tonic::{Request, Response, Status};

use crate::Orders;

pub(crate) struct Api {
    orders: Orders,
}

impl Api {
    pub(crate) fn new(orders: Orders) -> Self {
        Self { orders }
    }
}

type Answer<T> = Result<Response<T>, Status>;

fn answer<T>(value: Result<T, ServiceError>) -> Answer<T> {
    value.map(Response::new).map_err(Status::from)
}

#[tonic::async_trait]
impl OrderApi for Api {
    async fn select_member_grade_list(&self, _: Request<CallerRequest>) -> Answer<MemberGrades> {
        let grades = self.orders.config.grades.iter();
        answer(Ok(MemberGrades {
            grades: grades.map(|grade| grade.to_proto()).collect(),
        }))
    }

    async fn create_member_order(
        &self,
        request: Request<CreateMemberOrderRequest>,
    ) -> Answer<OrderInfo> {
        let (owner, request) = parts(request)?;
        answer(self.orders.create_membership(&owner, &request).await)
    }

    async fn check_need_member_coupon_up(&self, request: Request<CallerRequest>) -> Answer<Flag> {
        let (owner, _) = parts(request)?;
        let member = self.orders.running_rank(&owner).await?.is_some();
        let flag = !member && !self.orders.usable(&owner).await?.is_empty();
        answer(Ok(Flag { flag }))
    }

    async fn check_coupon_up_deadline_seven(
        &self,
        request: Request<CallerRequest>,
    ) -> Answer<Flag> {
        let (owner, _) = parts(request)?;
        let flag = self.orders.any_expiring(&owner).await;
        answer(flag.map(|flag| Flag { flag }))
    }

    async fn create_recharge_order(
        &self,
        request: Request<CreateRechargeOrderRequest>,
    ) -> Answer<OrderInfo> {
        let (owner, request) = parts(request)?;
        answer(self.orders.create_recharge(&owner, &request).await)
    }

    async fn package_list(&self, request: Request<CallerRequest>) -> Answer<Packages> {
        parts(request)?;
        let packages = self.orders.config.packages.iter();
        answer(Ok(Packages {
            packages: packages.map(|package| package.to_proto()).collect(),
        }))
    }

    async fn create_package_order(
        &self,
        request: Request<CreatePackageOrderRequest>,
    ) -> Answer<OrderInfo> {
        let (owner, request) = parts(request)?;
        answer(self.orders.create_package(&owner, &request).await)
    }

    async fn coupon_list(&self, request: Request<CouponListRequest>) -> Answer<Coupons> {
        let (owner, request) = parts(request)?;
        let coupons = self.orders.list_coupons(&owner, &request).await;
        answer(coupons.map(|coupons| Coupons { coupons }))
    }

    async fn active_coupon_list(&self, request: Request<OrderRequest>) -> Answer<Coupons> {
        let (owner, request) = parts(request)?;
        let order = self.orders.own(&owner, &request.order_id).await?;
        let now = self.orders.now();
        let coupons = self.orders.usable_on(&order).await?;
        answer(Ok(Coupons {
            coupons: coupons.iter().map(|coupon| coupon.to_proto(now)).collect(),
        }))
    }

    async fn get_active_coupons(&self, request: Request<CallerRequest>) -> Answer<Coupons> {
        let (owner, _) = parts(request)?;
        let now = self.orders.now();
        let coupons = self.orders.usable(&owner).await?;
        answer(Ok(Coupons {
            coupons: coupons.iter().map(|coupon| coupon.to_proto(now)).collect(),
        }))
    }

    async fn has_been_got_combination_coupons(
        &self,
        request: Request<CallerRequest>,
    ) -> Answer<Flag> {
        let (owner, _) = parts(request)?;
        let flag = self.orders.has_received(&owner).await;
        answer(flag.map(|flag| Flag { flag }))
    }

    async fn get_combination_coupons(&self, request: Request<CallerRequest>) -> Answer<Coupons> {
        let (owner, _) = parts(request)?;
        let coupons = self.orders.receive(&owner).await;
        answer(coupons.map(|coupons| Coupons { coupons }))
    }

    async fn cancel_order(&self, request: Request<OrderRequest>) -> Answer<Empty> {
        let (owner, request) = parts(request)?;
        let cancelled = self.orders.cancel(&owner, &request.order_id).await;
        answer(cancelled.map(|()| Empty {}))
    }

    async fn get_by_id(&self, request: Request<OrderRequest>) -> Answer<OrderInfo> {
        let (owner, request) = parts(request)?;
        answer(self.orders.info(&owner, &request.order_id).await)
    }

    async fn find_by_order_id(&self, request: Request<OrderRequest>) -> Answer<OrderStatus> {
        let (owner, request) = parts(request)?;
        answer(self.orders.status(&owner, &request.order_id).await)
    }

    async fn list_orders(&self, request: Request<ListOrdersRequest>) -> Answer<OrderPage> {
        let (owner, request) = parts(request)?;
        answer(self.orders.list(&owner, &request).await)
    }
}
