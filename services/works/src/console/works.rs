//! Works: searched, viewed, reviewed, hidden, recommended.

use chassis::db::states::Transition;
use chassis::db::{List, contains};
use chassis::{BusinessError, Grantee, Operator, ServiceError, db};
use proto::works::v1::{
    MyWork, WorkActRequest, WorkDecideRequest, WorkItem, WorkRecommendRequest, WorkRecord,
    WorkSearchReply, WorkSearchRequest, WorkShowReply,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, DatabaseTransaction, PaginatorTrait, QueryOrder, QuerySelect, Set};
use serde_json::json;

use crate::Works;
use crate::entity::record::{self, Action};
use crate::entity::work::{ActiveModel, Column, Edit, Entity, Model, State};
use crate::notify::Notification;
use crate::report;
use crate::state::conflict;
use crate::work::no_such_work;
use crate::work::view::in_state;

/// Maximum number of records and reports per reply.
const MOST_SHOWN: u64 = 50;

fn item(work: &Model, view: &MyWork) -> WorkItem {
    WorkItem {
        card: view.card.clone(),
        state: view.state.clone(),
        edit_state: view.edit_state.clone(),
        revision: work.revision,
        visibility: view.visibility.clone(),
        submitted_at: work.submitted_at,
        reports: work.reports,
        recommended: work.recommended_at > 0,
        updated_at: work.updated_at,
    }
}

impl Works {
    pub(super) async fn search_works(
        &self,
        form: &WorkSearchRequest,
    ) -> Result<WorkSearchReply, ServiceError> {
        let in_review = || Entity::find_any().filter(Column::EditState.eq(Edit::Review));
        let db = &self.context.db;
        let waiting = in_review().count(db).await?;
        let reviewed = matches!(form.state.as_str(), "" | "review");
        let rows = match form.state.as_str() {
            "" | "review" => in_review(),
            "all" => Entity::find_any(),
            "reported" => Entity::find_any().filter(Column::Reports.gt(0)),
            state => {
                let state = in_state(state);
                Entity::find_any()
                    .filter(state.ok_or_else(|| BusinessError::invalid("没有这种状态"))?)
            }
        };
        let rows = match form.text.trim() {
            "" => rows,
            text => rows.filter(
                Condition::any()
                    .add(contains(Column::DraftName, text))
                    .add(Column::Id.eq(text))
                    .add(Column::Owner.eq(text)),
            ),
        };
        let list = match reviewed {
            true => List::of(rows).oldest_first(Column::SubmittedAt, Column::Id),
            false => List::of(rows).newest_first(Column::UpdatedAt, Column::Id),
        };
        let found = list.following(form, db).await?;
        let views = self
            .authors_views(&Grantee::without_session(""), found.rows.clone())
            .await?;
        Ok(WorkSearchReply {
            works: found
                .rows
                .iter()
                .zip(&views)
                .map(|(work, view)| item(work, view))
                .collect(),
            next: found.next,
            waiting: i64::try_from(waiting).unwrap_or(i64::MAX),
        })
    }

    pub(super) async fn show_work(&self, id: &str) -> Result<WorkShowReply, ServiceError> {
        let db = &self.context.db;
        let work = Entity::find_any_by_id(id).one(db).await?;
        let work = work.ok_or_else(no_such_work)?;
        // An operator's session is none of the users'.
        let author = Grantee::without_session(&work.owner);
        let view = self.my_detail(&author, id).await?;
        let shown = self.bundle_of(db, id, work.bundle).await?;
        let records = record::Entity::find()
            .filter(record::Column::WorkId.eq(id))
            .order_by_desc(record::Column::At)
            .order_by_desc(record::Column::Id)
            .limit(MOST_SHOWN)
            .all(db)
            .await?;
        let reports = report::open_of(db, &[id], MOST_SHOWN).await?;
        let record_view = |row: record::Model| WorkRecord {
            action: row.action.name().to_owned(),
            reason: row.reason,
            bundle: row.bundle,
            at: row.at,
        };
        Ok(WorkShowReply {
            item: Some(item(&work, &view)),
            work: Some(view),
            shown_model: shown.and_then(|one| self.model_view(None, &one, None)),
            records: records.into_iter().map(record_view).collect(),
            reports: reports.into_iter().map(report::view).collect(),
        })
    }

