//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::personal::v1::TextScanRequest;
use proto::personal::v1::content_api_server::ContentApi;
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl ContentApi for Personal {
    async fn text_antispam_scan(&self, request: Request<TextScanRequest>) -> Reply<Empty> {
        let (_, request) = signed_in(request)?;
        reply(self.scan_text(&request.content).await.map(|()| Empty {}))
    }
}
