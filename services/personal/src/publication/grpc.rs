//! The generated trait: request → domain → reply.

use chassis::BusinessError;
use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::personal::v1::member_popup_api_server::MemberPopupApi;
use proto::personal::v1::{MemberPopupClosed, MemberPopupReply, MemberPopupRequest};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl MemberPopupApi for Personal {
    async fn get_member_popup(
        &self,
        request: Request<MemberPopupRequest>,
    ) -> Reply<MemberPopupReply> {
        let (login_id, request) = signed_in(request)?;
        if request.r#type != 1 {
            return reply(Err(BusinessError::invalid("type 只能是 1").into()));
        }
        let popup = self.member_popup(&login_id).await;
        reply(popup.map(|popup| MemberPopupReply { popup }))
    }

    async fn cancel_member_popup(&self, request: Request<MemberPopupClosed>) -> Reply<Empty> {
        let (login_id, request) = signed_in(request)?;
        let closed = self.close_member_popup(&login_id, &request.popup_id).await;
        reply(closed.map(|()| Empty {}))
    }
}
