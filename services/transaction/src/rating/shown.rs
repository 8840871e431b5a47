//! Reviews as visitors see them.

use std::collections::HashMap;

use chassis::ServiceError;
use chassis::db::List;
use proto::transaction::v1::{ModelReviewsReply, ModelReviewsRequest};
use sea_orm::QuerySelect;
use sea_orm::entity::prelude::*;

use super::view;
use crate::entity::grant;
use crate::entity::listing;
use crate::entity::rating::{Column, Entity};
use crate::listing::no_such_listing;
use crate::search::Search;

const PAGE: i32 = 10;
const LARGEST_PAGE: i32 = 50;

impl Search {
    pub(super) async fn reviews(
        &self,
        form: &ModelReviewsRequest,
    ) -> Result<ModelReviewsReply, ServiceError> {
        let db = &self.mall.context.db;
        let found = listing::Entity::find_any_by_id(&form.model_id)
            .filter(listing::Column::State.eq(listing::State::Listed))
            .one(db)
            .await?;
        let listing = found.ok_or_else(no_such_listing)?;
        let shown = || {
            Entity::find_any()
                .filter(Column::ListingId.eq(&listing.id))
                .filter(Column::Hidden.eq(false))
        };
        let counted: Vec<(i32, i64)> = shown()
            .select_only()
            .column(Column::Stars)
            .column_as(Column::Id.count(), "count")
            .group_by(Column::Stars)
            .into_tuple()
            .all(db)
            .await?;
        let counted: HashMap<i32, i64> = counted.into_iter().collect();
        let distribution: Vec<i64> = (1..=5)
            .map(|stars| counted.get(&stars).copied().unwrap_or(0))
            .collect();
        let page = List::of_few(shown())
            .sizes(PAGE, LARGEST_PAGE)
            .when(Column::Stars, (form.stars > 0).then_some(form.stars))
            .newest_first(Column::CreatedAt, Column::Id)
            .page(form, db)
            .await?;
        let authors = page.rows.iter().map(|row| row.owner.as_str());
        let mut ways: HashMap<String, String> = HashMap::new();
        if !page.rows.is_empty() {
            let had = grant::Entity::find_any()
                .filter(grant::Column::ListingId.eq(&listing.id))
                .filter(grant::Column::Owner.is_in(authors.clone()))
                .filter(grant::Column::State.is_in(grant::State::HAD))
                .all(db)
                .await?;
            ways.extend(
                had.into_iter()
                    .map(|one| (one.owner, one.way.name().to_owned())),
            );
        }
        let people = self.makers(authors).await;
        let results = page.rows.into_iter().map(|row| {
            let appears = people.get(&row.owner).cloned().unwrap_or_default();
            let way = ways.get(&row.owner).cloned().unwrap_or_default();
            let mut review = view(row);
            review.certified = chassis::people::mark_of(&appears);
            review.nickname = appears.nickname;
            review.avatar = appears.avatar;
            review.way = way;
            review
        });
        Ok(ModelReviewsReply {
            total_count: page.total_count,
            results: results.collect(),
            rating_sum: (1..)
                .zip(&distribution)
                .map(|(stars, count): (i64, _)| stars * count)
                .sum(),
            rating_count: distribution.iter().sum(),
            distribution,
        })
    }
}
