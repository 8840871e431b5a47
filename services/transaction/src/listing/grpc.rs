//! The makers' calls: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::transaction::v1::listing_api_server::ListingApi;
use proto::transaction::v1::*;
use tonic::Request;

use super::edit::Act;
use crate::Mall;

#[tonic::async_trait]
impl ListingApi for Mall {
    async fn my_listings(&self, request: Request<MyListingsRequest>) -> Reply<MyListingsReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.my_page(&owner, &form).await)
    }

    async fn my_listing(&self, request: Request<MyListingRequest>) -> Reply<MakerListing> {
        let (owner, form) = signed_in(request)?;
        reply(self.my_detail(&owner, &form.listing_id).await)
    }

    async fn save_listing(&self, request: Request<SaveListingRequest>) -> Reply<MakerListing> {
        let (owner, form) = signed_in(request)?;
        reply(self.save(&owner, form).await)
    }

    async fn submit_listings(&self, request: Request<ListingIdsRequest>) -> Reply<ListingResults> {
        let (owner, form) = signed_in(request)?;
        let done = self.each(&owner, &form.listing_ids, Act::Submit).await;
        self.ask.notify_one();
        reply(done)
    }

    async fn withdraw_listings(
        &self,
        request: Request<ListingIdsRequest>,
    ) -> Reply<ListingResults> {
        let (owner, form) = signed_in(request)?;
        reply(self.each(&owner, &form.listing_ids, Act::Withdraw).await)
    }

    async fn relist_listings(&self, request: Request<ListingIdsRequest>) -> Reply<ListingResults> {
        let (owner, form) = signed_in(request)?;
        reply(self.each(&owner, &form.listing_ids, Act::Relist).await)
    }

    async fn add_version(&self, request: Request<AddVersionRequest>) -> Reply<MakerListing> {
        let (owner, form) = signed_in(request)?;
        reply(Mall::add_version(self, &owner, form).await)
    }

    async fn save_listings(&self, request: Request<SaveListingsRequest>) -> Reply<ListingResults> {
        let (owner, form) = signed_in(request)?;
        reply(self.save_many(&owner, form).await)
    }

    async fn listing_counts(
        &self,
        request: Request<ListingCountsRequest>,
    ) -> Reply<ListingCountsReply> {
        let (owner, _) = signed_in(request)?;
        reply(self.count_mine(&owner).await)
    }

    async fn delete_listing(&self, request: Request<MyListingRequest>) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let deleted = self.delete(&owner, &form.listing_id).await;
        reply(deleted.map(|()| Empty {}))
    }
}
