//! What the site shows around its pages: guided tours, each of which a user sees once, and what operators publish for all.

use chassis::{BusinessError, Caller, ServiceError, SignedIn, db};
use proto::personal::v1::{
    ClientVersion, FriendLink, GuideRequest, PopupRequest, PopupSettings, SiteCalls, UserRequest,
};
use sea_orm::entity::prelude::*;

use crate::Personal;
use crate::entity::guide;

fn check_location(location: i32) -> Result<i32, BusinessError> {
    match location {
        0 | 1 => Ok(location),
        _ => Err(BusinessError::invalid(
            "location 只能是 0（工作台）或 1（个人中心）",
        )),
    }
}

impl SiteCalls<ServiceError> for Personal {
    async fn get_the_guide_page_reading_status(
        &self,
        caller: &SignedIn,
        request: GuideRequest,
    ) -> Result<bool, ServiceError> {
        let location = check_location(request.location)?;
        let found = guide::Entity::find_own(caller.login_id())
            .filter(guide::Column::Location.eq(location))
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
            location: check_location(request.location)?,
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
