//! Listings that resemble each other by what the engine found of their form: what a reviewer looks at beside one that is handed in.

use std::collections::{HashMap, HashSet};

use chassis::ServiceError;
use proto::transaction::v1::ListingTwin;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Query;
use sea_orm::{Condition, QueryOrder, QuerySelect};

use crate::Mall;
use crate::entity::listing::{self, State};
use crate::entity::version;

/// Bytes of a descriptor.
pub const LENGTH: usize = 64;
/// Shown at most, and none less like than this, of 100.
const MOST: usize = 12;
const LEAST: i32 = 90;
/// Rows read at a time.
const BATCH: u64 = 5_000;

/// 0 to 100; none when one of them has no descriptor.
pub fn likeness(one: &[u8], other: &[u8]) -> Option<i32> {
    if one.len() != LENGTH || other.len() != LENGTH {
        return None;
    }
    let apart: i32 = one
        .iter()
        .zip(other)
        .map(|(a, b)| i32::from(a.abs_diff(*b)))
        .sum();
    // Models of nothing in common are some 20 a byte apart.
    Some((100 - apart * 100 / (LENGTH as i32 * 20)).max(0))
}

impl Mall {
    /// The nearest listings of other makers that the mall shows, and those of the same maker with the same file.
    pub(super) async fn twins(
        &self,
        listing: &listing::Model,
        newest: &version::Model,
    ) -> Result<Vec<ListingTwin>, ServiceError> {
        let mut nearest = self.own_copies(listing, newest).await?;
        let own = Query::select()
            .column(listing::Column::Id)
            .from(listing::Entity)
            .and_where(listing::Column::Seller.eq(&listing.seller))
            .to_owned();
        let mut last = (String::new(), 0);
        loop {
            let further = Condition::all()
                .add(version::Column::ListingId.eq(&last.0))
                .add(version::Column::Number.gt(last.1));
            let behind = Condition::any()
                .add(version::Column::ListingId.gt(&last.0))
                .add(further);
            let rows: Vec<(String, i32, String, Vec<u8>)> = version::Entity::find()
                .select_only()
                .column(version::Column::ListingId)
                .column(version::Column::Number)
                .column(version::Column::Sha256)
                .column(version::Column::Descriptor)
                .filter(version::Column::State.eq(version::State::Ready))
                .filter(version::Column::TextsOnly.eq(false))
                .filter(behind)
                .filter(version::Column::ListingId.not_in_subquery(own.clone()))
                .order_by_asc(version::Column::ListingId)
                .order_by_asc(version::Column::Number)
                .limit(BATCH)
                .into_tuple()
                .all(&self.context.db)
                .await?;
            let Some((id, number, ..)) = rows.last() else {
                break;
            };
            last = (id.clone(), *number);
            for (id, _, digest, descriptor) in rows {
                let equal = !newest.sha256.is_empty() && digest == newest.sha256;
                let like = likeness(&newest.descriptor, &descriptor).unwrap_or(0);
                let like = if equal { 100 } else { like };
                if like >= LEAST {
                    nearest.push((like, equal, id));
                }
            }
            // Of several versions of a listing the nearest; more than are shown, since some were ended for good.
            nearest.sort_by(|a, b| b.cmp(a));
            let mut seen = HashSet::new();
            nearest.retain(|(_, _, id)| seen.insert(id.clone()));
            nearest.truncate(MOST * 4);
        }
        let ids = nearest.iter().map(|(_, _, id)| id.as_str());
        let found: HashMap<String, listing::Model> = listing::Entity::find_any()
            .filter(listing::Column::Id.is_in(ids))
            .filter(listing::Column::State.is_in(State::RELEASED))
            .all(&self.context.db)
            .await?
            .into_iter()
            .map(|one| (one.id.clone(), one))
            .collect();
        let twins = nearest.into_iter().filter_map(|(likeness, equal, id)| {
            let other = found.get(&id)?;
            Some(ListingTwin {
                listing: Some(self.view(other)),
                likeness,
                equal,
            })
        });
        Ok(twins.take(MOST).collect())
    }

    /// Other listings of the same maker with the same bytes.
    async fn own_copies(
        &self,
        listing: &listing::Model,
        newest: &version::Model,
    ) -> Result<Vec<(i32, bool, String)>, DbErr> {
        if newest.sha256.is_empty() {
            return Ok(Vec::new());
        }
        let others = Query::select()
            .column(listing::Column::Id)
            .from(listing::Entity)
            .and_where(listing::Column::Seller.eq(&listing.seller))
            .and_where(listing::Column::Id.ne(&listing.id))
            .to_owned();
        let ids: Vec<String> = version::Entity::find()
            .select_only()
            .column(version::Column::ListingId)
            .distinct()
            .filter(version::Column::Sha256.eq(&newest.sha256))
            .filter(version::Column::State.eq(version::State::Ready))
            .filter(version::Column::ListingId.in_subquery(others))
            .limit(MOST as u64)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        Ok(ids.into_iter().map(|id| (100, true, id)).collect())
    }
}
