//! Listings as their makers have them.

mod calls;
mod draft;
mod edit;
pub(crate) mod news;
pub(crate) mod showcase;
mod submit;
pub(crate) mod texts;

use std::collections::HashMap;

use chassis::garbage::discard;
use chassis::{BusinessError, Grantee, ServiceError, db};
use proto::transaction::v1::{
    Listing, ListingCountsReply, ListingPicture, ListingRecord, ListingVersion, MakerListing,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    Condition, ConnectionTrait, DatabaseTransaction, FromQueryResult, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};

use crate::Mall;
use crate::entity::approval::Action;
use crate::entity::listing::{self, Column, Entity, State};
use crate::entity::{approval, price_change, version};

/// Records and versions that one answer holds.
const MOST_SHOWN: u64 = 100;

/// What happened to a listing.
pub(crate) struct Change<'a> {
    pub action: Action,
    pub version: i32,
    pub reason: &'a str,
}

impl Change<'_> {
    pub(crate) fn of(action: Action, version: i32) -> Self {
        Self {
            action,
            version,
            reason: "",
        }
    }
}

/// A picture as the column `pictures` holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Picture {
    pub kind: String,
    pub key: String,
    #[serde(default)]
    pub title: String,
}

/// What was decided of a rejected version; empty of others.
fn decision(known: &HashMap<String, Action>, version: &version::Model) -> String {
    let known = known.get(&version.listing_id);
    let known = known.filter(|_| version.state == version::State::Rejected);
    known.map_or_else(String::new, |action| action.name().to_owned())
}

pub(crate) fn pictures(version: &version::Model) -> Vec<Picture> {
    serde_json::from_str(&version.pictures).unwrap_or_default()
}

pub(crate) fn no_such_listing() -> ServiceError {
    BusinessError::not_found("模型不存在或已被删除").into()
}

pub(crate) fn conflict(text: &str) -> ServiceError {
    BusinessError::new(proto::code::CONFLICT, text).into()
}

/// What is joined by commas.
pub(crate) fn split(joined: &str) -> Vec<String> {
    let parts = joined.split(',').map(str::trim);
    parts
        .filter(|one| !one.is_empty())
        .map(str::to_owned)
        .collect()
}

#[derive(FromQueryResult)]
struct Counted {
    state: State,
    count: i64,
}

impl Mall {
    /// A listing of the caller's; other people's do not exist.
    pub(crate) async fn own(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        id: &str,
    ) -> Result<listing::Model, ServiceError> {
        let found = Entity::find_own_by_id(owner, id)
            .filter(Column::State.ne(State::Removed))
            .one(db)
            .await?;
        found.ok_or_else(no_such_listing)
    }

