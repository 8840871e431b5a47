//! Orders: made with a frozen price, shown, listed.

use chassis::db::{self, List};
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError};
use proto::code;
use proto::order::v1::{
    CreateMemberOrderRequest, CreatePackageOrderRequest, CreateRechargeOrderRequest,
    ListOrdersRequest, OrderInfo, OrderPage, OrderSummary,
};
use proto::payment::v1::{BalancesReply, BalancesRequest, CountsLeftRequest, PaymentCommands};
use rand::RngExt;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, ConnectionTrait};

use crate::Orders;
use crate::buyer;
use crate::config::MINUTE_MS;
use crate::entity::purchase;
use crate::entity::purchase::{Closing, State};
use crate::goods;
use crate::page_status;
use crate::product::Product;

/// Months of an annual card.
const YEAR: i32 = 12;

impl purchase::Model {
    pub(crate) fn product(&self) -> Result<Product, ServiceError> {
        serde_json::from_str(&self.product).map_err(|error| ServiceError::Internal(error.into()))
    }

    fn summary(&self, now: i64) -> OrderSummary {
        OrderSummary {
            order_id: self.id.clone(),
            order_no: self.order_no.clone(),
            create_time: self.created_at,
            function_module: self.function_module,
            order_type: self.order_type,
            description: self.description.clone(),
            amount: self.amount,
            pay_able: self.payable,
            status: self.status(now),
            fulfilled: self.fulfilled_at.is_some(),
            expire_time: self.expires_at,
            pay_time: self.paid_at,
            pay_method: self.pay_method.clone(),
        }
    }
}

impl Orders {
    pub(crate) async fn create_membership(
        &self,
        owner: &str,
        request: &CreateMemberOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        let offered = &self.config.grades;
        let grade = offered.iter().find(|g| g.id == request.member_grade_id);
        let grade = grade
            .ok_or_else(|| BusinessError::invalid("没有这个会员等级"))?
            .clone();
        self.check_grade(owner, &grade, &self.context.db).await?;
        let product = Product::Membership {
            grade,
            months: YEAR,
        };
        self.create(owner, product).await
    }

    pub(crate) async fn create_recharge(
        &self,
        owner: &str,
        request: &CreateRechargeOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        let (least, most) = (self.config.recharge_min, self.config.recharge_max);
        if !(least..=most).contains(&request.amount) {
            let yuan = |cents: i64| format!("{}.{:02}", cents / 100, cents % 100);
            let text = format!("充值金额应在 {} 元到 {} 元之间", yuan(least), yuan(most));
            return Err(BusinessError::invalid(text).into());
        }
        let product = Product::Recharge {
            coins: request.amount,
            package_type: request.recharge_package_type.clone(),
        };
        self.create(owner, product).await
    }

    pub(crate) async fn create_package(
        &self,
        owner: &str,
        request: &CreatePackageOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        let offered = &self.config.packages;
        let package = offered.iter().find(|p| p.id == request.package_id);
        let package = package
            .ok_or_else(|| BusinessError::invalid("没有这个套餐"))?
            .clone();
        self.create(owner, Product::Package { package }).await
    }

    async fn create(&self, owner: &str, product: Product) -> Result<OrderInfo, ServiceError> {
        let (_, info) = self.create_once(owner, product).await?;
        Ok(info)
    }

