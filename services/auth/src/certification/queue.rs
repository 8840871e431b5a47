//! Submitted and decided records for operators, masked.

use chassis::db::List;
use chassis::db::list::choice;
use chassis::{BusinessError, ServiceError};
use proto::auth::v1::{
    CertificationItem, CertificationQueueReply, CertificationQueueRequest, CertificationShowReply,
};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};

use super::look::pictures_of;
use super::standing::Records;
use super::{Certifications, DETAILS};
use crate::entity::certification::{Column, Entity, Kind, Model, State};

/// Records of the same account, and of the same number, beside one.
const HISTORY: usize = 50;
const SAME_NUMBER: u64 = 20;
/// All states visible to operators.
const ALL: &str = "all";

fn item(record: Model) -> CertificationItem {
    CertificationItem {
        kind: record.kind.name().to_owned(),
        state: record.state.name().to_owned(),
        id: record.id,
        login_id: record.login_id,
        name: record.name_shown,
        number: record.number_shown,
        submitted_at: record.submitted_at,
        claimed_by: record.claimed_by,
        claimed_until: record.claimed_until,
        decided_by: record.decided_by,
        decided_at: record.decided_at.unwrap_or(0),
        cause: record.cause,
    }
}

/// The requested state; none: all. Errors: there is none of that name.
fn state_of(text: &str) -> Result<Option<State>, ServiceError> {
    match text {
        "" => Ok(Some(State::Submitted)),
        ALL => Ok(None),
        text => match State::of(text) {
            None | Some(State::Preparing) => {
                Err(BusinessError::invalid("参数 state 不正确").into())
            }
            state => Ok(state),
        },
    }
}

impl Certifications {
    pub async fn queue(
        &self,
        form: &CertificationQueueRequest,
    ) -> Result<CertificationQueueReply, ServiceError> {
        let db = &self.context.db;
        let state = state_of(&form.state)?;
        let kind = choice(&form.kind, Kind::of, "参数 kind 不正确")?;
        let list = List::of(Entity::find_any())
            .filter(Column::State.ne(State::Preparing))
            .when(Column::State, state)
            .when(Column::Kind, kind)
            .when(Column::LoginId, &form.login_id)
            .between(Column::SubmittedAt, form.from, form.to);
        let (at, id) = (Column::SubmittedAt, Column::Id);
        let list = match state {
            Some(State::Submitted) => list.oldest_first(at, id),
            _ => list.newest_first(at, id),
        };
        let found = list.following(form, db).await?;
        let waiting = Entity::find_any().filter(Column::State.eq(State::Submitted));
        let oldest = waiting.clone().order_by_asc(Column::SubmittedAt).one(db);
        Ok(CertificationQueueReply {
            items: found.rows.into_iter().map(item).collect(),
            next: found.next,
            oldest_at: oldest.await?.map_or(0, |row| row.submitted_at),
            waiting: i64::try_from(waiting.count(db).await?).unwrap_or(i64::MAX),
        })
    }

    pub(super) async fn show(&self, id: &str) -> Result<CertificationShowReply, ServiceError> {
        let db = &self.context.db;
        let record = self.record(db, id).await?;
        let records = Records::of(db, &record.login_id).await?;
        let mut parts = vec![DETAILS.to_owned()];
        let served = record.decided_at.is_some() && record.pictures_due.is_none();
        if !served {
            parts.extend(
                pictures_of(record.kind)
                    .iter()
                    .map(|part| (*part).to_owned()),
            );
        }
        let most = self.config.accounts_per_number;
        Ok(CertificationShowReply {
            check_status: records.check_status().0,
            history: records
                .others(id)
                .take(HISTORY)
                .cloned()
                .map(item)
                .collect(),
            same_number: self.same_number(&record).await?,
            accounts_per_number: i32::try_from(most).unwrap_or(i32::MAX),
            pictures_until: record.pictures_due.unwrap_or(0),
            parts,
            item: Some(item(record)),
        })
    }

    /// Records of other accounts with the same number.
    async fn same_number(&self, record: &Model) -> Result<Vec<CertificationItem>, DbErr> {
        if record.number_index.is_empty() {
            return Ok(Vec::new());
        }
        let others = Entity::find_any()
            .filter(Column::NumberIndex.eq(&record.number_index))
            .filter(Column::LoginId.ne(&record.login_id))
            .filter(Column::State.ne(State::Preparing))
            .order_by_desc(Column::SubmittedAt)
            .order_by_desc(Column::Id)
            .limit(SAME_NUMBER)
            .all(&self.context.db)
            .await?;
        Ok(others.into_iter().map(item).collect())
    }

    /// The current record, for a reply.
    pub(super) async fn item(
        &self,
        connection: &impl ConnectionTrait,
        id: &str,
    ) -> Result<CertificationItem, ServiceError> {
        self.record(connection, id).await.map(item)
    }

    pub(super) async fn record(
        &self,
        connection: &impl ConnectionTrait,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let found = Entity::find_any_by_id(id)
            .filter(Column::State.ne(State::Preparing))
            .one(connection)
            .await?;
        found.ok_or_else(|| BusinessError::not_found("认证记录不存在").into())
    }
}
