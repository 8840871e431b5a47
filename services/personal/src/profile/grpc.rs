//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::personal::v1::profile_api_server::ProfileApi;
use proto::personal::v1::{
    AvatarInfo, KeptUserInfo, ModifyUserInfoRequest, StatisticsInfo, UserInfo, UserRequest,
};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl ProfileApi for Personal {
    async fn query_info(&self, request: Request<UserRequest>) -> Reply<UserInfo> {
        let (login_id, _) = signed_in(request)?;
        reply(self.user_info(&login_id).await)
    }

    async fn modify_user_info(
        &self,
        request: Request<ModifyUserInfoRequest>,
    ) -> Reply<KeptUserInfo> {
        let (login_id, request) = signed_in(request)?;
        reply(self.modify(&login_id, &request).await)
    }

    async fn avatar_information(&self, request: Request<UserRequest>) -> Reply<AvatarInfo> {
        let (login_id, _) = signed_in(request)?;
        reply(self.avatar_info(&login_id).await)
    }

    async fn get_personal_statistics_by_user_id(
        &self,
        request: Request<UserRequest>,
    ) -> Reply<StatisticsInfo> {
        let (login_id, _) = signed_in(request)?;
        reply(self.statistics(&login_id).await)
    }
}
