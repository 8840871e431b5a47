//! Reviews. Only a user who has a model reviews it. Sum and number of the stars are in the listing; they change in the
//! transaction of the review, which locks the listing's row first.

mod console;
pub(crate) mod migration;
mod shown;

use std::collections::HashMap;

use chassis::db::{self, List};
use chassis::ids::new_id;
use chassis::{BusinessError, Origin, ServiceError, SignedIn};
use proto::transaction::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ConnectionTrait, DatabaseTransaction, QuerySelect, Set};

use crate::Mall;
use crate::entity::listing::{self, State};
use crate::entity::rating::{ActiveModel, Column, Entity, Model};
use crate::entity::{grant, rating};
use crate::listing::texts::Rule;
use crate::listing::{conflict, no_such_listing};
use crate::notify::Notification;
use crate::search::Search;

const CONTENT: Rule = Rule {
    called: "评价内容",
    lines: true,
};
const ANSWER: Rule = Rule {
    called: "回复内容",
    lines: true,
};

fn no_such_review() -> ServiceError {
    BusinessError::not_found("没有这条评价，可能已被隐藏").into()
}

/// Locks the row of a listing: reviews of it are changed one after another.
async fn hold(
    transaction: &DatabaseTransaction,
    id: &str,
) -> Result<Option<listing::Model>, DbErr> {
    listing::Entity::find_any_by_id(id)
        .filter(listing::Column::ListedAt.ne(0))
        .lock_exclusive()
        .one(transaction)
        .await
}

pub(crate) fn view(row: Model) -> ModelReview {
    ModelReview {
        review_id: row.id,
        stars: row.stars,
        content: row.content,
        created_at: row.created_at,
        updated_at: row.updated_at,
        answer: row.answer,
        answered_at: row.answered_at,
        ..Default::default()
    }
}

/// A review with its listing, for lists over several of them.
fn item(row: Model, listings: &HashMap<String, listing::Model>) -> ModelReviewItem {
    let listing = listings.get(&row.listing_id);
    ModelReviewItem {
        listing_id: row.listing_id.clone(),
        listing_name: listing.map(|one| one.name.clone()).unwrap_or_default(),
        seller: listing.map(|one| one.seller.clone()).unwrap_or_default(),
        author: row.owner.clone(),
        hidden: row.hidden,
        hidden_reason: row.hidden_reason.clone(),
        review: Some(view(row)),
    }
}

impl RatingCalls<ServiceError> for Search {
    async fn model_reviews(
        &self,
        _: &Origin,
        form: ModelReviewsRequest,
    ) -> Result<ModelReviewsReply, ServiceError> {
        self.reviews(&form).await
    }

    async fn my_model_review(
        &self,
        caller: &SignedIn,
        form: MyModelReviewRequest,
    ) -> Result<MyModelReviewReply, ServiceError> {
        let (owner, id) = (caller.login_id(), &form.model_id);
        let db = &self.mall.context.db;
        let found = listing::Entity::find_any_by_id(id)
            .filter(listing::Column::ListedAt.ne(0))
            .one(db)
            .await?;
        let listing = found.ok_or_else(no_such_listing)?;
        let refused = self.mall.review_refused(db, owner, &listing).await?;
        let own = self.mall.review_of(db, owner, id).await?;
        let hidden = own.as_ref().filter(|one| one.hidden);
        Ok(MyModelReviewReply {
            allowed: refused.is_none(),
            reason: refused.unwrap_or_default().to_owned(),
            hidden_reason: hidden.map_or_else(String::new, |one| one.hidden_reason.clone()),
            review: own.map(view),
        })
    }

    async fn my_ratings(
        &self,
        caller: &SignedIn,
        form: MyRatingsRequest,
    ) -> Result<MyRatingsReply, ServiceError> {
        let db = &self.mall.context.db;
        let page = List::<Entity>::own(caller.login_id())
            .when(Column::Stars, (form.stars > 0).then_some(form.stars))
            .between(Column::CreatedAt, form.begin_time, form.end_time)
            .search(&form.keyword, [Column::Content])
            .newest_first(Column::CreatedAt, Column::Id)
            .page(&form, db)
            .await?;
        let ids = page.rows.iter().map(|row| &row.listing_id);
        let listings = self.mall.listings(db, ids).await?;
        Ok(page.reply(|row| item(row, &listings)))
    }

