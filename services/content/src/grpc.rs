//! The generated trait: request → domain → reply.

use proto::content::v1::content_api_server::ContentApi;

pub(crate) struct Api;

#[tonic::async_trait]
impl ContentApi for Api {}