    async fn held(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let held = self.hold(transaction, id).await?;
        held.ok_or_else(no_such_work)
    }

    pub(super) async fn decide(
        &self,
        operator: &Operator,
        form: &WorkDecideRequest,
    ) -> Result<(), ServiceError> {
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.held(&transaction, &form.works_id).await?;
        if work.edit_state != Edit::Review {
            return Err(conflict("这个作品没有待审核的内容，可能已被处理"));
        }
        if work.revision != form.revision {
            return Err(conflict("作品在审核期间有改动，请重新查看"));
        }
        let notification = match form.decision.as_str() {
            "approve" => {
                self.approve(&transaction, &work).await?;
                Notification::new("workApproved", &work.owner, &work.id, &work)
            }
            "refuse" => {
                self.refuse(&transaction, &work, reason).await?;
                Notification::new("workRefused", &work.owner, &work.id, &work).because(reason)
            }
            _ => return Err(BusinessError::invalid("没有这种审核结果").into()),
        };
        self.notify(&transaction, notification).await?;
        let change = (
            json!({"state": work.told_state(), "edit": work.edit_state.name()}),
            json!({"decision": form.decision}),
        );
        self.audit(&transaction, operator, &work.id, change, reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    async fn refuse(
        &self,
        transaction: &DatabaseTransaction,
        work: &Model,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let moved = Transition::to(Edit::Refused)
            .set(ActiveModel {
                reason: Set(reason.to_owned()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(&work.id))
            .apply(transaction)
            .await?;
        if !moved {
            return Err(conflict("这个作品没有待审核的内容，可能已被处理"));
        }
        Ok(self
            .note(transaction, work, Action::Refused, reason)
            .await?)
    }

    /// Hides a work, or restores a hidden one.
    pub(super) async fn hide_work(
        &self,
        operator: &Operator,
        form: &WorkActRequest,
        hidden: bool,
    ) -> Result<(), ServiceError> {
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.held(&transaction, &form.works_id).await?;
        let (from, next, action, refused) = match hidden {
            true => (
                &[State::Published, State::Withdrawn][..],
                State::Hidden,
                Action::Hidden,
                "只有发布过的作品可以隐藏",
            ),
            false => (
                &[State::Hidden][..],
                State::Published,
                Action::Restored,
                "作品没有被隐藏",
            ),
        };
        if !self.move_work(&transaction, &work, (from, next)).await? {
            return Err(conflict(refused));
        }
        self.note(&transaction, &work, action, reason).await?;
        Entity::update_any()
            .set(ActiveModel {
                reason: Set(if hidden { reason } else { "" }.to_owned()),
                ..Default::default()
            })
            .filter(Column::Id.eq(&work.id))
            .exec(&transaction)
            .await?;
        if hidden {
            self.close_reports(&transaction, &work.id).await?;
            let notification = Notification::new("workHidden", &work.owner, &work.id, &work);
            self.notify(&transaction, notification.because(reason))
                .await?;
        }
        let change = (
            json!({"state": work.state.name()}),
            json!({"state": next.name()}),
        );
        self.audit(&transaction, operator, &work.id, change, reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    pub(super) async fn recommend(
        &self,
        operator: &Operator,
        form: &WorkRecommendRequest,
    ) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.held(&transaction, &form.works_id).await?;
        if form.recommended && !work.listed {
            return Err(conflict("只有公开展示的作品可以推荐"));
        }
        let since = if form.recommended { self.now() } else { 0 };
        Entity::update_any()
            .set(ActiveModel {
                recommended_at: Set(since),
                ..Default::default()
            })
            .filter(Column::Id.eq(&work.id))
            .exec(&transaction)
            .await?;
        let change = (
            json!({"recommended": work.recommended_at > 0}),
            json!({"recommended": form.recommended}),
        );
        self.audit(&transaction, operator, &work.id, change, "")
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
