//! The calls of comments: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::works::v1::comment_api_server::CommentApi;
use proto::works::v1::*;
use tonic::Request;

use crate::Works;
use crate::state::anybody;

#[tonic::async_trait]
impl CommentApi for Works {
    async fn comment_list(&self, request: Request<CommentListRequest>) -> Reply<CommentPage> {
        let (viewer, form) = anybody(request)?;
        reply(self.comments(&viewer, &form).await)
    }

    async fn add_comment(&self, request: Request<AddCommentRequest>) -> Reply<WorkComment> {
        let (owner, form) = signed_in(request)?;
        reply(self.add_comment_of(&owner, &form).await)
    }

    async fn edit_comment(&self, request: Request<EditCommentRequest>) -> Reply<WorkComment> {
        let (owner, form) = signed_in(request)?;
        reply(self.edit_comment_of(&owner, &form).await)
    }

    async fn delete_comment(&self, request: Request<CommentRequest>) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let deleted = self.delete_comment_of(&owner, &form.comment_id).await;
        reply(deleted.map(|()| Empty {}))
    }

    async fn report_comment(&self, request: Request<ReportCommentRequest>) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let reported = self.report_comment_of(&owner, &form).await;
        reply(reported.map(|()| Empty {}))
    }

    async fn my_comments(&self, request: Request<MyCommentsRequest>) -> Reply<MyCommentsReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.said_by(&owner, &form).await)
    }

    async fn received_comments(
        &self,
        request: Request<ReceivedCommentsRequest>,
    ) -> Reply<MyCommentsReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.said_to(&owner, &form).await)
    }
}
