//! What makers change. Price and licence hold at once; what is said of a model that the mall shows waits in a version of its own for
//! review.

use chassis::{BusinessError, ServiceError, db};
use proto::transaction::v1::{
    FileUse, FileUsesReply, ListingResult, ListingResults, SaveListingRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{ActiveValue, DatabaseTransaction, IntoActiveModel, QueryOrder, Set};

use super::{conflict, no_such_listing, split, texts};
use crate::Mall;
use crate::entity::listing::{self, Column, Entity, License, Origin, State};
use crate::entity::{price_change, released, version};

/// Listings that one call changes.
const MOST_AT_ONCE: usize = 50;

/// What one of many answers. Faults of ours end the call.
fn result(
    id: String,
    done: Result<listing::Model, ServiceError>,
) -> Result<ListingResult, ServiceError> {
    let (state, message) = match done {
        Ok(listing) => (listing.state.name().to_owned(), String::new()),
        Err(ServiceError::Business(error)) => (String::new(), error.message),
        Err(error) => return Err(error),
    };
    Ok(ListingResult {
        listing_id: id,
        state,
        message,
    })
}

/// What is done to many.
pub(super) enum Act<'a> {
    Save(&'a Checked),
    Submit,
    Withdraw,
    Relist,
}

/// Checked changes; what is `NotSet` stays.
pub(super) struct Checked {
    texts: version::ActiveModel,
    license: Option<License>,
    price: Option<i64>,
}

impl Checked {
    fn has_texts(&self) -> bool {
        let texts = &self.texts;
        [
            &texts.name,
            &texts.category_id,
            &texts.label_ids,
            &texts.intro,
            &texts.description,
        ]
        .iter()
        .any(|text| text.is_set())
            || texts.origin.is_set()
    }
}

impl Mall {
    /// Does the same to many listings, one after the other; each answers for itself. Errors: none, too many, or one that is not the
    /// caller's: then nothing is done.
    pub(super) async fn each(
        &self,
        owner: &str,
        joined: &str,
        act: Act<'_>,
    ) -> Result<ListingResults, ServiceError> {
        let mut ids = split(joined);
        ids.sort();
        ids.dedup();
        if ids.is_empty() || ids.len() > MOST_AT_ONCE {
            let message = format!("每次可以处理 1 至 {MOST_AT_ONCE} 个模型");
            return Err(BusinessError::invalid(message).into());
        }
        let own = Entity::find_own(owner)
            .filter(Column::Id.is_in(&ids))
            .filter(Column::State.ne(State::Removed))
            .count(&self.context.db)
            .await?;
        if own != ids.len() as u64 {
            return Err(no_such_listing());
        }
        let mut results = Vec::new();
        for id in ids {
            let done = match act {
                Act::Save(checked) => self.change(owner, &id, 0, checked).await,
                Act::Submit => self.submit(owner, &id).await,
                Act::Withdraw => self.withdraw(owner, &id).await,
                Act::Relist => self.relist(owner, &id).await,
            };
            results.push(result(id, done)?);
        }
        self.outbox.wake();
        Ok(ListingResults { results })
    }

    /// Errors: a field says what no listing may.
    pub(super) async fn check(&self, form: &SaveListingRequest) -> Result<Checked, ServiceError> {
        let scanner = self.words.scanner().await?;
        let mut said = version::ActiveModel {
            ..Default::default()
        };
        if let Some(name) = &form.name {
            said.name = Set(texts::NAME.check(name, &scanner)?);
        }
        if let Some(id) = &form.category_id {
            said.category_id = Set(self.offered(&self.context.db, id).await?.id);
        }
        if let Some(ids) = &form.label_ids {
            let ids = facts::labels::parse(ids)
                .ok_or_else(|| BusinessError::invalid("标签不正确，最多选择 10 个"))?;
            said.label_ids = Set(ids.join(","));
        }
        if let Some(intro) = &form.intro {
            said.intro = Set(texts::INTRO.check(intro, &scanner)?);
        }
        if let Some(description) = &form.description {
            said.description = Set(texts::DESCRIPTION.check(description, &scanner)?);
        }
        if let Some(origin) = &form.origin {
            let origin = Origin::of(origin);
            said.origin = Set(origin.ok_or_else(|| BusinessError::invalid("请声明模型的来源"))?);
        }
        let license = form.license.as_deref().map(License::of);
        let license = match license {
            Some(None) => return Err(BusinessError::invalid("没有这种授权方式").into()),
            other => other.flatten(),
        };
        Ok(Checked {
            texts: said,
            license,
            price: form.price.map(texts::price).transpose()?,
        })
    }

    /// Writes checked changes. Errors: 60105 when it is under review, or was changed since `revision` (0: whatever it is).
    pub(super) async fn change(
        &self,
        owner: &str,
        id: &str,
        revision: i64,
        checked: &Checked,
    ) -> Result<listing::Model, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.lock_own(&transaction, owner, id).await?;
        if revision != 0 && listing.revision != revision + 1 {
            return Err(conflict("模型已在别处修改，请刷新后再编辑"));
        }
        if listing.state == State::TakenDown {
            return Err(conflict("模型已被平台下架，不能修改"));
        }
        let newest = self.newest(&transaction, &listing).await?;
        if version::State::UNDER_REVIEW.contains(&newest.state)
            && (checked.has_texts() || listing.listed_at == 0)
        {
            return Err(conflict("审核中的内容不能修改，请先撤回"));
        }
        let mut row = listing.clone().into_active_model();
        row.updated_at = Set(self.now());
        if checked.has_texts() {
            self.say(&transaction, &listing, newest, &checked.texts, &mut row)
                .await?;
        }
        let license = checked.license.filter(|one| *one != listing.license);
        let price = checked.price.filter(|one| *one != listing.price);
        if let Some(license) = license {
            row.license = Set(license);
        }
        if let Some(price) = price {
            row.price = Set(price);
            if listing.listed_at != 0 {
                self.note_price(&transaction, id, price).await?;
            }
        }
        let listing = row.update(&transaction).await?;
        // Texts show when they are approved.
        if listing.state == State::Listed && (license.is_some() || price.is_some()) {
            self.publish_changed(&transaction, &listing).await?;
        }
        transaction.commit().await?;
        Ok(listing)
    }

    /// Puts texts into the version that is worked on; one that the mall shows already gets a new one for them.
    async fn say(
        &self,
        transaction: &DatabaseTransaction,
        listing: &listing::Model,
        newest: version::Model,
        said: &version::ActiveModel,
        row: &mut listing::ActiveModel,
    ) -> Result<(), ServiceError> {
        let now = self.now();
        if newest.state.is_open() {
            let changed = version::ActiveModel {
                listing_id: ActiveValue::Unchanged(newest.listing_id),
                number: ActiveValue::Unchanged(newest.number),
                updated_at: Set(now),
                ..said.clone()
            };
            let version = changed.update(transaction).await?;
            if listing.listed_at == 0 {
                row.name = Set(version.name);
                row.category_id = Set(version.category_id);
                row.label_ids = Set(version.label_ids);
                row.intro = Set(version.intro);
                row.description = Set(version.description);
                row.origin = Set(version.origin);
            }
            return Ok(());
        }
        let number = self.next_number(transaction, &listing.id).await?;
        let again = version::Model {
            number,
            state: version::State::Draft,
            texts_only: true,
            notes: String::new(),
            reason: String::new(),
            submitted_at: 0,
            claimed_by: String::new(),
            claimed_until: 0,
            created_at: now,
            updated_at: now,
            ..newest
        };
        db::insert(again, transaction).await?;
        let changed = version::ActiveModel {
            listing_id: ActiveValue::Unchanged(listing.id.clone()),
            number: ActiveValue::Unchanged(number),
            ..said.clone()
        };
        changed.update(transaction).await?;
        row.newest_version = Set(number);
        Ok(())
    }

    /// Which listings of the owner's use these files; the newest version of each counts.
    pub(super) async fn uses_of(
        &self,
        owner: &str,
        files: &[String],
    ) -> Result<FileUsesReply, ServiceError> {
        let db = &self.context.db;
        let versions = version::Entity::find()
            .filter(version::Column::FileId.is_in(files))
            .filter(version::Column::State.ne(version::State::Discarded))
            .order_by_desc(version::Column::Number)
            .all(db)
            .await?;
        let ids = versions.iter().map(|one| one.listing_id.as_str());
        let listings = Entity::find_own(owner)
            .filter(Column::Id.is_in(ids))
            .filter(Column::State.ne(State::Removed))
            .all(db)
            .await?;
        let newest = self.newest_of(&listings).await?;
        let mut results: Vec<FileUse> = Vec::new();
        for used in &versions {
            let listing = listings.iter().find(|one| one.id == used.listing_id);
            let known = |one: &FileUse| one.file_id == used.file_id;
            let Some(listing) = listing.filter(|_| !results.iter().any(known)) else {
                continue;
            };
            let name = newest
                .get(&listing.id)
                .map_or(&listing.name, |one| &one.name);
            results.push(FileUse {
                file_id: used.file_id.clone(),
                listing_id: listing.id.clone(),
                name: name.clone(),
                state: listing.state.name().to_owned(),
                released: listing.listed_at != 0,
                described: listing.state == State::Draft
                    && listing.listed_at == 0
                    && is_described(listing, used),
            });
        }
        Ok(FileUsesReply { results })
    }

    pub(crate) async fn note_price(
        &self,
        transaction: &DatabaseTransaction,
        listing: &str,
        price: i64,
    ) -> Result<(), DbErr> {
        let row = price_change::Model {
            id: chassis::ids::new_id(),
            listing_id: listing.to_owned(),
            price,
            at: self.now(),
        };
        db::insert(row, transaction).await
    }

    /// A released file of the caller's that no listing of theirs is made of; a mere draft of it is given up, one that was
    /// described only if so asked.
    pub(super) async fn free_file(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        id: &str,
        give_up_draft: bool,
    ) -> Result<released::Model, ServiceError> {
        let file = released::Entity::find_own_by_id(owner, id)
            .one(transaction)
            .await?
            .ok_or_else(|| BusinessError::not_found("文件不存在，或还没有保存为模型"))?;
        let users = version::Entity::find()
            .filter(version::Column::FileId.eq(id))
            .filter(version::Column::State.ne(version::State::Discarded))
            .all(transaction)
            .await?;
        for user in users {
            let listing = Entity::find_any_by_id(&user.listing_id)
                .one(transaction)
                .await?;
            match listing {
                Some(one)
                    if one.seller == owner && one.listed_at == 0 && one.state == State::Draft =>
                {
                    if !give_up_draft && is_described(&one, &user) {
                        return Err(conflict(
                            "这个文件已有填写了资料的草稿，用作新版本会删除草稿",
                        ));
                    }
                    self.forget(transaction, owner, &one.id).await?;
                }
                Some(_) => return Err(conflict("这个文件已用于另一个模型或版本")),
                None => {}
            }
        }
        Ok(file)
    }
}

/// Whether its maker has said more of a draft than its name.
fn is_described(listing: &listing::Model, version: &version::Model) -> bool {
    let texts = [&version.category_id, &version.intro, &version.description];
    listing.price >= 0 || texts.into_iter().any(|text| !text.is_empty())
}
