//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use chassis::{Caller, ServiceError};
use proto::common::v1::Empty;
use proto::personal::v1::personal_api_server::PersonalApi;
use proto::personal::v1::*;
use tonic::Request;

use crate::Personal;

pub(crate) struct Api {
    personal: Personal,
}

impl Api {
    pub(crate) fn new(personal: Personal) -> Self {
        Self { personal }
    }
}

#[tonic::async_trait]
impl PersonalApi for Api {
    async fn query_info(&self, request: Request<UserRequest>) -> Reply<UserInfo> {
        let (login_id, _) = signed_in(request)?;
        reply(self.personal.user_info(&login_id).await)
    }

    async fn avatar_information(&self, request: Request<UserRequest>) -> Reply<AvatarInfo> {
        let (login_id, _) = signed_in(request)?;
        reply(self.personal.avatar_info(&login_id).await)
    }

    async fn my_package_list(&self, request: Request<UserRequest>) -> Reply<OwnPackages> {
        let (login_id, _) = signed_in(request)?;
        let packages = self.personal.own_packages(&login_id).await;
        reply(packages.map(|packages| OwnPackages { packages }))
    }

    async fn get_personal_statistics_by_user_id(
        &self,
        request: Request<UserRequest>,
    ) -> Reply<StatisticsInfo> {
        let (login_id, _) = signed_in(request)?;
        reply(self.personal.statistics(&login_id).await)
    }

    async fn get_the_guide_page_reading_status(
        &self,
        request: Request<GuideRequest>,
    ) -> Reply<GuideReply> {
        let (login_id, request) = signed_in(request)?;
        let read = self.personal.guide_read(&login_id, request.location).await;
        reply(read.map(|read| GuideReply { read }))
    }

    async fn update_the_guide_page_reading_status(
        &self,
        request: Request<GuideRequest>,
    ) -> Reply<Empty> {
        let (login_id, request) = signed_in(request)?;
        reply(
            self.personal
                .mark_guide_read(&login_id, request.location)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn account_information(&self, request: Request<UserRequest>) -> Reply<AccountInfo> {
        let (login_id, _) = signed_in(request)?;
        reply(self.personal.account_info(&login_id).await)
    }

    async fn get_huawei_param(&self, request: Request<UserRequest>) -> Reply<StorageParam> {
        let caller = Caller::of(&request)?;
        reply(self.personal.storage_param(caller.signed_in()).await)
    }

    async fn get_popup_settings(&self, request: Request<PopupRequest>) -> Reply<PopupSettings> {
        reply(Ok(self.personal.popup(request.into_inner().r#type)))
    }

    async fn get_latest_client_version(
        &self,
        _request: Request<UserRequest>,
    ) -> Reply<ClientVersion> {
        reply(Ok(self.personal.client_version()))
    }

    async fn friendlink_list(&self, _request: Request<UserRequest>) -> Reply<FriendLinks> {
        reply(Ok(self.personal.friend_links()))
    }

    async fn get_object_model_file_upload_settings(
        &self,
        request: Request<UploadSettingsRequest>,
    ) -> Reply<UploadSettings> {
        let (login_id, _) = signed_in(request)?;
        reply(self.personal.single_settings(&login_id).await)
    }

    async fn get_scene_model_file_upload_settings(
        &self,
        request: Request<UploadSettingsRequest>,
    ) -> Reply<UploadSettings> {
        let (login_id, _) = signed_in(request)?;
        reply(Ok(self.personal.scene_settings(&login_id)))
    }

    async fn text_antispam_scan(&self, request: Request<TextScanRequest>) -> Reply<Empty> {
        let (_, request) = signed_in(request)?;
        reply(
            self.personal
                .scan_text(&request.content)
                .map(|()| Empty {})
                .map_err(ServiceError::from),
        )
    }
}
