//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::personal::v1::attention_api_server::AttentionApi;
use proto::personal::v1::{AttentionReply, AttentionRequest};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl AttentionApi for Personal {
    async fn attention(&self, request: Request<AttentionRequest>) -> Reply<AttentionReply> {
        let (login_id, request) = signed_in(request)?;
        reply(self.attend(&login_id, &request).await)
    }
}
