//! What happened to a maker's listings.

use chassis::ServiceError;
use chassis::db::List;
use chassis::db::list::choice;
use proto::transaction::v1::{ApprovalRecord, ModelerRecordsReply, ModelerRecordsRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Query, SelectStatement};

use crate::Mall;
use crate::entity::approval::{Action, Column, Entity};
use crate::entity::listing;

/// Ids of a maker's listings.
pub(super) fn listings_of(login_id: &str) -> SelectStatement {
    Query::select()
        .column(listing::Column::Id)
        .from(listing::Entity)
        .and_where(listing::Column::Seller.eq(login_id))
        .to_owned()
}

impl Mall {
    pub(super) async fn records_page(
        &self,
        login_id: &str,
        form: &ModelerRecordsRequest,
    ) -> Result<ModelerRecordsReply, ServiceError> {
        let rows = Entity::find().filter(Column::ListingId.in_subquery(listings_of(login_id)));
        let db = &self.context.db;
        let page = List::of_few(rows)
            .when(
                Column::Action,
                choice(&form.action, Action::of, "没有这种记录")?,
            )
            .newest_first(Column::At, Column::Id)
            .page(form, db)
            .await?;
        let ids = page.rows.iter().map(|row| &row.listing_id);
        let listings = self.listings(db, ids).await?;
        let results = page.rows.into_iter().filter_map(|row| {
            let listing = listings.get(&row.listing_id)?;
            Some(ApprovalRecord {
                id: row.id,
                name: listing.name.clone(),
                thumb_url: self.address(&listing.thumb_key),
                state: listing.state.name().to_owned(),
                listing_id: row.listing_id,
                action: row.action.name().to_owned(),
                version: row.version,
                reason: row.reason,
                at: row.at,
            })
        });
        Ok(ModelerRecordsReply {
            total_count: page.total_count,
            results: results.collect(),
        })
    }
}
