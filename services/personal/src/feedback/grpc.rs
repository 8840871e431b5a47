//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::personal::v1::feedback_api_server::FeedbackApi;
use proto::personal::v1::{FeedbackForm, FeedbackPage, MyFeedbackRequest};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl FeedbackApi for Personal {
    async fn submit_feedback(&self, request: Request<FeedbackForm>) -> Reply<Empty> {
        let (login_id, form) = signed_in(request)?;
        let submitted = Personal::submit_feedback(self, &login_id, &form).await;
        reply(submitted.map(|()| Empty {}))
    }

    async fn my_feedback(&self, request: Request<MyFeedbackRequest>) -> Reply<FeedbackPage> {
        let (login_id, request) = signed_in(request)?;
        let page = Personal::my_feedback(self, &login_id, request.page_no, request.page_size);
        reply(page.await)
    }
}
