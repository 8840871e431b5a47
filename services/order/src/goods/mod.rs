//! Orders of what sellers offer. The seller is asked what it costs; the order freezes the answer.

pub mod item;
pub(crate) mod refunds;

use chassis::{BusinessError, ServiceError};
use proto::code;
use proto::order::v1::{CreateCartOrderRequest, CreateModelOrderRequest, OrderInfo, OrderItem};
use proto::transaction::v1::{QuoteRequest, QuotedItem, TransactionCommands};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, IntoActiveModel};

use crate::Orders;
use crate::entity::{purchase, purchase_item};
use crate::page_status;
use crate::product::Product;
use item::{Basket, Item, MALL, MODEL};

/// Things of one order.
const MOST: usize = 200;
/// Names in a message; more are counted.
const NAMED: usize = 5;
const LICENSES: [&str; 2] = ["personal", "commercial"];
const LISTED: &str = "listed";
/// A maker may take a listing off after it was ordered; what the platform took off is not sold any more.
const STILL_SOLD: [&str; 2] = [LISTED, "withdrawn"];

fn conflict(message: impl Into<String>) -> ServiceError {
    BusinessError::new(code::CONFLICT, message.into()).into()
}

fn yuan(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// Why a user cannot order what was quoted; none if possible.
fn refusal(quoted: &QuotedItem, owner: &str) -> Option<&'static str> {
    if quoted.state == "none" {
        Some("模型不存在")
    } else if quoted.seller == owner {
        Some("这是您自己的模型")
    } else if quoted.owned {
        Some("您已拥有该模型")
    } else if quoted.state != LISTED {
        Some("模型已下架")
    } else if quoted.price == 0 {
        Some("免费模型无需购买，请直接领取")
    } else {
        None
    }
}

