//! Delivery of what was paid: all models of an order, or none.

use anyhow::Context as _;
use proto::order::v1::order_paid::Product;
use proto::order::v1::{GoodsItem, OrderPaid};
use proto::transaction::v1::{OrderFulfilled, PurchasesChanged};
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};

use super::Given;
use crate::Mall;
use crate::cart;
use crate::entity::grant::{Column, Entity, State, Way};
use crate::entity::listing::{self, License};

/// What the goods of the mall are called in an order.
const KIND: &str = "model";
/// How an order names that free counts of a membership have paid it.
const MEMBER_FREE: &str = "memberFree";

impl Mall {
    /// Grants the models of a paid order, once: of each item one.
    pub(crate) async fn take_paid(
        &self,
        transaction: &DatabaseTransaction,
        paid: OrderPaid,
    ) -> anyhow::Result<()> {
        let Some(Product::Goods(goods)) = &paid.product else {
            return Ok(());
        };
        if goods.service != crate::NAME || goods.kind != KIND {
            return Ok(());
        }
        let revision = cart::lock(transaction, &paid.owner).await?;
        // Rows of listings are locked in the same order everywhere.
        let mut items: Vec<&GoodsItem> = goods.items.iter().collect();
        items.sort_by(|a, b| a.id.cmp(&b.id));
        let mut had_item_ids = Vec::new();
        for item in &items {
            if !self.deliver(transaction, &paid, item).await? {
                had_item_ids.push(item.item_id.clone());
            }
        }
        let ids: Vec<String> = items.iter().map(|item| item.id.clone()).collect();
        self.out_of_cart(transaction, &paid.owner, &ids).await?;
        let event = OrderFulfilled {
            order_id: paid.order_id.clone(),
            fulfilled_at_ms: self.now(),
            had_item_ids,
        };
        self.outbox.add(transaction, &paid.order_id, &event).await?;
        self.tell_purchases(transaction, &paid.owner, revision)
            .await?;
        self.context.fail.at("transaction.granted.before_commit")
    }

    /// Publishes how many models a user has bought; the caller has locked the cart, whose revision orders the events.
    pub(super) async fn tell_purchases(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        revision: i64,
    ) -> anyhow::Result<()> {
        let bought = Entity::find_own(owner)
            .filter(Column::State.is_in(State::HAD))
            .filter(Column::Way.ne(Way::Free))
            .count(transaction)
            .await?;
        let event = PurchasesChanged {
            login_id: owner.to_owned(),
            version: revision,
            total_purchased_models: bought as i64,
        };
        self.outbox.add(transaction, owner, &event).await?;
        Ok(())
    }

    /// `false`: the buyer has the model by another way.
    async fn deliver(
        &self,
        transaction: &DatabaseTransaction,
        paid: &OrderPaid,
        item: &GoodsItem,
    ) -> anyhow::Result<bool> {
        let way = match paid.pay_method.as_str() {
            MEMBER_FREE => Way::MemberFree,
            _ => Way::Paid,
        };
        let given = Given {
            owner: &paid.owner,
            listing_id: &item.id,
            version: item.version,
            order: (&paid.order_id, &item.item_id),
            price: item.payable,
            way,
            license: License::of(&item.license).context("a licence that the mall does not know")?,
        };
        if !self.give(transaction, given).await? {
            // By order, not by owner: the grants of a closed account bear its pseudonym.
            let by_this = Entity::find_any()
                .filter(Column::OrderId.eq(&paid.order_id))
                .filter(Column::ItemId.eq(&item.item_id))
                .count(transaction)
                .await?;
            return Ok(by_this > 0);
        }
        // What cost its taker nothing is not among the sales.
        if way != Way::Paid {
            return Ok(true);
        }
        // The search follows `updated_at`. The revision stays: a sale is no change of its maker's.
        listing::Entity::update_any()
            .col_expr(
                listing::Column::Sold,
                Expr::col(listing::Column::Sold).add(1),
            )
            .col_expr(listing::Column::UpdatedAt, Expr::value(self.now()))
            .filter(listing::Column::Id.eq(&item.id))
            .exec(transaction)
            .await?;
        Ok(true)
    }
}
