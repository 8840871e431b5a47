//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::personal::v1::ImageScanRequest;
use proto::personal::v1::picture_api_server::PictureApi;
use tonic::Request;

use super::AVATAR_MB;
use crate::Personal;

#[tonic::async_trait]
impl PictureApi for Personal {
    async fn image_sync_scan(&self, request: Request<ImageScanRequest>) -> Reply<Empty> {
        let (login_id, request) = signed_in(request)?;
        let checked = self.check_picture(&login_id, &request.img_url, AVATAR_MB);
        reply(checked.await.map(|_| Empty {}))
    }
}
