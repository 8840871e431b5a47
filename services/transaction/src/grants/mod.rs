//! What users have of the mall. A user keeps a model, whatever becomes of its listing.

mod download;
pub(crate) mod free;
mod mine;
mod paid;
mod quote;
mod returns;

pub(crate) use free::A_DAY as FREE_A_DAY;

use std::collections::{HashMap, HashSet};

use chassis::ids::new_id;
use chassis::{ServiceError, SignedIn, db, grantee};
use proto::transaction::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QuerySelect};

use crate::Mall;
use crate::entity::grant::{self, Column, Entity, State, Way};
use crate::entity::listing::{self, License};
use crate::entity::version;
use crate::listing::{conflict, no_such_listing};

/// A grant that is to be made.
struct Given<'a> {
    owner: &'a str,
    listing_id: &'a str,
    version: i32,
    /// Order and item; empty: none.
    order: (&'a str, &'a str),
    price: i64,
    way: Way,
    license: License,
}

impl GrantCalls<ServiceError> for Mall {
    async fn get_a_free_model(
        &self,
        caller: &SignedIn,
        form: FreeModelRequest,
    ) -> Result<FreeModelReply, ServiceError> {
        self.take_free(caller.login_id(), &form.model_id).await
    }

    async fn check_the_day_of_free_model_count(
        &self,
        caller: &SignedIn,
        _: FreeModelCountRequest,
    ) -> Result<i32, ServiceError> {
        self.free_left(caller.login_id()).await
    }

    async fn my_models(
        &self,
        caller: &SignedIn,
        form: MyModelsRequest,
    ) -> Result<MyModelsReply, ServiceError> {
        self.my_models_page(caller.login_id(), &form).await
    }

    async fn download_model(
        &self,
        caller: &SignedIn,
        form: DownloadModelRequest,
    ) -> Result<DownloadModelReply, ServiceError> {
        self.download(&grantee(caller), &form).await
    }
}

impl Mall {
    /// Listings by id; those that do not exist are left out.
    pub(crate) async fn listings(
        &self,
        db: &impl ConnectionTrait,
        ids: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<HashMap<String, listing::Model>, DbErr> {
        let ids = ids.into_iter().map(|id| id.as_ref().to_owned());
        let rows = listing::Entity::find_any()
            .filter(listing::Column::Id.is_in(ids))
            .all(db)
            .await?;
        Ok(rows.into_iter().map(|row| (row.id.clone(), row)).collect())
    }

    /// Those of these listings whose model the user has.
    pub(crate) async fn owned(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        ids: &[&str],
    ) -> Result<HashSet<String>, DbErr> {
        let had: Vec<String> = Entity::find_own(owner)
            .select_only()
            .column(Column::ListingId)
            .filter(Column::State.is_in(State::HAD))
            .filter(Column::ListingId.is_in(ids.iter().copied()))
            .into_tuple()
            .all(db)
            .await?;
        Ok(had.into_iter().collect())
    }

    /// A listing that the caller can get. Errors: the mall does not show it, it is the caller's own, or is had already.
    pub(crate) async fn on_offer(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        id: &str,
    ) -> Result<listing::Model, ServiceError> {
        let found = listing::Entity::find_any_by_id(id)
            .filter(listing::Column::ListedAt.ne(0))
            .one(db)
            .await?;
        let listing = found.ok_or_else(no_such_listing)?;
        if !listing.is_shown() {
            return Err(conflict("该模型已下架"));
        }
        if listing.seller == owner {
            return Err(conflict("这是您自己发布的模型，无需购买"));
        }
        if !self.owned(db, owner, &[id]).await?.is_empty() {
            return Err(had());
        }
        Ok(listing)
    }

    /// Makes a grant; `false`: it is had already.
    async fn give(
        &self,
        transaction: &DatabaseTransaction,
        given: Given<'_>,
    ) -> Result<bool, DbErr> {
        let now = self.now();
        let row = grant::Model {
            id: new_id(),
            owner: given.owner.to_owned(),
            listing_id: given.listing_id.to_owned(),
            version: given.version,
            order_id: given.order.0.to_owned(),
            item_id: given.order.1.to_owned(),
            price: given.price,
            way: given.way,
            license: given.license,
            state: State::Active,
            got_at: now,
            first_download_at: 0,
            downloads: 0,
            updated_at: now,
        };
        db::insert_new(row, transaction).await
    }
}

fn had() -> ServiceError {
    conflict("您已拥有该模型，可以在我的模型中下载")
}

/// Versions of listings that can be downloaded: approved, with a file of their own.
fn downloadable() -> Select<version::Entity> {
    version::Entity::find()
        .filter(version::Column::State.eq(version::State::Ready))
        .filter(version::Column::TextsOnly.eq(false))
        .filter(version::Column::SourceKey.ne(""))
}
