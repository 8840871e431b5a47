//! The operators' calls: request → domain → reply.

use chassis::rpc::{Reply, called_by, reply};
use proto::common::v1::Empty;
use proto::transaction::v1::listing_console_api_server::ListingConsoleApi;
use proto::transaction::v1::*;
use tonic::Request;

use crate::Mall;
use crate::entity::listing::State;

#[tonic::async_trait]
impl ListingConsoleApi for Mall {
    async fn listing_search(
        &self,
        request: Request<ListingSearchRequest>,
    ) -> Reply<ListingSearchReply> {
        reply(self.search_listings(request.get_ref()).await)
    }

    async fn listing_show(&self, request: Request<ListingShowRequest>) -> Reply<ListingShowReply> {
        reply(self.show_listing(&request.get_ref().listing_id).await)
    }

    async fn listing_claim(&self, request: Request<ListingClaimRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let claimed = self.claim(&caller, &form).await;
        reply(claimed.map(|()| Empty {}))
    }

    async fn listing_decide(&self, request: Request<ListingDecideRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let decided = self.decide(&caller, &form).await;
        reply(decided.map(|()| Empty {}))
    }

    async fn listing_take_down(&self, request: Request<ListingActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.act(&caller, &form, State::TakenDown).await;
        reply(done.map(|()| Empty {}))
    }

    async fn listing_restore(&self, request: Request<ListingActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.act(&caller, &form, State::Listed).await;
        reply(done.map(|()| Empty {}))
    }

    async fn listing_remove(&self, request: Request<ListingActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.act(&caller, &form, State::Removed).await;
        reply(done.map(|()| Empty {}))
    }

    async fn category_list(&self, _: Request<CategoryListRequest>) -> Reply<CategoryListReply> {
        reply(self.list_categories().await)
    }

    async fn category_save(&self, request: Request<CategorySaveRequest>) -> Reply<Category> {
        let (caller, form) = called_by(request)?;
        reply(self.save_category(&caller, form).await)
    }
}
