//! The calls of what people have: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::transaction::v1::grant_api_server::GrantApi;
use proto::transaction::v1::*;
use tonic::Request;

use crate::Mall;

#[tonic::async_trait]
impl GrantApi for Mall {
    async fn get_a_free_model(&self, request: Request<FreeModelRequest>) -> Reply<FreeModelReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.take_free(&owner, &form.model_id).await)
    }

    async fn check_the_day_of_free_model_count(
        &self,
        request: Request<FreeModelCountRequest>,
    ) -> Reply<FreeModelCount> {
        let (owner, _) = signed_in(request)?;
        let left = self.free_left(&owner).await;
        reply(left.map(|count| FreeModelCount { count }))
    }

    async fn my_models(&self, request: Request<MyModelsRequest>) -> Reply<MyModelsReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.my_models_page(&owner, &form).await)
    }

    async fn download_model(
        &self,
        request: Request<DownloadModelRequest>,
    ) -> Reply<DownloadModelReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.download(&owner, &form).await)
    }
}
