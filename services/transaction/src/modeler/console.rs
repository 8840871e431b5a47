//! What operators see of makers and do to them. Effect and audit entry are one transaction.

use std::collections::HashMap;
use std::time::Duration;

use chassis::db::list::choice;
use chassis::db::states::Transition;
use chassis::db::{self, List};
use chassis::{BusinessError, Operator, ServiceError, limit};
use proto::personal::v1::{Appearance, AppearancesRequest, PersonalCommands};
use proto::transaction::v1::{
    ModelerActRequest, ModelerConsoleCalls, ModelerDecideRequest, ModelerItem, ModelerSearchReply,
    ModelerSearchRequest, ModelerShowReply, ModelerShowRequest,
};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use serde_json::json;

use crate::Mall;
use crate::entity::modeler::{ActiveModel, Column, Entity, Model, State};
use crate::entity::modeler_record::Action;
use crate::listing::conflict;

const LONGEST_ID: usize = 64;
/// An answer does not wait longer for what personal knows.
const PATIENCE: Duration = Duration::from_secs(2);
/// Of a user of whom nothing is known.
const NOT_VERIFIED: i32 = 3;

fn nobody() -> ServiceError {
    BusinessError::not_found("没有这个账号").into()
}

fn item(row: &Model, person: Option<&Appearance>) -> ModelerItem {
    ModelerItem {
        login_id: row.login_id.clone(),
        nickname: person.map(|one| one.nickname.clone()).unwrap_or_default(),
        uploader_type: row.uploader_type,
        state: row.state.name().to_owned(),
        frozen: row.frozen,
        applied_at: row.applied_at,
        updated_at: row.updated_at,
        check_status: person.map_or(NOT_VERIFIED, |one| one.check_status),
        version: row.version,
    }
}

impl ModelerConsoleCalls<ServiceError> for Mall {
    async fn modeler_search(
        &self,
        _: &Operator,
        form: ModelerSearchRequest,
    ) -> Result<ModelerSearchReply, ServiceError> {
        let waiting = Entity::find()
            .filter(Column::State.eq(State::Waiting))
            .count(&self.context.db)
            .await?;
        let list = List::of(Entity::find()).when(Column::LoginId, &form.text);
        let list = match form.state.as_str() {
            "" => list
                .filter(Column::State.eq(State::Waiting))
                .oldest_first(Column::AppliedAt, Column::LoginId),
            "frozen" => list
                .filter(Column::Frozen.eq(true))
                .newest_first(Column::UpdatedAt, Column::LoginId),
            name => list
                .when(Column::State, choice(name, State::of, "没有这种状态")?)
                .newest_first(Column::UpdatedAt, Column::LoginId),
        };
        let found = list.following(&form, &self.context.db).await?;
        let people = self
            .people(found.rows.iter().map(|row| row.login_id.as_str()))
            .await;
        let modelers = found
            .rows
            .iter()
            .map(|row| item(row, people.get(&row.login_id)));
        Ok(ModelerSearchReply {
            modelers: modelers.collect(),
            next: found.next,
            waiting: i64::try_from(waiting).unwrap_or(i64::MAX),
        })
    }

    async fn modeler_show(
        &self,
        _: &Operator,
        form: ModelerShowRequest,
    ) -> Result<ModelerShowReply, ServiceError> {
        let (db, login_id) = (&self.context.db, form.login_id.as_str());
        let known = self.modeler(db, login_id).await?;
        let mut people = self.people(std::iter::once(login_id)).await;
        let person = people.remove(login_id);
        if known.is_none() && person.is_none() {
            return Err(nobody());
        }
        let row = known.unwrap_or_else(|| self.blank(login_id));
        let (share_bp, _) = self.terms(Some(&row));
        let counts = self.count_mine(login_id).await?;
        Ok(ModelerShowReply {
            item: Some(item(&row, person.as_ref())),
            page: Some(self.page_view(&row).await?),
            records: self.modeler_records(db, login_id).await?,
            listings: counts.counts,
            sold: self.sold_of(login_id).await?,
            strikes: self.strikes(login_id).await?,
            share_bp,
            statement: row.statement,
            reason: row.reason,
            frozen_reason: row.frozen_reason,
            company_name: person
                .as_ref()
                .map(|one| one.company_name.clone())
                .unwrap_or_default(),
            real_name: person.map(|one| one.real_name).unwrap_or_default(),
        })
    }

