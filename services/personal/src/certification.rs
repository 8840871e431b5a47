//! Certification of accounts: a copy of auth's decisions, used in replies about the caller.

use std::collections::HashMap;

use chassis::{ServiceError, db, people};
use proto::auth::v1::CertificationChanged;
use proto::personal::v1::{CertificationDecided, CompanyDetail, PersonalDetail};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{DatabaseTransaction, Set};

use crate::Personal;
use crate::entity::certification;

/// No certification was requested, or the request was withdrawn.
pub(crate) const NOT_VERIFIED: i32 = 3;

/// Certification fields of the replies about an account.
pub(crate) struct Certified {
    pub check_status: i32,
    pub cause: Option<String>,
    pub company: Option<CompanyDetail>,
    pub person: Option<PersonalDetail>,
}

/// The mark beside a name: enterprise, personal, or empty.
pub(crate) fn shown_as(known: &certification::Model) -> &'static str {
    people::mark(known.check_status, &known.company_name)
}

impl Personal {
    pub(crate) async fn certified(&self, login_id: &str) -> Result<Certified, ServiceError> {
        let known = certification::Entity::find_by_id(login_id)
            .one(&self.context.db)
            .await?;
        let Some(known) = known else {
            return Ok(Certified {
                check_status: NOT_VERIFIED,
                cause: None,
                company: None,
                person: None,
            });
        };
        let stated = |text: String| Some(text).filter(|text| !text.is_empty());
        Ok(Certified {
            check_status: known.check_status,
            cause: stated(known.cause),
            company: stated(known.company_name).map(|company_name| CompanyDetail { company_name }),
            person: stated(known.real_name_masked).map(|real_name| PersonalDetail { real_name }),
        })
    }

    /// Certifications by login id; accounts that never requested one are left out.
    pub(crate) async fn certifications<'a>(
        &self,
        login_ids: impl Iterator<Item = &'a str>,
    ) -> Result<HashMap<String, certification::Model>, DbErr> {
        let rows = certification::Entity::find()
            .filter(certification::Column::LoginId.is_in(login_ids))
            .all(&self.context.db)
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| (row.login_id.clone(), row))
            .collect())
    }

    /// Stores a state unless a newer version is stored: events of one account may arrive out of order.
    pub(crate) async fn certification_changed(
        &self,
        transaction: &DatabaseTransaction,
        body: CertificationChanged,
    ) -> anyhow::Result<()> {
        let (login_id, check_status) = (body.login_id.clone(), body.check_status);
        let row = certification::ActiveModel {
            login_id: Set(body.login_id),
            version: Set(body.version),
            check_status: Set(body.check_status),
            cause: Set(body.cause),
            company_name: Set(body.company_name),
            real_name_masked: Set(body.real_name_masked),
        };
        let columns = [
            certification::Column::Version,
            certification::Column::CheckStatus,
            certification::Column::Cause,
            certification::Column::CompanyName,
            certification::Column::RealNameMasked,
        ];
        let known = (certification::Entity, certification::Column::Version);
        let replace = OnConflict::column(certification::Column::LoginId)
            .update_columns(columns)
            .action_and_where(Expr::col(known).lt(body.version))
            .to_owned();
        let changed = certification::Entity::insert(row)
            .on_conflict(replace)
            .exec_without_returning(transaction)
            .await?;
        if changed > 0 {
            let bus = self.context.bus.clone();
            let decided = CertificationDecided { check_status };
            db::after_commit(move || bus.push(&login_id, &decided));
        }
        Ok(())
    }
}
