//! What models cost a user, for the order centre.

use chassis::{BusinessError, ServiceError};
use proto::transaction::v1::{QuoteReply, QuoteRequest, QuotedItem};

use crate::Mall;
use crate::entity::{listing, modeler};

const MOST: usize = 200;
/// State of what the mall has never shown.
const NONE: &str = "none";

impl Mall {
    pub(crate) async fn quote(&self, request: QuoteRequest) -> Result<QuoteReply, ServiceError> {
        let mut ids: Vec<&str> = Vec::new();
        for id in &request.model_ids {
            if !ids.contains(&id.as_str()) {
                ids.push(id);
            }
        }
        if ids.is_empty() || ids.len() > MOST {
            let message = format!("每次可以购买 1 至 {MOST} 个模型");
            return Err(BusinessError::invalid(message).into());
        }
        let db = &self.context.db;
        let listings = self.listings(db, &ids).await?;
        let sellers = listings.values().map(|listing| listing.seller.as_str());
        let makers = self.modelers(db, sellers).await?;
        let owned = self.owned(db, &request.owner, &ids).await?;
        let items = ids.into_iter().map(|id| {
            // What was removed for good is known to nobody but its owners.
            let is_known = |listing: &listing::Model| {
                listing.listed_at != 0
                    && (listing.state != listing::State::Removed || owned.contains(id))
            };
            let shown = listings.get(id).filter(|listing| is_known(listing));
            match shown {
                Some(listing) => {
                    let maker = makers.get(&listing.seller);
                    self.quoted(listing, maker, owned.contains(id))
                }
                None => QuotedItem {
                    model_id: id.to_owned(),
                    state: NONE.to_owned(),
                    ..Default::default()
                },
            }
        });
        Ok(QuoteReply {
            items: items.collect(),
        })
    }

    fn quoted(
        &self,
        listing: &listing::Model,
        maker: Option<&modeler::Model>,
        owned: bool,
    ) -> QuotedItem {
        let (share_bp, uploader_type) = self.terms(maker);
        QuotedItem {
            model_id: listing.id.clone(),
            version: listing.current_version,
            title: listing.name.clone(),
            seller: listing.seller.clone(),
            uploader_type,
            share_bp,
            price: listing.price,
            license: listing.license.name().to_owned(),
            state: listing.outward().name().to_owned(),
            owned,
            thumb_key: listing.thumb_key.clone(),
        }
    }
}
