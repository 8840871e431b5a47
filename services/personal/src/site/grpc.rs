//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::personal::v1::site_api_server::SiteApi;
use proto::personal::v1::{
    ClientVersion, FriendLinks, GuideReply, GuideRequest, PopupRequest, PopupSettings, UserRequest,
};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl SiteApi for Personal {
    async fn get_the_guide_page_reading_status(
        &self,
        request: Request<GuideRequest>,
    ) -> Reply<GuideReply> {
        let (login_id, request) = signed_in(request)?;
        let read = self.guide_read(&login_id, request.location).await;
        reply(read.map(|read| GuideReply { read }))
    }

    async fn update_the_guide_page_reading_status(
        &self,
        request: Request<GuideRequest>,
    ) -> Reply<Empty> {
        let (login_id, request) = signed_in(request)?;
        reply(
            self.mark_guide_read(&login_id, request.location)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn get_popup_settings(&self, request: Request<PopupRequest>) -> Reply<PopupSettings> {
        reply(self.popup(request.into_inner().r#type).await)
    }

    async fn get_latest_client_version(
        &self,
        _request: Request<UserRequest>,
    ) -> Reply<ClientVersion> {
        reply(self.client_version().await)
    }

    async fn friendlink_list(&self, _request: Request<UserRequest>) -> Reply<FriendLinks> {
        reply(self.friend_links().await)
    }
}
