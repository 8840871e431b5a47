//! The generated trait: request → domain → reply.

use chassis::rpc::signed_in as parts;
use chassis::{Caller, ServiceError};
use proto::common::v1::Empty;
use proto::personal::v1::personal_api_server::PersonalApi;
use proto::personal::v1::*;
use tonic::{Request, Response, Status};

use crate::Personal;

pub(crate) struct Api {
    personal: Personal,
}

impl Api {
    pub(crate) fn new(personal: Personal) -> Self {
        Self { personal }
    }
}

fn answer<T>(value: Result<T, ServiceError>) -> Result<Response<T>, Status> {
    value.map(Response::new).map_err(Status::from)
}

#[tonic::async_trait]
impl PersonalApi for Api {
    async fn query_info(
        &self,
        request: Request<UserRequest>,
    ) -> Result<Response<UserInfo>, Status> {
        let (login_id, _) = parts(request)?;
        answer(self.personal.user_info(&login_id).await)
    }

    async fn avatar_information(
        &self,
        request: Request<UserRequest>,
    ) -> Result<Response<AvatarInfo>, Status> {
        let (login_id, _) = parts(request)?;
        answer(self.personal.avatar_info(&login_id).await)
    }

    async fn my_package_list(
        &self,
        request: Request<UserRequest>,
    ) -> Result<Response<OwnPackages>, Status> {
        let (login_id, _) = parts(request)?;
        let packages = self.personal.own_packages(&login_id).await;
        answer(packages.map(|packages| OwnPackages { packages }))
    }

    async fn get_personal_statistics_by_user_id(
        &self,
        request: Request<UserRequest>,
    ) -> Result<Response<StatisticsInfo>, Status> {
        let (login_id, _) = parts(request)?;
        answer(self.personal.statistics(&login_id).await)
    }

    async fn get_the_guide_page_reading_status(
        &self,
        request: Request<GuideRequest>,
    ) -> Result<Response<GuideReply>, Status> {
        let (login_id, request) = parts(request)?;
        let read = self.personal.guide_read(&login_id, request.location).await;
        answer(read.map(|read| GuideReply { read }))
    }

    async fn update_the_guide_page_reading_status(
        &self,
        request: Request<GuideRequest>,
    ) -> Result<Response<Empty>, Status> {
        let (login_id, request) = parts(request)?;
        answer(
            self.personal
                .mark_guide_read(&login_id, request.location)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn account_information(
        &self,
        request: Request<UserRequest>,
    ) -> Result<Response<AccountInfo>, Status> {
        let (login_id, _) = parts(request)?;
        answer(self.personal.account_info(&login_id).await)
    }

    async fn get_huawei_param(
        &self,
        request: Request<UserRequest>,
    ) -> Result<Response<StorageParam>, Status> {
        let caller = Caller::of(&request)?;
        answer(self.personal.storage_param(caller.signed_in()).await)
    }

    async fn get_popup_settings(
        &self,
        request: Request<PopupRequest>,
    ) -> Result<Response<PopupSettings>, Status> {
        answer(Ok(self.personal.popup(request.into_inner().r#type)))
    }

    async fn get_latest_client_version(
        &self,
        _request: Request<UserRequest>,
    ) -> Result<Response<ClientVersion>, Status> {
        answer(Ok(self.personal.client_version()))
    }

    async fn friendlink_list(
        &self,
        _request: Request<UserRequest>,
    ) -> Result<Response<FriendLinks>, Status> {
        answer(Ok(self.personal.friend_links()))
    }

    async fn get_object_model_file_upload_settings(
        &self,
        request: Request<UploadSettingsRequest>,
    ) -> Result<Response<UploadSettings>, Status> {
        let (login_id, _) = parts(request)?;
        answer(self.personal.single_settings(&login_id).await)
    }

    async fn get_scene_model_file_upload_settings(
        &self,
        request: Request<UploadSettingsRequest>,
    ) -> Result<Response<UploadSettings>, Status> {
        let (login_id, _) = parts(request)?;
        answer(Ok(self.personal.scene_settings(&login_id)))
    }

    async fn text_antispam_scan(
        &self,
        request: Request<TextScanRequest>,
    ) -> Result<Response<Empty>, Status> {
        let (_, request) = parts(request)?;
        answer(
            self.personal
                .scan_text(&request.content)
                .map(|()| Empty {})
                .map_err(ServiceError::from),
        )
    }
}
