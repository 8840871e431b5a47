//! The calls of shares: request → domain → reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::works::v1::share_api_server::ShareApi;
use proto::works::v1::share_internal_server::ShareInternal;
use proto::works::v1::*;
use tonic::Request;

use crate::Works;

#[tonic::async_trait]
impl ShareApi for Works {
    async fn my_shares(&self, request: Request<MySharesRequest>) -> Reply<MySharesReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.shares(&owner, &form).await)
    }

    async fn create_share(&self, request: Request<CreateShareRequest>) -> Reply<Share> {
        let (owner, form) = signed_in(request)?;
        reply(Works::create_share(self, &owner, &form).await)
    }

    async fn change_share(&self, request: Request<ChangeShareRequest>) -> Reply<Share> {
        let (owner, form) = signed_in(request)?;
        reply(Works::change_share(self, &owner, &form).await)
    }

    async fn revoke_share(&self, request: Request<ShareRequest>) -> Reply<Share> {
        let (owner, form) = signed_in(request)?;
        reply(Works::revoke_share(self, &owner, &form.share_id).await)
    }

    async fn share_looks(&self, request: Request<ShareLooksRequest>) -> Reply<ShareLooksReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.looks_of(&owner, &form).await)
    }

    async fn preview_share(&self, request: Request<ShareRequest>) -> Reply<PreviewShareReply> {
        let (owner, form) = signed_in(request)?;
        reply(Works::preview_share(self, &owner, &form.share_id).await)
    }
}

#[tonic::async_trait]
impl ShareInternal for Works {
    async fn open_share(&self, request: Request<OpenShareRequest>) -> Reply<OpenShareReply> {
        let caller = Caller::of(&request)?;
        reply(Works::open_share(self, &request.into_inner(), caller.user_agent()).await)
    }

    async fn share_looked(&self, request: Request<ShareLookedRequest>) -> Reply<Empty> {
        Caller::of(&request)?;
        let noted = self.looked(&request.into_inner()).await;
        reply(noted.map(|()| Empty {}))
    }
}
