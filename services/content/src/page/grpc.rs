//! What the gateway asks: request → domain → reply.

use chassis::rpc::{Reply, reply};
use proto::content::v1::content_internal_server::ContentInternal;
use proto::content::v1::{PageReply, PageRequest, PublishedReply, PublishedRequest};
use tonic::Request;

use crate::Library;

#[tonic::async_trait]
impl ContentInternal for Library {
    async fn page(&self, request: Request<PageRequest>) -> Reply<PageReply> {
        reply(Library::page(self, request.get_ref()).await)
    }

    async fn published(&self, request: Request<PublishedRequest>) -> Reply<PublishedReply> {
        reply(Library::published(self, request.get_ref()).await)
    }
}