    /// `false` beside an order that waited to be paid: of goods there are no two of the same things on the same terms.
    pub(crate) async fn create_once(
        &self,
        owner: &str,
        product: Product,
    ) -> Result<(bool, OrderInfo), ServiceError> {
        // Before the order is made: without an answer nothing has happened.
        let balances = self.balances(owner).await?;
        let now = self.now();
        let expires_at = now + self.config.window_minutes * MINUTE_MS;
        let row = purchase::Model {
            id: new_id(),
            order_no: order_no(now)?,
            owner: owner.to_owned(),
            function_module: product.function_module(),
            order_type: product.order_type(),
            description: product.description(),
            amount: product.price(),
            product: serde_json::to_string(&product).map_err(anyhow::Error::from)?,
            state: State::Pending,
            closing: Closing::Open,
            coupon_id: None,
            coupon_off: 0,
            payable: product.price(),
            pay_method: None,
            attempt_id: None,
            created_at: now,
            expires_at,
            paid_at: None,
            fulfilled_at: None,
            ended_at: None,
            shut_at: None,
            checks: 0,
            next_check_at: expires_at,
            version: 1,
        };
        if let Some(same) = self.add(&row, &product).await? {
            return Ok((false, self.info_of(&same, &balances).await?));
        }
        self.context.fail.at("order.created")?;
        Ok((true, self.info_of(&row, &balances).await?))
    }

