//! My models: what a user has, with all that can be downloaded of it.

use std::collections::HashMap;

use chassis::ServiceError;
use chassis::db::list::choice;
use chassis::db::{self, List};
use proto::transaction::v1::{
    MyModel, MyModelFormat, MyModelVersion, MyModelsReply, MyModelsRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Query;
use sea_orm::{FromQueryResult, QueryOrder, QuerySelect};

use super::downloadable;
use crate::Mall;
use crate::entity::grant::{self, Column, Entity, State, Way};
use crate::entity::{listing, version};

/// Versions that one page lists, the newest of all its models first.
const MOST_VERSIONS: u64 = 4_000;
/// Means every way but free.
const BOUGHT: &str = "bought";

/// What a page shows of a version.
#[derive(FromQueryResult)]
struct Offered {
    listing_id: String,
    number: i32,
    notes: String,
    format: String,
    bytes: i64,
    created_at: i64,
}

impl Offered {
    fn view(self) -> MyModelVersion {
        MyModelVersion {
            number: self.number,
            notes: self.notes,
            created_at: self.created_at,
            formats: vec![MyModelFormat {
                format: self.format,
                bytes: self.bytes,
            }],
        }
    }
}

#[derive(FromQueryResult)]
struct Counted {
    way: Way,
    count: i64,
}

fn had_by(owner: &str) -> Select<Entity> {
    Entity::find_own(owner).filter(Column::State.is_in(State::HAD))
}

impl Mall {
    pub(super) async fn my_models_page(
        &self,
        owner: &str,
        form: &MyModelsRequest,
    ) -> Result<MyModelsReply, ServiceError> {
        let mut list = List::of_few(had_by(owner)).when(Column::ListingId, &form.model_id);
        list = match form.way.as_str() {
            BOUGHT => list.filter(Column::Way.ne(Way::Free)),
            name => list.when(Column::Way, choice(name, Way::of, "没有这种获得方式")?),
        };
        let keyword: String = form.keyword.trim().chars().take(64).collect();
        if !keyword.is_empty() {
            let named = Query::select()
                .column(listing::Column::Id)
                .from(listing::Entity)
                .and_where(db::contains(listing::Column::Name, &keyword))
                .to_owned();
            list = list.filter(Column::ListingId.in_subquery(named));
        }
        let db = &self.context.db;
        let page = list
            .newest_first(Column::GotAt, Column::Id)
            .page(form, db)
            .await?;
        let ids = page.rows.iter().map(|row| &row.listing_id);
        let listings = self.listings(db, ids.clone()).await?;
        let mut versions = self.offered_of(ids).await?;
        let results = page
            .rows
            .iter()
            .filter_map(|row| {
                let listing = listings.get(&row.listing_id)?;
                let versions = versions.remove(&row.listing_id).unwrap_or_default();
                Some(self.my_model(row, listing, versions))
            })
            .collect();
        Ok(MyModelsReply {
            total_count: page.total_count,
            results,
            counts: self.count_had(owner).await?,
        })
    }

    fn my_model(
        &self,
        row: &grant::Model,
        listing: &listing::Model,
        versions: Vec<MyModelVersion>,
    ) -> MyModel {
        MyModel {
            model_id: listing.id.clone(),
            model_name: listing.name.clone(),
            preview: self.address(&listing.thumb_key),
            way: row.way.name().to_owned(),
            price: row.price,
            license: row.license.name().to_owned(),
            state: row.state.name().to_owned(),
            listing_state: listing.outward().name().to_owned(),
            seller: listing.seller.clone(),
            version: row.version,
            versions,
            got_at: row.got_at,
            first_download_at: row.first_download_at,
            downloads: row.downloads,
            order_id: row.order_id.clone(),
            item_id: row.item_id.clone(),
            triangles: listing.triangles,
            returnable: [Way::Paid, Way::MemberFree].contains(&row.way)
                && row.state == State::Active
                && row.first_download_at == 0,
        }
    }

    /// What can be downloaded of listings, newest first.
    async fn offered_of(
        &self,
        ids: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<HashMap<String, Vec<MyModelVersion>>, DbErr> {
        let rows = downloadable()
            .select_only()
            .columns([
                version::Column::ListingId,
                version::Column::Number,
                version::Column::Notes,
                version::Column::Format,
                version::Column::Bytes,
                version::Column::CreatedAt,
            ])
            .filter(
                version::Column::ListingId.is_in(ids.into_iter().map(|id| id.as_ref().to_owned())),
            )
            .order_by_desc(version::Column::Number)
            .limit(MOST_VERSIONS)
            .into_model::<Offered>()
            .all(&self.context.db)
            .await?;
        let mut of: HashMap<String, Vec<MyModelVersion>> = HashMap::new();
        for row in rows {
            of.entry(row.listing_id.clone())
                .or_default()
                .push(row.view());
        }
        Ok(of)
    }

    async fn count_had(&self, owner: &str) -> Result<HashMap<String, i64>, DbErr> {
        let counted = had_by(owner)
            .select_only()
            .column(Column::Way)
            .column_as(Column::Id.count(), "count")
            .group_by(Column::Way)
            .into_model::<Counted>()
            .all(&self.context.db)
            .await?;
        let by_way = counted.into_iter();
        Ok(by_way
            .map(|one| (one.way.name().to_owned(), one.count))
            .collect())
    }
}
