//! What happened to a maker's listings.

use chassis::{BusinessError, ServiceError, db};
use proto::transaction::v1::{ApprovalRecord, ModelerRecordsReply, ModelerRecordsRequest};
use sea_orm::QueryOrder;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Query, SelectStatement};

use crate::Mall;
use crate::entity::approval::{Action, Column, Entity};
use crate::entity::listing;

/// Ids of somebody's listings.
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
        let mut rows = Entity::find().filter(Column::ListingId.in_subquery(listings_of(login_id)));
        if !form.action.is_empty() {
            let action = Action::of(&form.action);
            let action = action.ok_or_else(|| BusinessError::invalid("没有这种记录"))?;
            rows = rows.filter(Column::Action.eq(action));
        }
        let rows = rows.order_by_desc(Column::At).order_by_desc(Column::Id);
        let db = &self.context.db;
        let (total_count, found) = db::paged(rows, form.page_no, form.page_size, db).await?;
        let ids: Vec<&str> = found.iter().map(|row| row.listing_id.as_str()).collect();
        let listings = self.listings(db, &ids).await?;
        let results = found.into_iter().filter_map(|row| {
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
            total_count,
            results: results.collect(),
        })
    }
}
