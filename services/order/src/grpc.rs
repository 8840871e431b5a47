//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::order::v1::order_api_server::OrderApi;
use proto::order::v1::*;
use tonic::Request;

use crate::Orders;

pub(crate) struct Api {
    orders: Orders,
}

impl Api {
    pub(crate) fn new(orders: Orders) -> Self {
        Self { orders }
    }
}

#[tonic::async_trait]
impl OrderApi for Api {
    async fn select_member_grade_list(&self, _: Request<CallerRequest>) -> Reply<MemberGrades> {
        let grades = self.orders.config.grades.iter();
        reply(Ok(MemberGrades {
            grades: grades.map(|grade| grade.to_proto()).collect(),
        }))
    }

    async fn create_member_order(
        &self,
        request: Request<CreateMemberOrderRequest>,
    ) -> Reply<OrderInfo> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.create_membership(&owner, &request).await)
    }

    async fn check_need_member_coupon_up(&self, request: Request<CallerRequest>) -> Reply<Flag> {
        let (owner, _) = signed_in(request)?;
        let member = self.orders.is_member(&owner).await?;
        let flag = !member && !self.orders.usable(&owner).await?.is_empty();
        reply(Ok(Flag { flag }))
    }

    async fn check_coupon_up_deadline_seven(&self, request: Request<CallerRequest>) -> Reply<Flag> {
        let (owner, _) = signed_in(request)?;
        let flag = self.orders.any_expiring(&owner).await;
        reply(flag.map(|flag| Flag { flag }))
    }

    async fn create_recharge_order(
        &self,
        request: Request<CreateRechargeOrderRequest>,
    ) -> Reply<OrderInfo> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.create_recharge(&owner, &request).await)
    }

    async fn package_list(&self, request: Request<CallerRequest>) -> Reply<Packages> {
        signed_in(request)?;
        let packages = self.orders.config.packages.iter();
        reply(Ok(Packages {
            packages: packages.map(|package| package.to_proto()).collect(),
        }))
    }

    async fn create_package_order(
        &self,
        request: Request<CreatePackageOrderRequest>,
    ) -> Reply<OrderInfo> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.create_package(&owner, &request).await)
    }

    async fn create_model_order(
        &self,
        request: Request<CreateModelOrderRequest>,
    ) -> Reply<OrderInfo> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.create_model(&owner, &request).await)
    }

    async fn create_cart_order(
        &self,
        request: Request<CreateCartOrderRequest>,
    ) -> Reply<OrderInfo> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.create_cart(&owner, &request).await)
    }

    async fn return_item(&self, request: Request<ReturnItemRequest>) -> Reply<ReturnItemReply> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.return_item(&owner, &request).await)
    }

    async fn coupon_list(&self, request: Request<CouponListRequest>) -> Reply<Coupons> {
        let (owner, request) = signed_in(request)?;
        let coupons = self.orders.list_coupons(&owner, &request).await;
        reply(coupons.map(|coupons| Coupons { coupons }))
    }

    async fn active_coupon_list(&self, request: Request<OrderRequest>) -> Reply<Coupons> {
        let (owner, request) = signed_in(request)?;
        let order = self.orders.own(&owner, &request.order_id).await?;
        let now = self.orders.now();
        let coupons = self.orders.usable_on(&order).await?;
        reply(Ok(Coupons {
            coupons: coupons.iter().map(|coupon| coupon.to_proto(now)).collect(),
        }))
    }

    async fn get_active_coupons(&self, request: Request<CallerRequest>) -> Reply<Coupons> {
        let (owner, _) = signed_in(request)?;
        let now = self.orders.now();
        let coupons = self.orders.usable(&owner).await?;
        reply(Ok(Coupons {
            coupons: coupons.iter().map(|coupon| coupon.to_proto(now)).collect(),
        }))
    }

    async fn has_been_got_combination_coupons(
        &self,
        request: Request<CallerRequest>,
    ) -> Reply<Flag> {
        let (owner, _) = signed_in(request)?;
        let flag = self.orders.has_received(&owner).await;
        reply(flag.map(|flag| Flag { flag }))
    }

    async fn get_combination_coupons(&self, request: Request<CallerRequest>) -> Reply<Coupons> {
        let (owner, _) = signed_in(request)?;
        let coupons = self.orders.receive(&owner).await;
        reply(coupons.map(|coupons| Coupons { coupons }))
    }

    async fn cancel_order(&self, request: Request<OrderRequest>) -> Reply<Empty> {
        let (owner, request) = signed_in(request)?;
        let cancelled = self.orders.cancel(&owner, &request.order_id).await;
        reply(cancelled.map(|()| Empty {}))
    }

    async fn get_by_id(&self, request: Request<OrderRequest>) -> Reply<OrderInfo> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.info(&owner, &request.order_id).await)
    }

    async fn find_by_order_id(&self, request: Request<OrderRequest>) -> Reply<OrderStatus> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.status(&owner, &request.order_id).await)
    }

    async fn list_orders(&self, request: Request<ListOrdersRequest>) -> Reply<OrderPage> {
        let (owner, request) = signed_in(request)?;
        reply(self.orders.list(&owner, &request).await)
    }
}
