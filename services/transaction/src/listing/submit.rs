//! Handing in, taking off the mall, showing again.

use chassis::db::states::Transition;
use chassis::garbage::discard;
use chassis::{BusinessError, ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ConnectionTrait, DatabaseTransaction, IntoActiveModel, QuerySelect, Set};

use super::{Change, conflict, no_such_listing};
use crate::Mall;
use crate::entity::approval::Action;
use crate::entity::listing::{self, Column, State};
use crate::entity::version;

impl Mall {
    /// What has to be said before a listing can be handed in, in the user's words.
    pub(super) async fn missing(
        &self,
        db: &impl ConnectionTrait,
        listing: &listing::Model,
        newest: &version::Model,
    ) -> Result<Vec<String>, ServiceError> {
        let mut missing = Vec::new();
        let mut say = |what: &str| missing.push(what.to_owned());
        if newest.name.is_empty() {
            say("请填写模型名称");
        }
        if newest.category_id.is_empty() {
            say("请选择分类");
        } else if let Err(ServiceError::Business(_)) = self.offered(db, &newest.category_id).await {
            say("所选分类已停用，请重新选择");
        }
        if newest.intro.is_empty() {
            say("请填写一句话介绍");
        }
        if listing.price < 0 {
            say("请填写价格");
        }
        Ok(missing)
    }

    /// Hands in what is worked on. The pictures of a new file are made first.
    pub(super) async fn submit(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<listing::Model, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.lock_own(&transaction, owner, id).await?;
        self.not_frozen(&transaction, owner).await?;
        let newest = self.newest(&transaction, &listing).await?;
        if listing.state == State::TakenDown {
            return Err(conflict("模型已被平台下架，不能提交"));
        }
        if !newest.state.is_open() {
            let message = match newest.state {
                version::State::Ready => "没有需要审核的修改",
                _ => "模型已在审核中",
            };
            return Err(conflict(message));
        }
        if let Some(first) = self
            .missing(&transaction, &listing, &newest)
            .await?
            .into_iter()
            .next()
        {
            return Err(BusinessError::invalid(first).into());
        }
        let now = self.now();
        // Pictures that are made already, of a version that was refused for its texts, are kept.
        let made = newest.texts_only || !newest.source_key.is_empty();
        let next = match made {
            true => version::State::Submitted,
            false => version::State::Making,
        };
        let moved = self
            .move_version(&transaction, &newest, (&[newest.state], next), |row| {
                row.submitted_at = Set(now);
                row.ask_at = Set(if made { 0 } else { now });
                row.reason = Set(String::new());
            })
            .await?;
        if !moved {
            return Err(conflict("模型已在审核中"));
        }
        self.note(
            &transaction,
            id,
            Change::of(Action::Submitted, newest.number),
        )
        .await?;
        if listing.listed_at == 0 {
            self.move_listing(&transaction, &listing, State::Making)
                .await?;
            if made {
                self.move_listing(&transaction, &listing, State::Submitted)
                    .await?;
            }
        }
        if made && !self.config.review {
            self.approve(&transaction, &listing.id, newest.number)
                .await?;
        }
        let listing = self.own(&transaction, owner, id).await?;
        transaction.commit().await?;
        Ok(listing)
    }

    /// From one of these states to the next; `false`: it was in none of them.
    pub(crate) async fn move_version(
        &self,
        transaction: &DatabaseTransaction,
        version: &version::Model,
        (from, next): (&[version::State], version::State),
        set: impl FnOnce(&mut version::ActiveModel),
    ) -> Result<bool, DbErr> {
        let mut row = version::ActiveModel {
            updated_at: Set(self.now()),
            claimed_by: Set(String::new()),
            claimed_until: Set(0),
            ..Default::default()
        };
        set(&mut row);
        Transition::to(next)
            .from_only(from)
            .set(row)
            .only(version::Column::ListingId.eq(&version.listing_id))
            .only(version::Column::Number.eq(version.number))
            .apply(transaction)
            .await
    }

    pub(crate) async fn move_listing(
        &self,
        transaction: &DatabaseTransaction,
        listing: &listing::Model,
        next: State,
    ) -> Result<Option<listing::Model>, DbErr> {
        let row = listing::ActiveModel {
            updated_at: Set(self.now()),
            ..Default::default()
        };
        let moved = Transition::to(next)
            .set(row)
            .only(Column::Id.eq(&listing.id))
            .take(transaction)
            .await?;
        Ok(moved.into_iter().next())
    }

