//! Guided tours: which of them a user has seen.

use chassis::{BusinessError, ServiceError};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;

use crate::Personal;
use crate::entity::guide;

impl Personal {
    pub(crate) async fn guide_read(
        &self,
        login_id: &str,
        location: i32,
    ) -> Result<bool, ServiceError> {
        let location = check_location(location)?;
        let found = guide::Entity::find_by_id((login_id.to_owned(), location))
            .one(&self.context.db)
            .await?;
        Ok(found.is_some())
    }

    pub(crate) async fn mark_guide_read(
        &self,
        login_id: &str,
        location: i32,
    ) -> Result<(), ServiceError> {
        let row = guide::ActiveModel {
            login_id: Set(login_id.to_owned()),
            location: Set(check_location(location)?),
            read_at: Set(self.context.clock.now_ms()),
        };
        let known = OnConflict::columns([guide::Column::LoginId, guide::Column::Location])
            .do_nothing()
            .to_owned();
        guide::Entity::insert(row)
            .on_conflict(known)
            .exec_without_returning(&self.context.db)
            .await?;
        Ok(())
    }
}

fn check_location(location: i32) -> Result<i32, BusinessError> {
    match location {
        0 | 1 => Ok(location),
        _ => Err(BusinessError::invalid(
            "location 只能是 0（工作台）或 1（个人中心）",
        )),
    }
}
