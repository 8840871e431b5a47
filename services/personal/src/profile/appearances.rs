//! Public appearance of users, for services that show their names.

use chassis::rights::export;
use chassis::{BusinessError, ServiceError};
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::personal::v1::{
    Appearance, AppearancesReply, AppearancesRequest, PersonalCommandsHandler, TermsReply,
    TermsRequest,
};
use sea_orm::entity::prelude::*;

use crate::Personal;
use crate::certification::NOT_VERIFIED;
use crate::entity::profile::{Column, Entity};
use crate::rights::Part;

const MOST: usize = 200;

/// Handles the commands of personal.
pub(crate) struct Commands(pub Personal);

impl PersonalCommandsHandler<ServiceError> for Commands {
    async fn appearances(
        &self,
        request: AppearancesRequest,
    ) -> Result<AppearancesReply, ServiceError> {
        if request.login_ids.len() > MOST {
            return Err(BusinessError::invalid("一次最多查询200人").into());
        }
        let found = Entity::find()
            .filter(Column::LoginId.is_in(request.login_ids))
            .all(&self.0.context.db)
            .await?;
        let ids = found.iter().map(|profile| profile.login_id.as_str());
        let mut certified = self.0.certifications(ids).await?;
        let people = found.into_iter().map(|profile| {
            let known = certified.remove(&profile.login_id);
            let check_status = known.as_ref().map_or(NOT_VERIFIED, |one| one.check_status);
            let (company_name, real_name) = known
                .map(|one| (one.company_name, one.real_name_masked))
                .unwrap_or_default();
            Appearance {
                login_id: profile.login_id,
                nickname: profile.nickname.unwrap_or_default(),
                avatar: profile.avatar.unwrap_or_default(),
                check_status,
                company_name,
                real_name,
            }
        });
        Ok(AppearancesReply {
            people: people.collect(),
        })
    }

    async fn terms(&self, request: TermsRequest) -> Result<TermsReply, ServiceError> {
        self.0.counted_terms(&request).await
    }

    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part(self.0.clone()), &self.0.context.db, &request).await
    }
}
