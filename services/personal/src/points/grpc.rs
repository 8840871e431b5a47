//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::personal::v1::points_api_server::PointsApi;
use proto::personal::v1::{Points, PointsRequest};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl PointsApi for Personal {
    async fn integral_info(&self, request: Request<PointsRequest>) -> Reply<Points> {
        let (login_id, request) = signed_in(request)?;
        reply(
            self.points(&login_id, request.page_no, request.page_size)
                .await,
        )
    }
}