    async fn save_model_review(
        &self,
        caller: &SignedIn,
        form: SaveModelReviewRequest,
    ) -> Result<ModelReview, ServiceError> {
        let (mall, owner) = (&self.mall, caller.login_id());
        let content = CONTENT.check(&form.content, mall.words.scanner().await?.as_ref())?;
        let now = mall.now();
        let transaction = db::begin_write(&mall.context.db).await?;
        let listing = hold(&transaction, &form.model_id).await?;
        let listing = listing.ok_or_else(no_such_listing)?;
        if let Some(refused) = mall.review_refused(&transaction, owner, &listing).await? {
            return Err(conflict(refused));
        }
        let before = mall.review_of(&transaction, owner, &listing.id).await?;
        let saved = match &before {
            Some(row) => {
                let row = ActiveModel {
                    stars: Set(form.stars),
                    content: Set(content),
                    updated_at: Set(now),
                    ..row.clone().into()
                };
                row.update(&transaction).await?
            }
            None => {
                let row = ActiveModel {
                    id: Set(new_id()),
                    listing_id: Set(listing.id.clone()),
                    owner: Set(owner.to_owned()),
                    stars: Set(form.stars),
                    content: Set(content),
                    answer: Set(String::new()),
                    answered_at: Set(0),
                    hidden: Set(false),
                    hidden_reason: Set(String::new()),
                    created_at: Set(now),
                    updated_at: Set(now),
                };
                row.insert(&transaction).await?
            }
        };
        // What is hidden stays hidden when it is changed.
        if !saved.hidden {
            let (stars, count) = match &before {
                Some(row) => (saved.stars - row.stars, 0),
                None => (saved.stars, 1),
            };
            mall.weigh(&transaction, &listing.id, stars, count).await?;
        }
        if before.is_none() {
            let notification =
                Notification::new("modelReviewed", &listing.seller, &saved.id, &listing);
            mall.notify(&transaction, notification.because(&saved.content))
                .await?;
        }
        transaction.commit().await?;
        mall.outbox.wake();
        Ok(view(saved))
    }

    async fn answer_model_review(
        &self,
        caller: &SignedIn,
        form: AnswerModelReviewRequest,
    ) -> Result<(), ServiceError> {
        let mall = &self.mall;
        let answer = ANSWER.check(&form.content, mall.words.scanner().await?.as_ref())?;
        let now = mall.now();
        let transaction = db::begin_write(&mall.context.db).await?;
        let found = Entity::find_any_by_id(&form.review_id)
            .filter(Column::Hidden.eq(false))
            .one(&transaction)
            .await?;
        let review = found.ok_or_else(no_such_review)?;
        // Reviews of other makers' models cannot be answered, as if there were none.
        let own = listing::Entity::find_own_by_id(caller.login_id(), &review.listing_id)
            .filter(listing::Column::ListedAt.ne(0))
            .lock_exclusive()
            .one(&transaction)
            .await?;
        let listing = own.ok_or_else(no_such_review)?;
        Entity::update_any()
            .set(ActiveModel {
                answered_at: Set(if answer.is_empty() { 0 } else { now }),
                answer: Set(answer.clone()),
                ..Default::default()
            })
            .filter(Column::Id.eq(&review.id))
            .exec(&transaction)
            .await?;
        if !answer.is_empty() && answer != review.answer {
            let notification =
                Notification::new("reviewAnswered", &review.owner, &review.id, &listing);
            mall.notify(&transaction, notification.because(&answer))
                .await?;
        }
        transaction.commit().await?;
        mall.outbox.wake();
        Ok(())
    }
}

impl Mall {
    /// Why a user may not review a listing; none: it is allowed.
    async fn review_refused(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        listing: &listing::Model,
    ) -> Result<Option<&'static str>, DbErr> {
        if listing.seller == owner {
            return Ok(Some("不能评价自己发布的模型"));
        }
        if listing.state != State::Listed {
            return Ok(Some("该模型已下架"));
        }
        let had = grant::Entity::find_own(owner)
            .filter(grant::Column::ListingId.eq(&listing.id))
            .filter(grant::Column::State.eq(grant::State::Active))
            .count(db)
            .await?;
        Ok((had == 0).then_some("购买或领取这个模型后才能评价"))
    }

    async fn review_of(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        listing: &str,
    ) -> Result<Option<Model>, DbErr> {
        Entity::find_own(owner)
            .filter(Column::ListingId.eq(listing))
            .one(db)
            .await
    }

    /// Adds to the stars of a listing. The search follows the time; the revision stays: it is no change of its maker's.
    async fn weigh(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
        stars: i32,
        count: i64,
    ) -> Result<(), DbErr> {
        listing::Entity::update_any()
            .col_expr(
                listing::Column::RatingSum,
                Expr::col(listing::Column::RatingSum).add(i64::from(stars)),
            )
            .col_expr(
                listing::Column::RatingCount,
                Expr::col(listing::Column::RatingCount).add(count),
            )
            .col_expr(listing::Column::UpdatedAt, Expr::value(self.now()))
            .filter(listing::Column::Id.eq(id))
            .exec(transaction)
            .await?;
        Ok(())
    }

    /// Reviews of an account that ends: they go, and their stars count no more.
    pub(crate) async fn forget_reviews(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<(), DbErr> {
        let mut all = Entity::find_own(owner).all(transaction).await?;
        all.sort_by(|a, b| a.listing_id.cmp(&b.listing_id));
        for rating::Model {
            id,
            listing_id,
            stars,
            hidden,
            ..
        } in all
        {
            Entity::delete_own(owner)
                .filter(Column::Id.eq(id))
                .exec(transaction)
                .await?;
            if !hidden {
                self.weigh(transaction, &listing_id, -stars, -1).await?;
            }
        }
        Ok(())
    }
}
