//! The generated trait: request → domain → reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply, signed_in};
use proto::personal::v1::upload_api_server::UploadApi;
use proto::personal::v1::{StorageParam, UploadSettings, UploadSettingsRequest, UserRequest};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl UploadApi for Personal {
    async fn get_huawei_param(&self, request: Request<UserRequest>) -> Reply<StorageParam> {
        let caller = Caller::of(&request)?;
        reply(self.storage_param(caller.signed_in()).await)
    }

    async fn get_object_model_file_upload_settings(
        &self,
        request: Request<UploadSettingsRequest>,
    ) -> Reply<UploadSettings> {
        let (login_id, _) = signed_in(request)?;
        reply(self.single_settings(&login_id).await)
    }

    async fn get_scene_model_file_upload_settings(
        &self,
        request: Request<UploadSettingsRequest>,
    ) -> Reply<UploadSettings> {
        let (login_id, _) = signed_in(request)?;
        reply(Ok(self.scene_settings(&login_id)))
    }
}
