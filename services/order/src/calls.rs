//! The calls that order answers; most delegate to the module of their subject.

use chassis::{Caller, ServiceError, SignedIn};
use proto::order::v1::*;

use crate::Orders;

impl OrderCalls<ServiceError> for Orders {
    async fn select_member_grade_list(
        &self,
        _: &Caller,
        _: CallerRequest,
    ) -> Result<Vec<MemberGrade>, ServiceError> {
        let grades = self.config.grades.iter();
        Ok(grades.map(|grade| grade.to_proto()).collect())
    }

    async fn create_member_order(
        &self,
        caller: &SignedIn,
        request: CreateMemberOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        self.create_membership(caller.login_id(), &request).await
    }

    async fn check_need_member_coupon_up(
        &self,
        caller: &SignedIn,
        _: CallerRequest,
    ) -> Result<bool, ServiceError> {
        let owner = caller.login_id();
        Ok(!self.is_member(owner).await? && !self.usable(owner).await?.is_empty())
    }

    async fn check_coupon_up_deadline_seven(
        &self,
        caller: &SignedIn,
        _: CallerRequest,
    ) -> Result<bool, ServiceError> {
        self.any_expiring(caller.login_id()).await
    }

    async fn create_recharge_order(
        &self,
        caller: &SignedIn,
        request: CreateRechargeOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        self.create_recharge(caller.login_id(), &request).await
    }

    async fn package_list(
        &self,
        _: &SignedIn,
        _: CallerRequest,
    ) -> Result<Vec<Package>, ServiceError> {
        let packages = self.config.packages.iter();
        Ok(packages.map(|package| package.to_proto()).collect())
    }

    async fn create_package_order(
        &self,
        caller: &SignedIn,
        request: CreatePackageOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        self.create_package(caller.login_id(), &request).await
    }

    async fn create_model_order(
        &self,
        caller: &SignedIn,
        request: CreateModelOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        self.create_model(caller.login_id(), &request).await
    }

    async fn create_cart_order(
        &self,
        caller: &SignedIn,
        request: CreateCartOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        self.create_cart(caller.login_id(), &request).await
    }

    async fn return_item(
        &self,
        caller: &SignedIn,
        request: ReturnItemRequest,
    ) -> Result<ReturnItemReply, ServiceError> {
        Orders::return_item(self, caller.login_id(), &request).await
    }

    async fn coupon_list(
        &self,
        caller: &SignedIn,
        request: CouponListRequest,
    ) -> Result<Vec<Coupon>, ServiceError> {
        self.list_coupons(caller.login_id(), &request).await
    }

    async fn active_coupon_list(
        &self,
        caller: &SignedIn,
        request: OrderRequest,
    ) -> Result<Vec<Coupon>, ServiceError> {
        let order = self.own(caller.login_id(), &request.order_id).await?;
        let now = self.now();
        let coupons = self.usable_on(&order).await?;
        Ok(coupons.iter().map(|coupon| coupon.to_proto(now)).collect())
    }

    async fn get_active_coupons(
        &self,
        caller: &SignedIn,
        _: CallerRequest,
    ) -> Result<Vec<Coupon>, ServiceError> {
        let now = self.now();
        let coupons = self.usable(caller.login_id()).await?;
        Ok(coupons.iter().map(|coupon| coupon.to_proto(now)).collect())
    }

    async fn has_been_got_combination_coupons(
        &self,
        caller: &SignedIn,
        _: CallerRequest,
    ) -> Result<bool, ServiceError> {
        self.has_received(caller.login_id()).await
    }

    async fn get_combination_coupons(
        &self,
        caller: &SignedIn,
        _: CallerRequest,
    ) -> Result<Vec<Coupon>, ServiceError> {
        self.receive(caller.login_id()).await
    }

    async fn cancel_order(
        &self,
        caller: &SignedIn,
        request: OrderRequest,
    ) -> Result<(), ServiceError> {
        self.cancel(caller.login_id(), &request.order_id).await
    }

    async fn get_by_id(
        &self,
        caller: &SignedIn,
        request: OrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        self.info(caller.login_id(), &request.order_id).await
    }

    async fn find_by_order_id(
        &self,
        caller: &SignedIn,
        request: OrderRequest,
    ) -> Result<OrderStatus, ServiceError> {
        let row = self.own(caller.login_id(), &request.order_id).await?;
        Ok(OrderStatus {
            status: row.status(self.now()),
            fulfilled: row.fulfilled_at.is_some(),
            order_id: row.id,
        })
    }

    async fn list_orders(
        &self,
        caller: &SignedIn,
        request: ListOrdersRequest,
    ) -> Result<OrderPage, ServiceError> {
        self.list(caller.login_id(), &request).await
    }
}
