//! The calls of everybody: request → domain → reply.

use chassis::rpc::{Reply, reply};
use proto::content::v1::content_api_server::ContentApi;
use proto::content::v1::*;
use tonic::Request;

use super::kind;
use crate::Library;

#[tonic::async_trait]
impl ContentApi for Library {
    async fn content_categories(
        &self,
        request: Request<ContentCategoriesRequest>,
    ) -> Reply<ContentCategoriesReply> {
        let kind = match kind(&request.get_ref().kind) {
            Ok(kind) => kind,
            Err(error) => return reply(Err(error)),
        };
        reply(self.categories(Some(kind)).await)
    }

    async fn content_list(&self, request: Request<ContentListRequest>) -> Reply<ContentListReply> {
        reply(self.list(request.get_ref()).await)
    }

    async fn content_detail(
        &self,
        request: Request<ContentDetailRequest>,
    ) -> Reply<ContentArticle> {
        reply(self.detail(request.get_ref()).await)
    }

    async fn content_search(
        &self,
        request: Request<ContentSearchRequest>,
    ) -> Reply<ContentSearchReply> {
        reply(self.search(request.get_ref()).await)
    }

    async fn content_pages(&self, _: Request<ContentPagesRequest>) -> Reply<ContentPagesReply> {
        reply(self.pages().await)
    }

    async fn content_preview(
        &self,
        request: Request<ContentPreviewRequest>,
    ) -> Reply<ContentArticle> {
        reply(self.preview(request.get_ref()).await)
    }
}
