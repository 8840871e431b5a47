//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::personal::v1::account_api_server::AccountApi;
use proto::personal::v1::{AccountInfo, UserRequest};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl AccountApi for Personal {
    async fn account_information(&self, request: Request<UserRequest>) -> Reply<AccountInfo> {
        let (login_id, _) = signed_in(request)?;
        reply(self.account_info(&login_id).await)
    }
}
