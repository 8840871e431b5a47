//! The makers' calls.

use chassis::db::list::choice;
use chassis::db::{self, List};
use chassis::{BusinessError, ServiceError, SignedIn, grantee};
use proto::transaction::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{IntoActiveModel, Set};

use super::draft::version_of;
use super::edit::Act;
use super::{Change, conflict, decision, split, texts};
use crate::Mall;
use crate::entity::approval::Action;
use crate::entity::listing::{Column, Entity, State};
use crate::entity::version;

/// Files of one question.
const MOST_FILES: usize = 100;

impl ListingCalls<ServiceError> for Mall {
    async fn my_listings(
        &self,
        caller: &SignedIn,
        form: MyListingsRequest,
    ) -> Result<MyListingsReply, ServiceError> {
        let states: &[State] = match form.is_relase.as_str() {
            "true" => &State::RELEASED,
            _ => &State::TO_BE_RELEASED,
        };
        let page = List::<Entity>::own(caller.login_id())
            .filter(Column::State.is_in(states.iter().copied()))
            .when(
                Column::State,
                choice(&form.state, State::of, "没有这种状态")?,
            )
            .search(&form.keyword, [Column::Name])
            .newest_first(Column::UpdatedAt, Column::Id)
            .page(&form, &self.context.db)
            .await?;
        let newest = self.newest_of(&page.rows).await?;
        let decisions = self.decisions(newest.values()).await?;
        Ok(page.reply(|listing| {
            let version = newest.get(&listing.id);
            MakerListing {
                decision: version.map_or_else(String::new, |one| decision(&decisions, one)),
                ..self.maker_view(&grantee(caller), listing, version)
            }
        }))
    }

    async fn my_listing(
        &self,
        caller: &SignedIn,
        form: MyListingRequest,
    ) -> Result<MakerListing, ServiceError> {
        let db = &self.context.db;
        let listing = self.own(db, caller.login_id(), &form.listing_id).await?;
        self.maker_listing(&grantee(caller), listing).await
    }

    async fn save_listing(
        &self,
        caller: &SignedIn,
        form: SaveListingRequest,
    ) -> Result<MakerListing, ServiceError> {
        let checked = self.check(&form).await?;
        let (owner, id) = (caller.login_id(), &form.listing_id);
        let saved = self.change(owner, id, form.revision, &checked).await?;
        self.outbox.wake();
        self.maker_listing(&grantee(caller), saved).await
    }

    async fn submit_listings(
        &self,
        caller: &SignedIn,
        form: ListingIdsRequest,
    ) -> Result<ListingResults, ServiceError> {
        let owner = caller.login_id();
        let done = self.each(owner, &form.listing_ids, Act::Submit).await;
        self.ask.notify_one();
        done
    }

    async fn withdraw_listings(
        &self,
        caller: &SignedIn,
        form: ListingIdsRequest,
    ) -> Result<ListingResults, ServiceError> {
        let owner = caller.login_id();
        self.each(owner, &form.listing_ids, Act::Withdraw).await
    }

    async fn relist_listings(
        &self,
        caller: &SignedIn,
        form: ListingIdsRequest,
    ) -> Result<ListingResults, ServiceError> {
        let owner = caller.login_id();
        self.each(owner, &form.listing_ids, Act::Relist).await
    }

    async fn add_version(
        &self,
        caller: &SignedIn,
        form: AddVersionRequest,
    ) -> Result<MakerListing, ServiceError> {
        let owner = caller.login_id();
        let notes = texts::NOTES.check(&form.notes, self.words.scanner().await?.as_ref())?;
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.lock_own(&transaction, owner, &form.listing_id).await?;
        self.not_frozen(&transaction, owner).await?;
        if !matches!(listing.state, State::Listed | State::Withdrawn) {
            return Err(conflict("上架过的模型才能发布新版本"));
        }
        let newest = self.newest(&transaction, &listing).await?;
        if version::State::UNDER_REVIEW.contains(&newest.state) {
            return Err(conflict("已有内容在审核中，请等审核结束"));
        }
        let file = self
            .free_file(&transaction, owner, &form.file_id, form.give_up_draft)
            .await?;
        let number = self.next_number(&transaction, &listing.id).await?;
        let now = self.now();
        let mut version = version::Model {
            state: version::State::Making,
            notes,
            ask_at: now,
            submitted_at: now,
            ..version_of(&listing, &file, number, now)
        };
        // What is said in changes that were not handed in goes along.
        if newest.state.is_open() {
            self.give_up(&transaction, &newest).await?;
            version.name = newest.name;
            version.category_id = newest.category_id;
            version.label_ids = newest.label_ids;
            version.intro = newest.intro;
            version.description = newest.description;
            version.origin = newest.origin;
        }
        let missing = self.missing(&transaction, &listing, &version).await?;
        if let Some(first) = missing.into_iter().next() {
            return Err(BusinessError::invalid(first).into());
        }
        db::insert(version, &transaction).await?;
        let mut row = listing.into_active_model();
        row.newest_version = Set(number);
        row.updated_at = Set(now);
        let listing = row.update(&transaction).await?;
        let handed_in = Change::of(Action::Submitted, number);
        self.note(&transaction, &listing.id, handed_in).await?;
        transaction.commit().await?;
        self.ask.notify_one();
        self.maker_listing(&grantee(caller), listing).await
    }

    async fn take_back(
        &self,
        caller: &SignedIn,
        form: TakeBackRequest,
    ) -> Result<MakerListing, ServiceError> {
        let (owner, id) = (caller.login_id(), &form.listing_id);
        let listing = self.take_changes_back(owner, id, form.discard).await?;
        self.maker_listing(&grantee(caller), listing).await
    }

    async fn file_uses(
        &self,
        caller: &SignedIn,
        form: FileUsesRequest,
    ) -> Result<FileUsesReply, ServiceError> {
        let files = split(&form.file_ids);
        if files.is_empty() || files.len() > MOST_FILES {
            return Err(BusinessError::invalid("请选择 1 至 100 个文件").into());
        }
        self.uses_of(caller.login_id(), &files).await
    }

    async fn save_listings(
        &self,
        caller: &SignedIn,
        form: SaveListingsRequest,
    ) -> Result<ListingResults, ServiceError> {
        let checked = self
            .check(&SaveListingRequest {
                category_id: form.category_id,
                label_ids: form.label_ids,
                license: form.license,
                price: form.price,
                origin: form.origin,
                ..Default::default()
            })
            .await?;
        let act = Act::Save(&checked);
        self.each(caller.login_id(), &form.listing_ids, act).await
    }

    async fn listing_counts(
        &self,
        caller: &SignedIn,
        _: ListingCountsRequest,
    ) -> Result<ListingCountsReply, ServiceError> {
        self.count_mine(caller.login_id()).await
    }

    async fn delete_listing(
        &self,
        caller: &SignedIn,
        form: MyListingRequest,
    ) -> Result<(), ServiceError> {
        let (owner, id) = (caller.login_id(), &form.listing_id);
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.lock_own(&transaction, owner, id).await?;
        let open = matches!(listing.state, State::Draft | State::Rejected);
        if !open || listing.listed_at != 0 {
            return Err(conflict("只能删除未上架过的草稿"));
        }
        self.forget(&transaction, owner, id).await?;
        transaction.commit().await?;
        Ok(())
    }
}
