//! Who got a maker's models. Buyers are masked: enough to distinguish two, too little to find one.

use std::collections::HashMap;

use chassis::ServiceError;
use chassis::db::list::choice;
use chassis::db::{self, List};
use proto::transaction::v1::{ModelerOrder, ModelerOrdersReply, ModelerOrdersRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{FromQueryResult, QuerySelect};

use super::records::listings_of;
use crate::Mall;
use crate::entity::grant::{Column, Entity, State, Way};
use crate::entity::listing;

#[derive(FromQueryResult)]
struct Counted {
    way: Way,
    count: i64,
    paid: Option<i64>,
}

/// The first two characters and the last two.
pub fn masked(login_id: &str) -> String {
    let characters: Vec<char> = login_id.chars().collect();
    match characters.len() {
        ..=4 => "用户****".to_owned(),
        length => {
            let text = |range: &[char]| range.iter().collect::<String>();
            format!(
                "用户{}****{}",
                text(&characters[..2]),
                text(&characters[length - 2..])
            )
        }
    }
}

fn of_maker(login_id: &str) -> Select<Entity> {
    Entity::find_any().filter(Column::ListingId.in_subquery(listings_of(login_id)))
}

impl Mall {
    pub(super) async fn orders_page(
        &self,
        login_id: &str,
        form: &ModelerOrdersRequest,
    ) -> Result<ModelerOrdersReply, ServiceError> {
        let mut list = List::of_few(of_maker(login_id))
            .when(Column::Way, choice(&form.way, Way::of, "没有这种获得方式")?);
        let keyword: String = form.keyword.trim().chars().take(64).collect();
        if !keyword.is_empty() {
            let named = listings_of(login_id)
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
        let listings = self.listings(db, ids).await?;
        let results = page.rows.into_iter().filter_map(|row| {
            let listing = listings.get(&row.listing_id)?;
            Some(ModelerOrder {
                id: row.id,
                model_id: row.listing_id.clone(),
                model_name: listing.name.clone(),
                preview: self.address(&listing.thumb_key),
                buyer: masked(&row.owner),
                way: row.way.name().to_owned(),
                price: row.price,
                license: row.license.name().to_owned(),
                state: row.state.name().to_owned(),
                version: row.version,
                got_at: row.got_at,
            })
        });
        let results = results.collect();
        let counted = self.count_orders(login_id).await?;
        Ok(ModelerOrdersReply {
            total_count: page.total_count,
            results,
            paid_sum: counted.iter().filter_map(|one| one.paid).sum(),
            counts: by_way(counted),
            buyers: self.count_buyers(login_id).await?,
        })
    }

    /// Of what is still had.
    async fn count_orders(&self, login_id: &str) -> Result<Vec<Counted>, DbErr> {
        of_maker(login_id)
            .select_only()
            .column(Column::Way)
            .column_as(Column::Id.count(), "count")
            // A sum of bigints is a decimal on PostgreSQL.
            .expr_as(Column::Price.sum().cast_as("BIGINT"), "paid")
            .filter(Column::State.is_in(State::HAD))
            .group_by(Column::Way)
            .into_model::<Counted>()
            .all(&self.context.db)
            .await
    }

    async fn count_buyers(&self, login_id: &str) -> Result<i64, DbErr> {
        let counted: Option<i64> = of_maker(login_id)
            .select_only()
            .column_as(Column::Owner.into_expr().count_distinct(), "buyers")
            .filter(Column::State.is_in(State::HAD))
            .into_tuple()
            .one(&self.context.db)
            .await?;
        Ok(counted.unwrap_or_default())
    }
}

fn by_way(counted: Vec<Counted>) -> HashMap<String, i64> {
    let named = |one: Counted| (one.way.name().to_owned(), one.count);
    counted.into_iter().map(named).collect()
}
