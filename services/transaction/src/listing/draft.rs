//! Drafts begin with files that their owners release.

use chassis::{ServiceError, db};
use proto::process::v1::FileReleased;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use crate::Mall;
use crate::entity::listing::{self, License, Origin, State};
use crate::entity::{released, version};

impl Mall {
    /// Keeps what is known of a released file, and makes a draft of it unless a listing uses it already.
    pub(crate) async fn take_released(
        &self,
        transaction: &DatabaseTransaction,
        event: FileReleased,
    ) -> Result<(), ServiceError> {
        let file = released::Model {
            file_id: event.file_id,
            owner: event.login_id,
            name: event.model_name,
            format: event.format,
            file_size: event.file_size,
            sha256: event.sha256,
            triangles: event.triangles,
            animation: event.animation,
            score: event.score,
            label_ids: event.label_ids.join(","),
            thumb_key: event.thumb_key,
            released_at: event.released_at_ms,
        };
        let is_new = db::insert_new(file.clone(), transaction).await?;
        if !is_new {
            released::Entity::update_own(&file.owner)
                .set(released::ActiveModel {
                    name: Set(file.name.clone()),
                    label_ids: Set(file.label_ids.clone()),
                    ..Default::default()
                })
                .filter(released::Column::FileId.eq(&file.file_id))
                .exec(transaction)
                .await?;
        }
        self.draft_unless_used(transaction, &file).await
    }

    /// Makes a draft again of a file that a listing does not use any more.
    pub(super) async fn draft_again(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        file: &str,
    ) -> Result<(), ServiceError> {
        let file = released::Entity::find_own_by_id(owner, file)
            .one(transaction)
            .await?;
        match file {
            Some(file) => self.draft_unless_used(transaction, &file).await,
            None => Ok(()),
        }
    }

    async fn draft_unless_used(
        &self,
        transaction: &DatabaseTransaction,
        file: &released::Model,
    ) -> Result<(), ServiceError> {
        let used = version::Entity::find()
            .filter(version::Column::FileId.eq(&file.file_id))
            .filter(version::Column::State.ne(version::State::Discarded))
            .count(transaction)
            .await?;
        let listings = listing::Entity::find_own(&file.owner)
            .filter(listing::Column::State.ne(State::Removed))
            .count(transaction)
            .await?;
        // A maker with too many can still use the file later, as a version of another listing.
        if used == 0 && listings < self.config.listings_per_maker {
            self.draft(transaction, file).await?;
        }
        Ok(())
    }

    async fn draft(
        &self,
        transaction: &DatabaseTransaction,
        file: &released::Model,
    ) -> Result<(), ServiceError> {
        let now = self.now();
        let maker = self.modeler(transaction, &file.owner).await?;
        let listing = listing::Model {
            id: chassis::ids::new_id(),
            seller: file.owner.clone(),
            uploader_type: maker.as_ref().map_or(0, |maker| maker.known_type()),
            frozen: maker.is_some_and(|maker| maker.frozen),
            state: State::Draft,
            revision: 1,
            name: file.name.clone(),
            category_id: String::new(),
            label_ids: file.label_ids.clone(),
            intro: String::new(),
            description: String::new(),
            license: License::Personal,
            origin: Origin::Own,
            price: -1,
            current_version: 0,
            newest_version: 1,
            format: file.format.clone(),
            triangles: file.triangles,
            animation: file.animation,
            score: file.score,
            thumb_key: String::new(),
            turntable_key: String::new(),
            sold: 0,
            favourites: 0,
            rating_sum: 0,
            rating_count: 0,
            listed_at: 0,
            created_at: now,
            updated_at: now,
        };
        let first = version_of(&listing, file, 1, now);
        db::insert(listing, transaction).await?;
        db::insert(first, transaction).await?;
        Ok(())
    }
}

/// A version of this file that says what its listing says.
pub(super) fn version_of(
    listing: &listing::Model,
    file: &released::Model,
    number: i32,
    now: i64,
) -> version::Model {
    version::Model {
        listing_id: listing.id.clone(),
        number,
        state: version::State::Draft,
        file_id: file.file_id.clone(),
        texts_only: false,
        notes: String::new(),
        name: listing.name.clone(),
        category_id: listing.category_id.clone(),
        label_ids: listing.label_ids.clone(),
        intro: listing.intro.clone(),
        description: listing.description.clone(),
        origin: listing.origin,
        format: file.format.clone(),
        bytes: file.file_size,
        sha256: file.sha256.clone(),
        triangles: file.triangles,
        animation: file.animation,
        score: file.score,
        thumb_key: file.thumb_key.clone(),
        shown_of: number,
        source_key: String::new(),
        proxy_key: String::new(),
        pictures: "[]".to_owned(),
        facts: "{}".to_owned(),
        descriptor: Vec::new(),
        reason: String::new(),
        ask_at: 0,
        submitted_at: 0,
        claimed_by: String::new(),
        claimed_until: 0,
        created_at: now,
        updated_at: now,
    }
}