    /// Takes a listing off the mall; one that was never shown out of review.
    pub(super) async fn withdraw(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<listing::Model, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.lock_own(&transaction, owner, id).await?;
        let next = match listing.state {
            State::Listed => State::Withdrawn,
            State::Making | State::Submitted => State::Draft,
            _ => return Err(conflict("只有已上架或审核中的模型可以撤回")),
        };
        let newest = self.newest(&transaction, &listing).await?;
        if next == State::Draft {
            let out = (&version::State::UNDER_REVIEW[..], version::State::Draft);
            self.move_version(&transaction, &newest, out, |row| {
                row.ask_at = Set(0);
            })
            .await?;
        }
        let moved = self.move_listing(&transaction, &listing, next).await?;
        let moved = moved.ok_or_else(|| conflict("状态已改变，请刷新后再试"))?;
        self.note(
            &transaction,
            id,
            Change::of(Action::Withdrawn, newest.number),
        )
        .await?;
        if moved.state == State::Withdrawn {
            self.publish_changed(&transaction, &moved).await?;
        }
        transaction.commit().await?;
        Ok(moved)
    }

    /// Takes changes of what the mall shows or has shown out of review; with `given_up` it is again what was approved last.
    pub(super) async fn take_changes_back(
        &self,
        owner: &str,
        id: &str,
        given_up: bool,
    ) -> Result<listing::Model, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.lock_own(&transaction, owner, id).await?;
        if listing.listed_at == 0 {
            return Err(conflict("模型还没有上架过，请直接撤回或删除"));
        }
        let newest = self.newest(&transaction, &listing).await?;
        let mut row = listing.into_active_model();
        row.updated_at = Set(self.now());
        let action = if given_up {
            if newest.state == version::State::Ready {
                return Err(conflict("没有可以放弃的修改"));
            }
            self.give_up(&transaction, &newest).await?;
            if !newest.texts_only {
                self.draft_again(&transaction, owner, &newest.file_id)
                    .await?;
            }
            let approved = self.approved_last(&transaction, id).await?;
            row.newest_version = Set(approved.ok_or_else(no_such_listing)?);
            Action::Discarded
        } else {
            let out = (&version::State::UNDER_REVIEW[..], version::State::Draft);
            let moved = self
                .move_version(&transaction, &newest, out, |row| row.ask_at = Set(0))
                .await?;
            if !moved {
                return Err(conflict("没有在审核中的修改"));
            }
            Action::TakenBack
        };
        let listing = row.update(&transaction).await?;
        self.note(&transaction, id, Change::of(action, newest.number))
            .await?;
        transaction.commit().await?;
        Ok(listing)
    }

    /// Gives up a version that was not approved, with what was made of its file.
    pub(super) async fn give_up(
        &self,
        transaction: &DatabaseTransaction,
        version: &version::Model,
    ) -> Result<(), ServiceError> {
        let next = (&[version.state][..], version::State::Discarded);
        self.move_version(transaction, version, next, |row| row.ask_at = Set(0))
            .await?;
        self.discard_made(transaction, version).await?;
        Ok(())
    }

    /// Deletes what was made of a version's own file.
    pub(super) async fn discard_made(
        &self,
        transaction: &DatabaseTransaction,
        version: &version::Model,
    ) -> Result<(), DbErr> {
        if version.texts_only {
            return Ok(());
        }
        let made = format!("m/{}/{}/", version.listing_id, version.number);
        discard(transaction, self.now(), [&made]).await
    }

    /// Number of the version that was approved last.
    pub(crate) async fn approved_last(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<Option<i32>, DbErr> {
        let approved = version::Column::State.eq(version::State::Ready);
        highest(transaction, version::Column::ListingId.eq(id).and(approved)).await
    }

    /// The number of the next version: none that was given up is used again, its pictures may still be on their way.
    pub(super) async fn next_number(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<i32, DbErr> {
        let number = highest(transaction, version::Column::ListingId.eq(id)).await?;
        Ok(number.unwrap_or(0) + 1)
    }

    pub(super) async fn relist(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<listing::Model, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.lock_own(&transaction, owner, id).await?;
        self.not_frozen(&transaction, owner).await?;
        if listing.state != State::Withdrawn {
            return Err(conflict("只有已下架的模型可以重新上架"));
        }
        let moved = self
            .move_listing(&transaction, &listing, State::Listed)
            .await?;
        let moved = moved.ok_or_else(|| conflict("状态已改变，请刷新后再试"))?;
        let relisted = Change::of(Action::Relisted, listing.current_version);
        self.note(&transaction, id, relisted).await?;
        self.publish_changed(&transaction, &moved).await?;
        transaction.commit().await?;
        Ok(moved)
    }
}

/// Highest number of these versions.
async fn highest(transaction: &DatabaseTransaction, of: Expr) -> Result<Option<i32>, DbErr> {
    let number: Option<Option<i32>> = version::Entity::find()
        .select_only()
        .column_as(version::Column::Number.max(), "number")
        .filter(of)
        .into_tuple()
        .one(transaction)
        .await?;
    Ok(number.flatten())
}
