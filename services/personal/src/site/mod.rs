//! Site-wide data: guided tours, each shown once per user, and publications for all users.

use chassis::{Caller, ServiceError, SignedIn, db};
use proto::personal::v1::{
    ClientVersion, FriendLink, GuideRequest, PopupRequest, PopupSettings, SiteCalls, UserRequest,
};
use sea_orm::entity::prelude::*;

use crate::Personal;
use crate::entity::guide;

impl SiteCalls<ServiceError> for Personal {
    async fn get_the_guide_page_reading_status(
        &self,
        caller: &SignedIn,
        request: GuideRequest,
    ) -> Result<bool, ServiceError> {
        let found = guide::Entity::find_own(caller.login_id())
            .filter(guide::Column::Location.eq(request.location))
            .one(&self.context.db)
            .await?;
        Ok(found.is_some())
    }

    async fn update_the_guide_page_reading_status(
        &self,
        caller: &SignedIn,
        request: GuideRequest,
    ) -> Result<(), ServiceError> {
        let row = guide::Model {
            login_id: caller.login_id().to_owned(),
            location: request.location,
            read_at: self.context.clock.now_ms(),
        };
        db::insert_new(row, &self.context.db).await?;
        Ok(())
    }

    async fn get_popup_settings(
        &self,
        _: &Caller,
        request: PopupRequest,
    ) -> Result<PopupSettings, ServiceError> {
        self.popup(request.r#type).await
    }

    async fn get_latest_client_version(
        &self,
        _: &Caller,
        _: UserRequest,
    ) -> Result<ClientVersion, ServiceError> {
        self.client_version().await
    }

    async fn friendlink_list(
        &self,
        _: &Caller,
        _: UserRequest,
    ) -> Result<Vec<FriendLink>, ServiceError> {
        self.friend_links().await
    }
}