    /// Locks a listing until the transaction ends, and counts its revision up: any change of it or its versions does this first.
    pub(crate) async fn lock(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<Option<listing::Model>, DbErr> {
        let held = Entity::update_any()
            .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
            .filter(Column::Id.eq(id))
            .exec_with_returning(transaction)
            .await?;
        Ok(held.into_iter().next())
    }

    /// Locks a listing of the caller's; other people's do not exist and are not touched.
    pub(crate) async fn lock_own(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        id: &str,
    ) -> Result<listing::Model, ServiceError> {
        let held = Entity::update_own(owner)
            .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
            .filter(Column::Id.eq(id))
            .filter(Column::State.ne(State::Removed))
            .exec_with_returning(transaction)
            .await?;
        held.into_iter().next().ok_or_else(no_such_listing)
    }

    /// The newest version of a listing.
    pub(crate) async fn newest(
        &self,
        db: &impl ConnectionTrait,
        listing: &listing::Model,
    ) -> Result<version::Model, ServiceError> {
        let key = (listing.id.clone(), listing.newest_version);
        let found = version::Entity::find_by_id(key).one(db).await?;
        found.ok_or_else(no_such_listing)
    }

    /// Writes down what happened.
    pub(crate) async fn note(
        &self,
        transaction: &DatabaseTransaction,
        listing: &str,
        change: Change<'_>,
    ) -> Result<(), DbErr> {
        let row = approval::Model {
            id: chassis::ids::new_id(),
            listing_id: listing.to_owned(),
            version: change.version,
            action: change.action,
            reason: change.reason.to_owned(),
            at: self.now(),
        };
        db::insert(row, transaction).await
    }

    /// Removes a listing of the owner's that the mall never showed, with all that belongs to it and all that process has made
    /// of it.
    pub(crate) async fn forget(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        id: &str,
    ) -> Result<(), DbErr> {
        version::Entity::delete_many()
            .filter(version::Column::ListingId.eq(id))
            .exec(transaction)
            .await?;
        approval::Entity::delete_many()
            .filter(approval::Column::ListingId.eq(id))
            .exec(transaction)
            .await?;
        price_change::Entity::delete_many()
            .filter(price_change::Column::ListingId.eq(id))
            .exec(transaction)
            .await?;
        Entity::delete_own(owner)
            .filter(Column::Id.eq(id))
            .exec(transaction)
            .await?;
        discard(transaction, self.now(), [&format!("m/{id}/")]).await
    }

    /// The newest version of each.
    pub(crate) async fn newest_of(
        &self,
        listings: &[listing::Model],
    ) -> Result<HashMap<String, version::Model>, ServiceError> {
        if listings.is_empty() {
            return Ok(HashMap::new());
        }
        let newest: HashMap<&str, i32> = listings
            .iter()
            .map(|one| (one.id.as_str(), one.newest_version))
            .collect();
        let any = listings.iter().fold(Condition::any(), |any, one| {
            any.add(
                Condition::all()
                    .add(version::Column::ListingId.eq(&one.id))
                    .add(version::Column::Number.eq(one.newest_version)),
            )
        });
        let rows = version::Entity::find()
            .filter(any)
            .all(&self.context.db)
            .await?;
        let rows = rows
            .into_iter()
            .filter(|row| newest.get(row.listing_id.as_str()) == Some(&row.number));
        Ok(rows.map(|row| (row.listing_id.clone(), row)).collect())
    }

    /// All that its maker sees of a listing.
    async fn maker_listing(
        &self,
        to: &Grantee<'_>,
        listing: listing::Model,
    ) -> Result<MakerListing, ServiceError> {
        let newest = self.newest(&self.context.db, &listing).await?;
        let missing = self.missing(&self.context.db, &listing, &newest).await?;
        let versions = self.versions(&listing.id).await?;
        let records = self.records(&listing.id).await?;
        let decisions = self.decisions(std::slice::from_ref(&newest)).await?;
        Ok(MakerListing {
            missing,
            decision: decision(&decisions, &newest),
            versions: versions
                .iter()
                .map(|one| self.version_view(Some(to), one))
                .collect(),
            records,
            ..self.maker_view(to, listing, Some(&newest))
        })
    }

    /// Newest first.
    pub(crate) async fn versions(&self, id: &str) -> Result<Vec<version::Model>, DbErr> {
        version::Entity::find()
            .filter(version::Column::ListingId.eq(id))
            .order_by_desc(version::Column::Number)
            .limit(MOST_SHOWN)
            .all(&self.context.db)
            .await
    }

    /// The last decision on each of these versions that is rejected, by listing.
    pub(crate) async fn decisions<'a>(
        &self,
        versions: impl IntoIterator<Item = &'a version::Model>,
    ) -> Result<HashMap<String, Action>, DbErr> {
        let rejected = versions
            .into_iter()
            .filter(|one| one.state == version::State::Rejected);
        let any = rejected.fold(Condition::any(), |any, one| {
            any.add(
                Condition::all()
                    .add(approval::Column::ListingId.eq(&one.listing_id))
                    .add(approval::Column::Version.eq(one.number)),
            )
        });
        if any.is_empty() {
            return Ok(HashMap::new());
        }
        let decided = approval::Entity::find()
            .select_only()
            .columns([approval::Column::ListingId, approval::Column::Action])
            .filter(any)
            .filter(approval::Column::Action.is_in([Action::Changes, Action::Refused]))
            .order_by_asc(approval::Column::At)
            .order_by_asc(approval::Column::Id)
            .into_tuple::<(String, Action)>()
            .all(&self.context.db)
            .await?;
        Ok(decided.into_iter().collect())
    }