    /// Writes an order down, unless too many wait to be paid, or one of the same goods does: that one.
    async fn add(
        &self,
        row: &purchase::Model,
        product: &Product,
    ) -> Result<Option<purchase::Model>, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        // Two at the same moment would otherwise each count without the other.
        buyer::lock(&transaction, &row.owner).await?;
        if let Some(same) = self.same_unpaid(&transaction, &row.owner, product).await? {
            transaction.rollback().await?;
            return Ok(Some(same));
        }
        if self.unpaid(&row.owner, &transaction).await? >= self.config.pending_limit {
            let text = "待支付的订单过多，请先支付或取消";
            return Err(BusinessError::new(code::QUOTA, text).into());
        }
        db::insert(row.clone(), &transaction).await?;
        if let Product::Goods(basket) = product {
            goods::add_items(&transaction, &row.id, basket, row.created_at).await?;
        }
        transaction.commit().await?;
        Ok(None)
    }

    /// Orders of a user that can still be paid.
    pub(crate) async fn unpaid(
        &self,
        owner: &str,
        connection: &impl ConnectionTrait,
    ) -> Result<u64, ServiceError> {
        let count = purchase::Entity::find_own(owner)
            .filter(self.with_status(page_status::TO_BE_PAID)?)
            .count(connection)
            .await?;
        Ok(count)
    }

    async fn balances(&self, owner: &str) -> Result<BalancesReply, ServiceError> {
        let request = BalancesRequest {
            owner: owner.to_owned(),
        };
        PaymentCommands::balances(&self.context.bus, &request).await
    }

    /// The caller's order; other people's do not exist.
    pub(crate) async fn own(&self, owner: &str, id: &str) -> Result<purchase::Model, ServiceError> {
        let found = purchase::Entity::find_own_by_id(owner, id)
            .one(&self.context.db)
            .await?;
        found.ok_or_else(|| BusinessError::not_found("订单不存在").into())
    }

    pub(crate) async fn info(&self, owner: &str, id: &str) -> Result<OrderInfo, ServiceError> {
        let row = self.own(owner, id).await?;
        let balances = self.balances(owner).await?;
        self.info_of(&row, &balances).await
    }

    async fn info_of(
        &self,
        row: &purchase::Model,
        balances: &BalancesReply,
    ) -> Result<OrderInfo, ServiceError> {
        let now = self.now();
        let product = row.product()?;
        let can_use_coupon = product.takes_coupons();
        let basket = match &product {
            Product::Goods(basket) => Some(basket),
            _ => None,
        };
        let details = match basket {
            Some(basket) => self.details(row, basket).await?,
            None => Vec::new(),
        };
        let coupons = match can_use_coupon && row.status(now) == page_status::TO_BE_PAID {
            true => self.usable_on(row).await?,
            false => Vec::new(),
        };
        let off = row.coupon_id.is_some().then_some(row.coupon_off);
        Ok(OrderInfo {
            order_id: row.id.clone(),
            uuid: row.id.clone(),
            order_no: row.order_no.clone(),
            create_time: row.created_at,
            function_module: row.function_module,
            order_type: row.order_type,
            description: row.description.clone(),
            amount: row.amount,
            pay_able: row.payable,
            pay_tpye: (details.len() > 1).then(|| "batch".to_owned()),
            order_detail_list: details,
            coupon_list: coupons.iter().map(|coupon| coupon.to_proto(now)).collect(),
            can_use_coupon,
            coupon_id: row.coupon_id.clone(),
            coupon: off,
            cloud_coin: balances.cloud_coin,
            income_balance: balances.income_balance,
            member_free_counts: self.free_counts(row, &product).await,
            ai_free_counts: 0,
            is_buy_type: if basket.is_some() {
                "buymodel"
            } else {
                "orders"
            }
            .to_owned(),
            model_publisher_uploader_type: basket.and_then(goods::item::Basket::uploader_type),
            status: row.status(now),
            fulfilled: row.fulfilled_at.is_some(),
            expire_time: row.expires_at,
            pay_time: row.paid_at,
            pay_method: row.pay_method.clone(),
            note: String::new(),
        })
    }

    /// Free counts that its buyer has for an order that they may pay.
    async fn free_counts(&self, row: &purchase::Model, product: &Product) -> i64 {
        if product.counts().is_none() || row.status(self.now()) != page_status::TO_BE_PAID {
            return 0;
        }
        let request = CountsLeftRequest {
            owner: row.owner.clone(),
            right: "mall".to_owned(),
        };
        match PaymentCommands::counts_left(&self.context.bus, &request).await {
            Ok(reply) => reply.left,
            // They are one way of several: without an answer the order is paid by another.
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(order = row.id, error, "free counts are not known");
                0
            }
        }
    }

    pub(crate) async fn list(
        &self,
        owner: &str,
        request: &ListOrdersRequest,
    ) -> Result<OrderPage, ServiceError> {
        use purchase::Column;
        let mut list = List::<purchase::Entity>::own(owner)
            .when(Column::FunctionModule, request.function_module)
            .when(Column::OrderType, request.order_type)
            .when(Column::OrderNo, &request.order_no)
            .between(Column::CreatedAt, request.begin_time, request.end_time)
            .newest_first(Column::CreatedAt, Column::Id);
        if let Some(status) = request.status {
            list = list.filter(self.with_status(status)?);
        }
        let page = list.page(request, &self.context.db).await?;
        let now = self.now();
        Ok(page.reply(|row| row.summary(now)))
    }

    /// The rows that [`purchase::Model::status`] gives this figure.
    pub(crate) fn with_status(&self, wanted: i32) -> Result<Condition, BusinessError> {
        let state = |state: State| purchase::Column::State.eq(state);
        let open = Condition::all()
            .add(purchase::Column::Closing.eq(Closing::Open))
            .add(purchase::Column::ExpiresAt.gt(self.now()));
        Ok(match wanted {
            page_status::TO_BE_PAID => Condition::all().add(state(State::Pending)).add(open),
            page_status::PAID => Condition::any()
                .add(state(State::Paid))
                .add(state(State::Fulfilled)),
            page_status::CANCELLED => Condition::all().add(state(State::Cancelled)),
            page_status::EXPIRED => Condition::all().add(state(State::Expired)),
            page_status::CLOSING => Condition::all().add(state(State::Pending)).add(open.not()),
            _ => return Err(BusinessError::invalid("订单状态只能是 0 到 4")),
        })
    }
}

/// A number for people: the date and time in China, and eight random digits.
fn order_no(now_ms: i64) -> anyhow::Result<String> {
    use time::macros::{format_description, offset};
    let moment = time::OffsetDateTime::from_unix_timestamp(now_ms.div_euclid(1000))?;
    let format = format_description!("[year][month][day][hour][minute][second]");
    let text = moment.to_offset(offset!(+8)).format(&format)?;
    let digits: u32 = rand::rng().random_range(0..100_000_000);
    Ok(format!("{text}{digits:08}"))
}
