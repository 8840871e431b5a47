//! The generated trait: request → domain → reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply, signed_in};
use proto::auth::v1::invitation_api_server::InvitationApi;
use proto::auth::v1::{Extension, ExtensionRequest, InvitedCodeRequest};
use proto::common::v1::Empty;
use tonic::Request;

use super::{Invitations, Newcomer};

#[tonic::async_trait]
impl InvitationApi for Invitations {
    async fn save_invited_code(&self, request: Request<InvitedCodeRequest>) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let (login_id, body) = signed_in(request)?;
        let newcomer = Newcomer {
            login_id: &login_id,
            code: &body.invitedcode,
            remote_addr: caller.remote_addr(),
            device: &body.device,
        };
        reply(self.save(&newcomer).await.map(|()| Empty {}))
    }

    async fn my_extension(&self, request: Request<ExtensionRequest>) -> Reply<Extension> {
        let (login_id, body) = signed_in(request)?;
        reply(
            self.extension(&login_id, body.page_no, body.page_size)
                .await,
        )
    }
}