/// 《name》 and why it is left out; what has no name any more is not named.
fn left_out(refused: &[(String, &'static str)]) -> String {
    let named: Vec<String> = refused
        .iter()
        .take(NAMED)
        .map(|(title, reason)| match title.is_empty() {
            true => (*reason).to_owned(),
            false => format!("《{title}》{reason}"),
        })
        .collect();
    let more = match refused.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("；另有 {more} 个"),
    };
    format!("{}{more}", named.join("；"))
}

impl Orders {
    /// Orders one model.
    pub(crate) async fn create_model(
        &self,
        owner: &str,
        request: &CreateModelOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        let license = request.r#type.as_str();
        if !license.is_empty() && !LICENSES.contains(&license) {
            return Err(BusinessError::invalid("type 应为 personal 或 commercial").into());
        }
        let quoted = self.quote(owner, vec![request.model_id.clone()]).await?;
        let Some(quoted) = quoted.into_iter().next() else {
            return Err(BusinessError::not_found("模型不存在").into());
        };
        if let Some(reason) = refusal(&quoted, owner) {
            return Err(conflict(reason));
        }
        if !license.is_empty() && license != quoted.license {
            return Err(conflict("模型的授权已变化，请刷新页面后重新下单"));
        }
        let basket = Basket {
            service: MALL.to_owned(),
            kind: MODEL.to_owned(),
            items: vec![Item::of(quoted)],
            embedded_setting: request.embedded_setting.clone(),
        };
        self.order_goods(owner, basket, Vec::new()).await
    }

    /// Orders several models as one.
    pub(crate) async fn create_cart(
        &self,
        owner: &str,
        request: &CreateCartOrderRequest,
    ) -> Result<OrderInfo, ServiceError> {
        let mut ids: Vec<String> = Vec::new();
        for id in request.model_id.split(',').map(str::trim) {
            if !id.is_empty() && !ids.iter().any(|known| known == id) {
                ids.push(id.to_owned());
            }
        }
        if ids.is_empty() || ids.len() > MOST {
            let text = format!("每次可以购买 1 至 {MOST} 个模型");
            return Err(BusinessError::invalid(text).into());
        }
        let mut refused = Vec::new();
        let mut items = Vec::new();
        for quoted in self.quote(owner, ids).await? {
            match refusal(&quoted, owner) {
                Some(reason) => refused.push((quoted.title, reason)),
                None => items.push(Item::of(quoted)),
            }
        }
        if items.is_empty() {
            return Err(conflict(format!(
                "没有可以购买的模型：{}",
                left_out(&refused)
            )));
        }
        let basket = Basket {
            service: MALL.to_owned(),
            kind: MODEL.to_owned(),
            items,
            embedded_setting: String::new(),
        };
        if let Some(seen) = request.total.filter(|seen| *seen != basket.price()) {
            let (seen, now) = (yuan(seen), yuan(basket.price()));
            let text =
                format!("价格有变化：您看到的合计为 {seen} 元，现为 {now} 元，请刷新后重新下单");
            return Err(conflict(text));
        }
        self.order_goods(owner, basket, refused).await
    }

    async fn quote(
        &self,
        owner: &str,
        model_ids: Vec<String>,
    ) -> Result<Vec<QuotedItem>, ServiceError> {
        let request = QuoteRequest {
            owner: owner.to_owned(),
            model_ids,
            ..Default::default()
        };
        let reply = TransactionCommands::quote(&self.context.bus, &request).await?;
        Ok(reply.items)
    }

    async fn order_goods(
        &self,
        owner: &str,
        basket: Basket,
        refused: Vec<(String, &'static str)>,
    ) -> Result<OrderInfo, ServiceError> {
        let (made, mut info) = self.create_once(owner, Product::Goods(basket)).await?;
        let mut notes = Vec::new();
        if !made {
            notes.push("您有一个相同的订单待支付，请继续支付".to_owned());
        }
        if !refused.is_empty() {
            notes.push(format!("未计入订单：{}", left_out(&refused)));
        }
        info.note = notes.join("。");
        Ok(info)
    }

    /// The order of the same things on the same terms that waits to be paid.
    pub(crate) async fn same_unpaid(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        wanted: &Product,
    ) -> Result<Option<purchase::Model>, ServiceError> {
        let Product::Goods(wanted) = wanted else {
            return Ok(None);
        };
        let open = purchase::Entity::find_own(owner)
            .filter(purchase::Column::FunctionModule.eq(crate::product::MALL))
            .filter(self.with_status(page_status::TO_BE_PAID)?)
            .all(transaction)
            .await?;
        for row in open {
            if let Product::Goods(known) = row.product()?
                && known.same_offer(wanted)
            {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// Before an attempt begins: no user pays for what he has, or for what the platform has taken off the mall.
    pub(crate) async fn check_offered(
        &self,
        owner: &str,
        basket: &Basket,
    ) -> Result<(), ServiceError> {
        let ids = basket.items.iter().map(|item| item.id.clone()).collect();
        for quoted in self.quote(owner, ids).await? {
            let name = |reason: &str| {
                conflict(format!(
                    "《{}》{reason}，请取消订单后重新下单",
                    quoted.title
                ))
            };
            if quoted.owned {
                return Err(name("您已拥有"));
            }
            if !STILL_SOLD.contains(&quoted.state.as_str()) {
                return Err(name("已停止销售"));
            }
        }
        Ok(())
    }

    /// What an order shows of its things, in their order.
    pub(crate) async fn details(
        &self,
        order: &purchase::Model,
        basket: &Basket,
    ) -> Result<Vec<OrderItem>, ServiceError> {
        let rows = purchase_item::Entity::find()
            .filter(purchase_item::Column::OrderId.eq(&order.id))
            .all(&self.context.db)
            .await?;
        let state = |id: &str| {
            let row = rows.iter().find(|row| row.id == id);
            row.map_or(purchase_item::State::Ordered, |row| row.state)
        };
        let items = basket.items.iter().enumerate();
        Ok(items
            .map(|(at, item)| OrderItem {
                id: item.item_id.clone(),
                order_no: format!("{}-{}", order.order_no, at + 1),
                function_module: order.function_module,
                order_type: order.order_type,
                description: item.title.clone(),
                amount: item.price,
                model_id: item.id.clone(),
                license: item.license.clone(),
                state: state(&item.item_id).name().to_owned(),
            })
            .collect())
    }
}

/// Writes the things of an order down beside it.
pub(crate) async fn add_items(
    transaction: &DatabaseTransaction,
    order_id: &str,
    basket: &Basket,
    now: i64,
) -> Result<(), DbErr> {
    let rows = basket.items.iter().map(|item| {
        purchase_item::Model {
            id: item.item_id.clone(),
            order_id: order_id.to_owned(),
            goods_id: item.id.clone(),
            price: item.price,
            state: purchase_item::State::Ordered,
            updated_at: now,
            version: 1,
            tries: 0,
            next_check_at: 0,
        }
        .into_active_model()
    });
    purchase_item::Entity::insert_many(rows)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(state: &str, price: i64) -> QuotedItem {
        QuotedItem {
            model_id: "m".to_owned(),
            seller: "maker".to_owned(),
            state: state.to_owned(),
            price,
            ..Default::default()
        }
    }

    #[test]
    fn who_cannot_order_what() {
        assert_eq!(refusal(&quoted("listed", 1), "u"), None);
        let owned = QuotedItem {
            owned: true,
            ..quoted("listed", 1)
        };
        for (item, owner) in [
            (quoted("listed", 0), "u"),
            (quoted("withdrawn", 1), "u"),
            (quoted("takendown", 1), "u"),
            (quoted("none", 0), "u"),
            (quoted("listed", 1), "maker"),
            (owned, "u"),
        ] {
            assert!(refusal(&item, owner).is_some(), "{item:?}");
        }
    }

    #[test]
    fn what_is_left_out_is_named_up_to_five() {
        let refused: Vec<(String, &'static str)> = (0..7)
            .map(|at| (format!("齿轮{at}"), "模型已下架"))
            .collect();
        let text = left_out(&refused);
        assert!(text.starts_with("《齿轮0》模型已下架；《齿轮1》"), "{text}");
        assert!(text.ends_with("；另有 2 个"), "{text}");
    }
}
