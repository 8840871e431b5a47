//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::personal::v1::message_api_server::MessageApi;
use proto::personal::v1::{
    AllMessageFlag, CommentFlag, MessageFlags, MessageListRequest, MessagePage, MessageSelection,
    UnreadCounts, UserRequest,
};
use tonic::Request;

use super::OF_COMMENTS;
use crate::Personal;

#[tonic::async_trait]
impl MessageApi for Personal {
    async fn all_message_is_read(&self, request: Request<UserRequest>) -> Reply<AllMessageFlag> {
        let (login_id, _) = signed_in(request)?;
        let flags = self.message_flags(&login_id).await;
        reply(flags.map(|flags| AllMessageFlag {
            isread_all_message: flags.isread_all_message,
        }))
    }

    async fn query_message_is_read(&self, request: Request<UserRequest>) -> Reply<MessageFlags> {
        let (login_id, _) = signed_in(request)?;
        reply(self.message_flags(&login_id).await)
    }

    async fn query_comment_is_read(&self, request: Request<UserRequest>) -> Reply<CommentFlag> {
        let (login_id, _) = signed_in(request)?;
        let unread = self.unread(&login_id).await;
        reply(unread.map(|unread| {
            CommentFlag {
                isread_comment: OF_COMMENTS
                    .iter()
                    .all(|group| unread.groups.get(*group).is_none_or(|count| *count == 0)),
            }
        }))
    }

    async fn list_messages(&self, request: Request<MessageListRequest>) -> Reply<MessagePage> {
        let (login_id, request) = signed_in(request)?;
        reply(self.messages(&login_id, &request).await)
    }

    async fn unread_messages(&self, request: Request<UserRequest>) -> Reply<UnreadCounts> {
        let (login_id, _) = signed_in(request)?;
        reply(self.unread(&login_id).await)
    }

    async fn read_messages(&self, request: Request<MessageSelection>) -> Reply<UnreadCounts> {
        let (login_id, selection) = signed_in(request)?;
        reply(self.read_messages_of(&login_id, &selection).await)
    }

    async fn delete_messages(&self, request: Request<MessageSelection>) -> Reply<UnreadCounts> {
        let (login_id, selection) = signed_in(request)?;
        reply(self.delete_messages_of(&login_id, &selection).await)
    }
}
