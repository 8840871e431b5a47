//! Favourites in folders. What leaves the mall stays in them, marked so. A change of favourites locks the default folder's row
//! first, then listings in the order of their ids.

mod folders;
pub(crate) mod migration;

use std::collections::BTreeSet;

use chassis::db::{self, List};
use chassis::{BusinessError, ServiceError, SignedIn};
use proto::code;
use proto::transaction::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, Query};
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect, Set};

use crate::Mall;
use crate::entity::favourite::{Column, Entity};
use crate::entity::listing::{self, State};
use crate::entity::{favourite, folder};
use crate::listing::{conflict, no_such_listing, split};

/// The folder that every user has.
const DEFAULT: &str = "default";
const DEFAULT_NAME: &str = "默认收藏夹";
/// Favourites of a person, in all folders.
const MOST: u64 = 2_000;
/// Models that one call names.
const AT_ONCE: usize = 200;
/// Listings counted anew by one statement.
const BATCH: usize = 500;

/// What is listed by default; all folders together otherwise.
fn of_owner(owner: &str) -> Select<Entity> {
    Entity::find_own(owner)
}

fn no_such_folder() -> ServiceError {
    BusinessError::not_found("没有这个收藏夹").into()
}

/// Why the mall does not show a favourite; empty: it does.
fn reason(state: State) -> &'static str {
    match state {
        State::Listed => "",
        State::TakenDown => "模型已被平台下架",
        State::Removed => "模型已失效",
        _ => "模型已被作者下架",
    }
}

fn named(joined: &str) -> Result<Vec<String>, ServiceError> {
    let ids = split(joined);
    if ids.is_empty() || ids.len() > AT_ONCE {
        let message = format!("每次可以选择 1 至 {AT_ONCE} 个模型");
        return Err(BusinessError::invalid(message).into());
    }
    Ok(ids)
}

/// Locks a person's favourites until the transaction ends; makes the default folder where there is none.
async fn lock(transaction: &DatabaseTransaction, owner: &str, now: i64) -> Result<(), DbErr> {
    let row = folder::Model {
        owner: owner.to_owned(),
        id: DEFAULT.to_owned(),
        name: DEFAULT_NAME.to_owned(),
        revision: 1,
        created_at: now,
    };
    db::count_version(row, folder::Column::Revision, transaction).await?;
    Ok(())
}

/// Different models among a user's favourites.
async fn models(db: &impl ConnectionTrait, owner: &str) -> Result<i64, DbErr> {
    let count: Option<i64> = of_owner(owner)
        .select_only()
        .column_as(Expr::col(Column::ListingId).count_distinct(), "models")
        .into_tuple()
        .one(db)
        .await?;
    Ok(count.unwrap_or(0))
}

/// Which of these are favourites of the user, in whatever folder.
async fn remembered(
    db: &impl ConnectionTrait,
    owner: &str,
    ids: &[String],
) -> Result<BTreeSet<String>, DbErr> {
    let mut found = BTreeSet::new();
    for ids in ids.chunks(BATCH) {
        let some: Vec<String> = of_owner(owner)
            .select_only()
            .distinct()
            .column(Column::ListingId)
            .filter(Column::ListingId.is_in(ids))
            .into_tuple()
            .all(db)
            .await?;
        found.extend(some);
    }
    Ok(found)
}

