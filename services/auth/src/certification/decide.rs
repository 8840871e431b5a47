//! Claiming and deciding submitted certifications.

use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::db::states::Transition;
use chassis::{BusinessError, ServiceError};
use proto::auth::v1::{CertificationDecided, CertificationItem};
use proto::code;
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Condition;
use serde_json::json;

use super::look::pictures_of;
use super::{Certifications, standing};
use crate::console::actor::Actor;
use crate::entity::certification::{self, Model, State};

/// How long a claim reserves a certification for an operator.
const CLAIM_MS: i64 = 15 * 60_000;
const DAY_MS: i64 = 24 * 3_600_000;
/// Longest cause.
const CAUSE_MAX: usize = 200;

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Approve,
    /// With the cause shown to the owner.
    Reject(String),
}

fn conflict<T>(message: impl Into<String>) -> Result<T, ServiceError> {
    Err(BusinessError::new(code::CONFLICT, message).into())
}

impl Certifications {
    /// Reserves a submitted record for this operator until the claim ends or it is decided; `release` ends the claim.
    pub async fn claim(
        &self,
        id: &str,
        release: bool,
        actor: &Actor<'_>,
    ) -> Result<CertificationItem, ServiceError> {
        let until = self.now_ms() + CLAIM_MS;
        let (claimed_by, claimed_until) = match release {
            false => (actor.name().to_owned(), until),
            true => (String::new(), 0),
        };
        let transaction = begin_write(&self.context.db).await?;
        let claimed = certification::Entity::update_any()
            .set(certification::ActiveModel {
                claimed_by: Set(claimed_by.clone()),
                claimed_until: Set(claimed_until),
                ..Default::default()
            })
            .filter(certification::Column::Id.eq(id))
            .filter(certification::Column::State.eq(State::Submitted))
            .filter(self.free_for(actor))
            .exec(&transaction)
            .await?;
        let record = self.record(&transaction, id).await?;
        if claimed.rows_affected == 0 {
            return self.lost(&record);
        }
        let deed = Deed {
            target: id,
            after: json!({"claimedBy": claimed_by, "loginId": record.login_id}),
            ..Deed::default()
        };
        actor.record(&self.outbox, &transaction, deed).await?;
        let item = self.item(&transaction, id).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(item)
    }

    /// Decides a submitted record that no other operator has claimed. The first decision counts.
    pub async fn decide(
        &self,
        id: &str,
        decision: &Decision,
        reason: &str,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let (next, cause) = match decision {
            Decision::Approve => (State::Approved, String::new()),
            Decision::Reject(cause) => (State::Rejected, checked_cause(cause)?),
        };
        let record = self.record(&self.context.db, id).await?;
        let transaction = begin_write(&self.context.db).await?;
        let version = standing::hold(&transaction, &record.login_id).await?;
        if next == State::Approved {
            self.number_is_free(&transaction, &record).await?;
        }
        let now_ms = self.now_ms();
        let has_pictures = !pictures_of(record.kind).is_empty();
        let due = has_pictures.then_some(now_ms + self.config.picture_days * DAY_MS);
        let moved = Transition::to(next)
            .set(certification::ActiveModel {
                cause: Set(cause.clone()),
                decided_by: Set(actor.name().to_owned()),
                decided_at: Set(Some(now_ms)),
                pictures_due: Set(due),
                claimed_until: Set(0),
                ..Default::default()
            })
            .only(certification::Column::Id.eq(id))
            .only(self.free_for(actor))
            .apply(&transaction)
            .await?;
        if !moved {
            return self.lost(&self.record(&transaction, id).await?);
        }
        self.publish(&transaction, &record.login_id, version)
            .await?;
        let decided = CertificationDecided {
            login_id: record.login_id.clone(),
            certification_id: record.id.clone(),
            kind: record.kind.name().to_owned(),
            approved: next == State::Approved,
            cause: cause.clone(),
            decided_at_ms: now_ms,
        };
        self.outbox
            .add(&transaction, &record.login_id, &decided)
            .await?;
        self.context.fail.at("auth.certification.deciding")?;
        let deed = Deed {
            target: id,
            before: json!({"state": State::Submitted.name()}),
            after: json!({"state": next.name(), "loginId": record.login_id}),
            reason,
        };
        actor.record(&self.outbox, &transaction, deed).await?;
        self.context.fail.at("auth.certification.audited")?;
        transaction.commit().await?;
        self.outbox.wake();
        metrics::counter!("auth_certification_decided_total", "kind" => record.kind.name(), "state" => next.name())
            .increment(1);
        self.context.fail.at("auth.certification.decided")?;
        Ok(())
    }

    fn free_for(&self, actor: &Actor<'_>) -> Condition {
        Condition::any()
            .add(certification::Column::ClaimedUntil.lt(self.now_ms()))
            .add(certification::Column::ClaimedBy.eq(actor.name()))
    }

    /// Errors: another operator has claimed the submitted record.
    pub(super) fn refuse_taken(
        &self,
        record: &Model,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let held = record.state == State::Submitted && record.claimed_until >= self.now_ms();
        match held && record.claimed_by != actor.name() {
            true => self.lost(record),
            false => Ok(()),
        }
    }

    fn lost<T>(&self, record: &Model) -> Result<T, ServiceError> {
        match record.state {
            State::Submitted => conflict(format!("{}正在审核该认证", record.claimed_by)),
            State::Withdrawn => conflict("申请人已撤回该认证"),
            _ => conflict("该认证已有审核结果"),
        }
    }
}

fn checked_cause(text: &str) -> Result<String, BusinessError> {
    let text = text.trim();
    let shown = !text.is_empty() && !text.chars().any(char::is_control);
    if !shown || text.chars().count() > CAUSE_MAX {
        return Err(BusinessError::invalid("请填写不超过200字的驳回原因"));
    }
    Ok(text.to_owned())
}