    async fn modeler_decide(
        &self,
        operator: &Operator,
        form: ModelerDecideRequest,
    ) -> Result<(), ServiceError> {
        let (next, action) = match form.decision.as_str() {
            "approve" => (State::Approved, Action::Approved),
            "refuse" => (State::Refused, Action::Refused),
            _ => return Err(BusinessError::invalid("没有这种审核结果").into()),
        };
        // An approval's reason is in the audit log alone.
        let note = match next {
            State::Refused => form.reason.trim(),
            _ => "",
        };
        let now = self.now();
        let mut row = ActiveModel {
            reason: Set(note.to_owned()),
            decided_at: Set(now),
            updated_at: Set(now),
            ..Default::default()
        };
        if form.uploader_type > 0 && next == State::Approved {
            row.uploader_type = Set(form.uploader_type);
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let moved = Transition::to(next)
            .set(row)
            .only(Column::LoginId.eq(&form.login_id))
            .only(Column::Version.eq(form.version))
            .take(&transaction)
            .await?;
        let row = moved
            .first()
            .ok_or_else(|| conflict("申请已被处理或有新的变化，请重新查看"))?;
        self.changed(&transaction, row, action, note).await?;
        let change = (
            json!({"state": State::Waiting.name()}),
            json!({"state": row.state.name(), "uploaderType": row.uploader_type}),
        );
        self.audit(&transaction, operator, &row.login_id, change, &form.reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    async fn modeler_freeze(
        &self,
        operator: &Operator,
        form: ModelerActRequest,
    ) -> Result<(), ServiceError> {
        self.set_frozen(operator, &form, true).await
    }

    async fn modeler_unfreeze(
        &self,
        operator: &Operator,
        form: ModelerActRequest,
    ) -> Result<(), ServiceError> {
        self.set_frozen(operator, &form, false).await
    }
}

impl Mall {
    /// What personal returns of people; nothing where it does not answer in time.
    async fn people<'a>(
        &self,
        login_ids: impl Iterator<Item = &'a str>,
    ) -> HashMap<String, Appearance> {
        let login_ids: Vec<String> = login_ids.map(str::to_owned).collect();
        if login_ids.is_empty() {
            return HashMap::new();
        }
        let request = AppearancesRequest { login_ids };
        let answer = PersonalCommands::appearances(&self.context.bus, &request);
        match tokio::time::timeout(limit::patient(PATIENCE), answer).await {
            Ok(Ok(reply)) => reply
                .people
                .into_iter()
                .map(|one| (one.login_id.clone(), one))
                .collect(),
            _ => {
                tracing::warn!("personal does not tell who applies");
                HashMap::new()
            }
        }
    }

    async fn sold_of(&self, login_id: &str) -> Result<i64, DbErr> {
        use crate::entity::listing::{Column, Entity};
        use sea_orm::QuerySelect;
        let sum: Option<Option<i64>> = Entity::find_own(login_id)
            .select_only()
            .expr_as(Column::Sold.sum().cast_as("BIGINT"), "sold")
            .into_tuple()
            .one(&self.context.db)
            .await?;
        Ok(sum.flatten().unwrap_or(0))
    }

    /// Freezes a user, who need not have applied, or ends it.
    async fn set_frozen(
        &self,
        operator: &Operator,
        form: &ModelerActRequest,
        frozen: bool,
    ) -> Result<(), ServiceError> {
        let id = form.login_id.trim();
        if id.is_empty() || id.len() > LONGEST_ID {
            return Err(nobody());
        }
        if frozen && self.modeler(&self.context.db, id).await?.is_none() {
            // A row is made for an existing account only.
            let people = self.people(std::iter::once(id)).await;
            people.get(id).ok_or_else(nobody)?;
        }
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        if frozen {
            self.begin(&transaction, id).await?;
        }
        let moved = Entity::update_many()
            .col_expr(Column::Version, Expr::col(Column::Version).add(1))
            .set(ActiveModel {
                frozen: Set(frozen),
                frozen_reason: Set(if frozen { reason } else { "" }.to_owned()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .filter(Column::LoginId.eq(id))
            .filter(Column::Frozen.eq(!frozen))
            .exec_with_returning(&transaction)
            .await?;
        let row = moved.first().ok_or_else(|| {
            conflict(match frozen {
                true => "该模型师已处于冻结状态",
                false => "该模型师没有被冻结",
            })
        })?;
        let action = match frozen {
            true => Action::Frozen,
            false => Action::Unfrozen,
        };
        self.changed(&transaction, row, action, reason).await?;
        let change = (json!({"frozen": !frozen}), json!({"frozen": frozen}));
        self.audit(&transaction, operator, id, change, reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
