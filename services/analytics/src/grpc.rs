//! The generated trait: request → domain → reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply};
use proto::analytics::v1::analytics_api_server::AnalyticsApi;
use proto::analytics::v1::{UserVisitRecord, VisitRecordReply};
use tonic::Request;

use crate::Analytics;

pub(crate) struct Api(pub Analytics);

#[tonic::async_trait]
impl AnalyticsApi for Api {
    async fn save_user_visit_record(
        &self,
        request: Request<UserVisitRecord>,
    ) -> Reply<VisitRecordReply> {
        let remote = Caller::of(&request)?.remote_addr().to_owned();
        let saved = self.0.save_user_visit(&remote, request.into_inner()).await;
        reply(saved.map(|visitor_id| VisitRecordReply { visitor_id }))
    }
}