    /// Newest first.
    pub(crate) async fn records(&self, id: &str) -> Result<Vec<ListingRecord>, DbErr> {
        let rows = approval::Entity::find()
            .filter(approval::Column::ListingId.eq(id))
            .order_by_desc(approval::Column::At)
            .order_by_desc(approval::Column::Id)
            .limit(MOST_SHOWN)
            .all(&self.context.db)
            .await?;
        let record = |row: approval::Model| ListingRecord {
            action: row.action.name().to_owned(),
            reason: row.reason,
            version: row.version,
            at: row.at,
        };
        Ok(rows.into_iter().map(record).collect())
    }

    pub(crate) async fn count_mine(&self, owner: &str) -> Result<ListingCountsReply, ServiceError> {
        let counted = Entity::find_own(owner)
            .select_only()
            .column(Column::State)
            .column_as(Column::Id.count(), "count")
            .filter(Column::State.ne(State::Removed))
            .group_by(Column::State)
            .into_model::<Counted>()
            .all(&self.context.db)
            .await?;
        let sum = |states: &[State]| -> i64 {
            let of = counted.iter().filter(|one| states.contains(&one.state));
            of.map(|one| one.count).sum()
        };
        Ok(ListingCountsReply {
            released: sum(&State::RELEASED),
            to_be_released: sum(&State::TO_BE_RELEASED),
            counts: counted
                .iter()
                .map(|one| (one.state.name().to_owned(), one.count))
                .collect(),
        })
    }

    /// As the mall shows it.
    pub(crate) fn view(&self, listing: &listing::Model) -> Listing {
        Listing {
            listing_id: listing.id.clone(),
            name: listing.name.clone(),
            price: listing.price,
            license: listing.license.name().to_owned(),
            origin: listing.origin.name().to_owned(),
            category_id: listing.category_id.clone(),
            label_ids: split(&listing.label_ids),
            formats: vec![listing.format.clone()],
            triangles: listing.triangles,
            animation: listing.animation,
            score: listing.score,
            seller: listing.seller.clone(),
            uploader_type: listing.uploader_type,
            thumb_url: self.address(&listing.thumb_key),
            turntable_url: self.address(&listing.turntable_key),
            sold: listing.sold,
            rating_sum: listing.rating_sum,
            rating_count: listing.rating_count,
            favourites: listing.favourites,
            listed_at: listing.listed_at,
            updated_at: listing.updated_at,
            version: listing.current_version,
            intro: listing.intro.clone(),
            seller_name: String::new(),
        }
    }

    /// As its maker sees it: with what is said of the newest version, which waits for review or is to be handed in.
    fn maker_view(
        &self,
        to: &Grantee<'_>,
        listing: listing::Model,
        newest: Option<&version::Model>,
    ) -> MakerListing {
        let mut shown = self.view(&listing);
        let mut view = MakerListing {
            state: listing.state.name().to_owned(),
            description: listing.description,
            revision: listing.revision,
            created_at: listing.created_at,
            ..Default::default()
        };
        if let Some(version) = newest {
            view.file_id = version.file_id.clone();
            view.reason = version.reason.clone();
            view.version_state = match version.state {
                version::State::Draft => String::new(),
                state => state.name().to_owned(),
            };
            shown.name = version.name.clone();
            shown.category_id = version.category_id.clone();
            shown.label_ids = split(&version.label_ids);
            shown.intro = version.intro.clone();
            shown.origin = version.origin.name().to_owned();
            view.description = version.description.clone();
            if shown.thumb_url.is_empty() {
                shown.thumb_url = self.address_for(Some(to), &version.thumb_key);
            }
        }
        view.listing = Some(shown);
        view
    }

    /// For its maker, or as the mall and reviewers see it.
    pub(crate) fn version_view(
        &self,
        maker: Option<&Grantee<'_>>,
        version: &version::Model,
    ) -> ListingVersion {
        let picture = |one: Picture| ListingPicture {
            url: self.address_for(maker, &one.key),
            kind: one.kind,
            title: one.title,
        };
        ListingVersion {
            number: version.number,
            state: version.state.name().to_owned(),
            notes: version.notes.clone(),
            file_id: version.file_id.clone(),
            bytes: version.bytes,
            format: version.format.clone(),
            created_at: version.created_at,
            pictures: pictures(version).into_iter().map(picture).collect(),
            proxy_url: self.address_for(maker, &version.proxy_key),
            texts_only: version.texts_only,
        }
    }
}
