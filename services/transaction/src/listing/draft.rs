//! Drafts begin with files that their owners release.

use chassis::ServiceError;
use proto::process::v1::FileReleased;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DatabaseTransaction, Set};

use crate::Mall;
use crate::entity::listing::{self, License, Origin, State};
use crate::entity::{released, version};

/// The columns of a version that come from its file.
pub(super) fn from_file(file: &released::Model) -> version::ActiveModel {
    version::ActiveModel {
        file_id: Set(file.file_id.clone()),
        format: Set(file.format.clone()),
        bytes: Set(file.file_size),
        sha256: Set(file.sha256.clone()),
        triangles: Set(file.triangles),
        animation: Set(file.animation),
        score: Set(file.score),
        thumb_key: Set(file.thumb_key.clone()),
        ..Default::default()
    }
}

/// The columns of a version that nothing is known of yet.
pub(super) fn blank(listing: &str, number: i32, now: i64) -> version::ActiveModel {
    version::ActiveModel {
        listing_id: Set(listing.to_owned()),
        number: Set(number),
        state: Set(version::State::Draft),
        texts_only: Set(false),
        notes: Set(String::new()),
        shown_of: Set(number),
        source_key: Set(String::new()),
        proxy_key: Set(String::new()),
        pictures: Set("[]".to_owned()),
        facts: Set("{}".to_owned()),
        descriptor: Set(Vec::new()),
        reason: Set(String::new()),
        ask_at: Set(0),
        submitted_at: Set(0),
        claimed_by: Set(String::new()),
        claimed_until: Set(0),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    }
}

impl Mall {
    /// Keeps what is known of a released file, and makes a draft of it. A file released again keeps its draft.
    pub(crate) async fn take_released(
        &self,
        transaction: &DatabaseTransaction,
        event: FileReleased,
    ) -> Result<(), ServiceError> {
        let known = released::Entity::find_by_id(&event.file_id)
            .one(transaction)
            .await?;
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
        let newer = OnConflict::column(released::Column::FileId)
            .update_columns([released::Column::Name, released::Column::LabelIds])
            .to_owned();
        released::Entity::insert(released::ActiveModel::from(file.clone()).reset_all())
            .on_conflict(newer)
            .exec_without_returning(transaction)
            .await?;
        let listings = listing::Entity::find()
            .filter(listing::Column::Seller.eq(&file.owner))
            .filter(listing::Column::State.ne(State::Removed))
            .count(transaction)
            .await?;
        // Whoever has too many finds the file again once there is room: as a version of another.
        if known.is_none() && listings < self.config.listings_per_maker {
            self.draft(transaction, &file).await?;
        }
        Ok(())
    }

    async fn draft(
        &self,
        transaction: &DatabaseTransaction,
        file: &released::Model,
    ) -> Result<(), ServiceError> {
        let (id, now) = (chassis::ids::new_id(), self.now());
        let maker = self.modeler(transaction, &file.owner).await?;
        let listing = listing::Model {
            id: id.clone(),
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
        let first = said_of(&listing, blank(&id, 1, now), from_file(file));
        listing::ActiveModel::from(listing)
            .reset_all()
            .insert(transaction)
            .await?;
        first.insert(transaction).await?;
        Ok(())
    }
}

/// A version that says what its listing says.
pub(super) fn said_of(
    listing: &listing::Model,
    blank: version::ActiveModel,
    file: version::ActiveModel,
) -> version::ActiveModel {
    version::ActiveModel {
        name: Set(listing.name.clone()),
        category_id: Set(listing.category_id.clone()),
        label_ids: Set(listing.label_ids.clone()),
        intro: Set(listing.intro.clone()),
        description: Set(listing.description.clone()),
        origin: Set(listing.origin),
        file_id: file.file_id,
        format: file.format,
        bytes: file.bytes,
        sha256: file.sha256,
        triangles: file.triangles,
        animation: file.animation,
        score: file.score,
        thumb_key: file.thumb_key,
        ..blank
    }
}
