//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::personal::v1::chat_api_server::ChatApi;
use proto::personal::v1::{ChatLine, ChatMessage, ChatPage, ChatRequest};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl ChatApi for Personal {
    async fn chat_lines(&self, request: Request<ChatRequest>) -> Reply<ChatPage> {
        let (login_id, request) = signed_in(request)?;
        reply(Personal::chat_lines(self, &login_id, &request.after).await)
    }

    async fn send_chat(&self, request: Request<ChatMessage>) -> Reply<ChatLine> {
        let (login_id, message) = signed_in(request)?;
        reply(Personal::send_chat(self, &login_id, &message).await)
    }
}
