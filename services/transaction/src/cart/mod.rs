//! The cart. What cannot be bought any more stays in it, marked so, and a changed price is shown beside the one that was seen.

use chassis::db::list::place_of;
use chassis::{BusinessError, ServiceError, SignedIn, db};
use proto::code;
use proto::transaction::v1::{
    AddToCartRequest, CartCalls, CartChanged, CartItem, CartList, DelCartModelRequest,
    GetCartListRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect};

use crate::Mall;
use crate::entity::cart_item::{Column, Entity};
use crate::entity::listing::{self, State};
use crate::entity::{cart, cart_item};
use crate::listing::split;

/// Models that a cart holds; more are never read of one either.
const MOST: u64 = 200;

/// Why a model of a cart cannot be bought; empty: it can.
fn reason(state: State, owned: bool) -> &'static str {
    match state {
        _ if owned => "您已拥有该模型",
        State::Listed => "",
        State::TakenDown => "模型已被平台下架",
        State::Removed => "模型已失效",
        _ => "模型已被作者下架",
    }
}

/// In yuan, with two decimals.
pub fn yuan(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// Locks a person's cart until the transaction ends, before its items and before listings. Returns its revision.
pub(crate) async fn lock(transaction: &DatabaseTransaction, owner: &str) -> Result<i64, DbErr> {
    let row = cart::Model {
        owner: owner.to_owned(),
        revision: 1,
    };
    db::count_version(row, cart::Column::Revision, transaction).await
}

async fn count(db: &impl ConnectionTrait, owner: &str) -> Result<u64, DbErr> {
    Entity::find_own(owner).count(db).await
}

impl CartCalls<ServiceError> for Mall {
    async fn get_cart_list(
        &self,
        caller: &SignedIn,
        form: GetCartListRequest,
    ) -> Result<CartList, ServiceError> {
        let (db, owner) = (&self.context.db, caller.login_id());
        let rows = Entity::find_own(owner)
            .order_by_desc(Column::AddedAt)
            .order_by_desc(Column::ListingId)
            .limit(MOST)
            .all(db)
            .await?;
        let ids: Vec<&str> = rows.iter().map(|row| row.listing_id.as_str()).collect();
        let listings = self.listings(db, &ids).await?;
        let owned = self.owned(db, owner, &ids).await?;
        let items = rows.iter().filter_map(|row| {
            let listing = listings.get(&row.listing_id)?;
            Some(self.cart_item(row, listing, owned.contains(&row.listing_id)))
        });
        let items: Vec<CartItem> = items.collect();
        let available = || items.iter().filter(|item| item.available);
        let total = available().map(|item| item.model_price).sum();
        let (offset, limit) = place_of(&form, 20, 200)?;
        Ok(CartList {
            total_count: items.len() as i64,
            total,
            total_price: yuan(total),
            available_count: available().count() as i64,
            results: items
                .into_iter()
                .skip(usize::try_from(offset).unwrap_or(usize::MAX))
                .take(limit as usize)
                .collect(),
        })
    }

    async fn del_cart_model(
        &self,
        caller: &SignedIn,
        form: DelCartModelRequest,
    ) -> Result<CartChanged, ServiceError> {
        let owner = caller.login_id();
        let ids = split(&form.model_id);
        if ids.is_empty() || ids.len() as u64 > MOST {
            let message = format!("每次可以移出 1 至 {MOST} 个模型");
            return Err(BusinessError::invalid(message).into());
        }
        let transaction = db::begin_write(&self.context.db).await?;
        self.out_of_cart(&transaction, owner, &ids).await?;
        let left = count(&transaction, owner).await?;
        transaction.commit().await?;
        Ok(CartChanged {
            total_count: left as i64,
        })
    }

    async fn add_to_cart(
        &self,
        caller: &SignedIn,
        form: AddToCartRequest,
    ) -> Result<CartChanged, ServiceError> {
        let owner = caller.login_id();
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.on_offer(&transaction, owner, &form.model_id).await?;
        lock(&transaction, owner).await?;
        let row = cart_item::Model {
            owner: owner.to_owned(),
            listing_id: listing.id,
            price: listing.price,
            added_at: self.now(),
        };
        db::upsert(row, [Column::Price, Column::AddedAt], &transaction).await?;
        let count = count(&transaction, owner).await?;
        if count > MOST {
            let message = format!("购物车最多放 {MOST} 个模型，请先移出一些");
            return Err(BusinessError::new(code::QUOTA, message).into());
        }
        transaction.commit().await?;
        Ok(CartChanged {
            total_count: count as i64,
        })
    }
}

impl Mall {
    fn cart_item(&self, row: &cart_item::Model, listing: &listing::Model, owned: bool) -> CartItem {
        let reason = reason(listing.outward(), owned);
        CartItem {
            model_id: listing.id.clone(),
            model_name: listing.name.clone(),
            model_price: listing.price,
            preview: self.address(&listing.thumb_key),
            added_price: row.price,
            added_at: row.added_at,
            state: listing.outward().name().to_owned(),
            owned,
            available: reason.is_empty(),
            reason: reason.to_owned(),
            license: listing.license.name().to_owned(),
            seller: listing.seller.clone(),
            uploader_type: listing.uploader_type,
            formats: vec![listing.format.clone()],
        }
    }

    /// Takes models out of the cart that the user has got, or does not want.
    pub(crate) async fn out_of_cart(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        ids: &[String],
    ) -> Result<(), DbErr> {
        Entity::delete_own(owner)
            .filter(Column::ListingId.is_in(ids))
            .exec(transaction)
            .await?;
        Ok(())
    }
}