/// Counts listings up or down. Neither revision nor time of the listing move: it is no change of its maker's, and no rank
/// follows it.
async fn count(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<String>,
    by: i64,
) -> Result<(), DbErr> {
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    for ids in ids.chunks(BATCH) {
        let ids = || ids.iter().copied();
        // In the order of ids, so that two never wait for each other.
        listing::Entity::find_any()
            .select_only()
            .column(listing::Column::Id)
            .filter(listing::Column::Id.is_in(ids()))
            .order_by_asc(listing::Column::Id)
            .lock_exclusive()
            .into_tuple::<String>()
            .all(transaction)
            .await?;
        listing::Entity::update_any()
            .col_expr(
                listing::Column::Favourites,
                Expr::col(listing::Column::Favourites).add(by),
            )
            .filter(listing::Column::Id.is_in(ids()))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

impl FavouriteCalls<ServiceError> for Mall {
    async fn favourite_folders(
        &self,
        caller: &SignedIn,
        _: FavouriteFoldersRequest,
    ) -> Result<FavouriteFoldersReply, ServiceError> {
        self.folders(caller.login_id()).await
    }

    async fn save_favourite_folder(
        &self,
        caller: &SignedIn,
        form: SaveFavouriteFolderRequest,
    ) -> Result<FavouriteFolder, ServiceError> {
        self.save_folder(caller.login_id(), &form).await
    }

    async fn delete_favourite_folder(
        &self,
        caller: &SignedIn,
        form: DeleteFavouriteFolderRequest,
    ) -> Result<FavouriteChanged, ServiceError> {
        self.delete_folder(caller.login_id(), &form).await
    }

    async fn favourite_list(
        &self,
        caller: &SignedIn,
        form: FavouriteListRequest,
    ) -> Result<FavouriteListReply, ServiceError> {
        let (db, owner) = (&self.context.db, caller.login_id());
        let mut folder_name = String::new();
        let mut list = List::<Entity>::own(owner);
        if form.folder_id.is_empty() {
            // Of a model in several folders the one it was put into last, and of equal times the first id.
            let other = Expr::col(("other", Column::AddedAt));
            let own = Expr::col((Entity, Column::AddedAt));
            let first =
                Expr::col(("other", Column::FolderId)).lt(Expr::col((Entity, Column::FolderId)));
            let later = Query::select()
                .expr(Expr::val(1))
                .from_as(Entity, "other")
                .and_where(Expr::col(("other", Column::Owner)).eq(owner))
                .and_where(
                    Expr::col(("other", Column::ListingId)).equals((Entity, Column::ListingId)),
                )
                .and_where(other.clone().gt(own.clone()).or(other.eq(own).and(first)))
                .to_owned();
            list = list.filter(Expr::not_exists(later));
        } else {
            let found = self.folder(db, owner, &form.folder_id).await?;
            folder_name = found.name;
            list = list.filter(Column::FolderId.eq(&form.folder_id));
        }
        let keyword: String = form.keyword.trim().chars().take(64).collect();
        if !keyword.is_empty() {
            let called = Query::select()
                .column(listing::Column::Id)
                .from(listing::Entity)
                .and_where(db::contains(listing::Column::Name, &keyword))
                .to_owned();
            list = list.filter(Column::ListingId.in_subquery(called));
        }
        let page = list
            .newest_first(Column::AddedAt, Column::ListingId)
            .page(&form, db)
            .await?;
        let ids = page.rows.iter().map(|row| &row.listing_id);
        let listings = self.listings(db, ids).await?;
        let results = page.rows.iter().filter_map(|row| {
            let listing = listings.get(&row.listing_id)?;
            let reason = reason(listing.state);
            Some(FavouriteModel {
                listing: Some(self.view(listing)),
                folder_id: row.folder_id.clone(),
                added_at: row.added_at,
                available: reason.is_empty(),
                reason: reason.to_owned(),
            })
        });
        Ok(FavouriteListReply {
            total_count: page.total_count,
            results: results.collect(),
            folder_name,
        })
    }

    async fn add_favourite(
        &self,
        caller: &SignedIn,
        form: AddFavouriteRequest,
    ) -> Result<FavouriteChanged, ServiceError> {
        let (owner, id) = (caller.login_id(), &form.model_id);
        let found = listing::Entity::find_any_by_id(id)
            .filter(listing::Column::ListedAt.ne(0))
            .one(&self.context.db)
            .await?;
        let listing = found.ok_or_else(no_such_listing)?;
        if listing.state != State::Listed {
            return Err(conflict("该模型已下架"));
        }
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        lock(&transaction, owner, now).await?;
        let folder_id = match form.folder_id.as_str() {
            "" => DEFAULT,
            id => id,
        };
        self.folder(&transaction, owner, folder_id).await?;
        let known = remembered(&transaction, owner, std::slice::from_ref(id)).await?;
        let row = favourite::Model {
            owner: owner.to_owned(),
            folder_id: folder_id.to_owned(),
            listing_id: id.clone(),
            added_at: now,
        };
        let added = db::insert_new(row, &transaction).await?;
        if added && of_owner(owner).count(&transaction).await? > MOST {
            let message = format!("收藏夹一共最多放 {MOST} 个模型，请先移出一些");
            return Err(BusinessError::new(code::QUOTA, message).into());
        }
        if known.is_empty() {
            count(&transaction, &BTreeSet::from([id.clone()]), 1).await?;
        }
        let models = models(&transaction, owner).await?;
        transaction.commit().await?;
        Ok(FavouriteChanged { models })
    }

    async fn remove_favourites(
        &self,
        caller: &SignedIn,
        form: RemoveFavouritesRequest,
    ) -> Result<FavouriteChanged, ServiceError> {
        let owner = caller.login_id();
        let ids = named(&form.model_ids)?;
        let transaction = db::begin_write(&self.context.db).await?;
        lock(&transaction, owner, self.now()).await?;
        if !form.folder_id.is_empty() {
            self.folder(&transaction, owner, &form.folder_id).await?;
        }
        let before = remembered(&transaction, owner, &ids).await?;
        let mut gone = Entity::delete_own(owner).filter(Column::ListingId.is_in(&ids));
        if !form.folder_id.is_empty() {
            gone = gone.filter(Column::FolderId.eq(&form.folder_id));
        }
        gone.exec(&transaction).await?;
        let models = self.uncount(&transaction, owner, before).await?;
        transaction.commit().await?;
        Ok(FavouriteChanged { models })
    }

    async fn move_favourites(
        &self,
        caller: &SignedIn,
        form: MoveFavouritesRequest,
    ) -> Result<FavouriteChanged, ServiceError> {
        let owner = caller.login_id();
        let ids = named(&form.model_ids)?;
        let transaction = db::begin_write(&self.context.db).await?;
        lock(&transaction, owner, self.now()).await?;
        self.folder(&transaction, owner, &form.folder_id).await?;
        self.folder(&transaction, owner, &form.move_to_id).await?;
        if form.folder_id == form.move_to_id {
            return Err(BusinessError::invalid("请选择另一个收藏夹").into());
        }
        let those = of_owner(owner)
            .filter(Column::FolderId.eq(&form.folder_id))
            .filter(Column::ListingId.is_in(&ids))
            .all(&transaction)
            .await?;
        carry(&transaction, those, &form.move_to_id).await?;
        let models = models(&transaction, owner).await?;
        transaction.commit().await?;
        Ok(FavouriteChanged { models })
    }

    async fn favourite_marks(
        &self,
        caller: &SignedIn,
        _: FavouriteMarksRequest,
    ) -> Result<FavouriteMarksReply, ServiceError> {
        let model_ids = of_owner(caller.login_id())
            .select_only()
            .distinct()
            .column(Column::ListingId)
            .limit(MOST)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        Ok(FavouriteMarksReply { model_ids })
    }
}

impl Mall {
    /// Counts down those that are no longer favourites of the user; returns how many are left.
    async fn uncount(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        before: BTreeSet<String>,
    ) -> Result<i64, DbErr> {
        let ids: Vec<String> = before.iter().cloned().collect();
        let left = remembered(transaction, owner, &ids).await?;
        let gone: BTreeSet<String> = before.difference(&left).cloned().collect();
        count(transaction, &gone, -1).await?;
        models(transaction, owner).await
    }

    /// Removes the favourites of an account that ends.
    pub(crate) async fn forget_all_favourites(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<(), DbErr> {
        let all: Vec<String> = of_owner(owner)
            .select_only()
            .distinct()
            .column(Column::ListingId)
            .into_tuple()
            .all(transaction)
            .await?;
        count(transaction, &all.into_iter().collect(), -1).await?;
        Entity::delete_own(owner).exec(transaction).await?;
        Ok(())
    }
}

/// Puts favourites into another folder; those that it has already are only taken out of the first.
async fn carry(
    transaction: &DatabaseTransaction,
    those: Vec<favourite::Model>,
    target: &str,
) -> Result<(), DbErr> {
    for some in those.chunks(BATCH) {
        let rows = some.iter().map(|one| favourite::ActiveModel {
            owner: Set(one.owner.clone()),
            folder_id: Set(target.to_owned()),
            listing_id: Set(one.listing_id.clone()),
            added_at: Set(one.added_at),
        });
        Entity::insert_many(rows)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?;
        let ids = some.iter().map(|one| one.listing_id.as_str());
        let Some(first) = some.first() else { continue };
        Entity::delete_own(&first.owner)
            .filter(Column::FolderId.eq(&first.folder_id))
            .filter(Column::ListingId.is_in(ids))
            .exec(transaction)
            .await?;
    }
    Ok(())
}
