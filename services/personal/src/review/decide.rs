//! Claims and decisions. Each is one transaction with its audit entry.

use chassis::audit::Deed;
use chassis::db::states::Transition;
use chassis::db::{self, begin_write};
use chassis::{BusinessError, ServiceError};
use proto::code;
use proto::personal::v1::ReviewItem;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, DatabaseTransaction, Set};
use serde_json::json;

use super::{ACCEPTED, Case, REFUSED, WAITING};
use crate::Personal;
use crate::console::Actor;
use crate::entity::{suspect_picture, suspect_text};
use crate::message::events as messages;
use crate::pictures::sweep;

/// Life of a claim.
const CLAIM_MS: i64 = 15 * 60_000;

/// A reviewer's decision.
#[derive(Clone, Copy, Default)]
pub struct Decision<'a> {
    pub accept: bool,
    /// Also refuses look-alikes from now on.
    pub ban: bool,
    pub reason: &'a str,
}

fn conflict(message: impl Into<String>) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

/// Cases `name` may act on: not claimed by another operator.
fn free<C: ColumnTrait>(by: C, until: C, name: &str, now: i64) -> Condition {
    Condition::any()
        .add(by.eq(""))
        .add(by.eq(name))
        .add(until.lte(now))
}

/// The error when no row changed.
fn taken(case: Case, name: &str, now: i64) -> ServiceError {
    let item = case.item(String::new(), now);
    if item.state != WAITING {
        return conflict("这条内容已被处理");
    }
    match item.claimed_by.as_str() {
        "" => conflict("请先领取这条内容"),
        by if by == name => conflict("请先领取这条内容"),
        by => conflict(format!("{by} 正在处理这条内容")),
    }
}

impl Personal {
    /// Claims a case for a while, or releases it.
    pub(super) async fn claim_case(
        &self,
        id: &str,
        release: bool,
        actor: &Actor<'_>,
    ) -> Result<ReviewItem, ServiceError> {
        let (name, now) = (actor.name(), self.context.clock.now_ms());
        let transaction = begin_write(&self.context.db).await?;
        let case = Case::find(id, &transaction).await?;
        let (by, until) = match release {
            true => (String::new(), 0),
            false => (name.clone(), now + CLAIM_MS),
        };
        let claimed = match &case {
            Case::Picture(row) => {
                use suspect_picture::Column::{ClaimedBy, ClaimedUntil, Id, State};
                let change = suspect_picture::ActiveModel {
                    claimed_by: Set(by),
                    claimed_until: Set(until),
                    ..Default::default()
                };
                let which = match release {
                    true => Condition::all().add(ClaimedBy.eq(&name)),
                    false => free(ClaimedBy, ClaimedUntil, &name, now),
                };
                suspect_picture::Entity::update_own(&row.login_id)
                    .set(change)
                    .filter(Id.eq(id))
                    .filter(State.eq(suspect_picture::State::Waiting))
                    .filter(which)
                    .exec(&transaction)
                    .await?
            }
            Case::Text(row) => {
                use suspect_text::Column::{ClaimedBy, ClaimedUntil, Id, State};
                let change = suspect_text::ActiveModel {
                    claimed_by: Set(by),
                    claimed_until: Set(until),
                    ..Default::default()
                };
                let which = match release {
                    true => Condition::all().add(ClaimedBy.eq(&name)),
                    false => free(ClaimedBy, ClaimedUntil, &name, now),
                };
                suspect_text::Entity::update_own(&row.login_id)
                    .set(change)
                    .filter(Id.eq(id))
                    .filter(State.eq(suspect_text::State::Waiting))
                    .filter(which)
                    .exec(&transaction)
                    .await?
            }
        };
        if claimed.rows_affected == 0 {
            return Err(taken(case, &name, now));
        }
        let deed = Deed {
            target: id,
            after: json!({"claimed": !release, "loginId": case.login_id()}),
            ..Deed::default()
        };
        self.record(&transaction, actor, deed).await?;
        let case = Case::find(id, &transaction).await?;
        transaction.commit().await?;
        self.outbox.wake();
        let nicknames = self.nicknames([case.login_id().to_owned()]).await?;
        let nickname = nicknames.into_values().next().unwrap_or_default();
        Ok(case.item(nickname, now))
    }

    /// Decides a case; the user gets a message if it has consequences.
    pub async fn decide_case(
        &self,
        id: &str,
        decision: &Decision<'_>,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        db::committing(self.decide(id, decision, actor)).await
    }

    async fn decide(
        &self,
        id: &str,
        decision: &Decision<'_>,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let (name, now) = (actor.name(), self.context.clock.now_ms());
        let transaction = begin_write(&self.context.db).await?;
        let case = Case::find(id, &transaction).await?;
        let is_picture = matches!(case, Case::Picture(_));
        if decision.ban && (decision.accept || !is_picture) {
            return Err(BusinessError::invalid("只有拒绝图片时可以禁用相似图片").into());
        }
        let decided = match &case {
            Case::Picture(row) => {
                self.decide_picture(row, decision, &name, now, &transaction)
                    .await?
            }
            Case::Text(row) => decide_text(row, decision, &name, now, &transaction).await?,
        };
        if !decided {
            return Err(taken(case, &name, now));
        }
        let login_id = case.login_id().to_owned();
        let changed = self.carry_out(&case, decision, now, &transaction).await?;
        let state = if decision.accept { ACCEPTED } else { REFUSED };
        let deed = Deed {
            target: id,
            before: json!({"state": WAITING}),
            after: json!({"state": state, "ban": decision.ban, "loginId": login_id}),
            reason: decision.reason,
        };
        self.record(&transaction, actor, deed).await?;
        if changed {
            self.queue_push(&transaction, &login_id, "PROFILE").await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        if changed {
            self.push_profile(&login_id);
        }
        Ok(())
    }

    async fn decide_picture(
        &self,
        row: &suspect_picture::Model,
        decision: &Decision<'_>,
        name: &str,
        now: i64,
        transaction: &DatabaseTransaction,
    ) -> Result<bool, ServiceError> {
        use suspect_picture::Column::{ClaimedBy, ClaimedUntil, Id};
        let state = match decision.accept {
            true => suspect_picture::State::Passed,
            false => suspect_picture::State::Refused,
        };
        let change = suspect_picture::ActiveModel {
            decided_at: Set(Some(now)),
            decided_by: Set(name.to_owned()),
            decision: Set(decision.reason.trim().to_owned()),
            ..Default::default()
        };
        let decided = Transition::to(state)
            .set(change)
            .only(Id.eq(&row.id))
            .only(free(ClaimedBy, ClaimedUntil, name, now))
            .apply(transaction)
            .await?;
        if decided {
            sweep::due(transaction, &row.object_key, now + sweep::DECIDED_MS).await?;
        }
        if decided && decision.ban {
            self.ban_picture(transaction, &row.fingerprint, &row.cause, name)
                .await?;
        }
        Ok(decided)
    }

    /// Consequences for the user: a refused text is taken down, with a message. Returns whether the profile changed.
    async fn carry_out(
        &self,
        case: &Case,
        decision: &Decision<'_>,
        now: i64,
        transaction: &DatabaseTransaction,
    ) -> Result<bool, ServiceError> {
        let reason = decision.reason.trim();
        let (login_id, id) = (case.login_id(), case.id());
        let (message, changed) = match case {
            Case::Picture(_) => {
                let accept = decision.accept;
                let message = messages::picture_decided(login_id, id, accept, reason, now);
                (message, false)
            }
            Case::Text(_) if decision.accept => return Ok(false),
            Case::Text(row) => {
                let taken = self
                    .take_down(login_id, &row.place, &row.content, transaction)
                    .await?;
                if !taken {
                    // The user has changed the text meanwhile.
                    return Ok(false);
                }
                let message = messages::text_refused(login_id, id, &row.place, reason, now);
                (message, true)
            }
        };
        self.tell_user(transaction, message).await?;
        Ok(changed)
    }
}

async fn decide_text(
    row: &suspect_text::Model,
    decision: &Decision<'_>,
    name: &str,
    now: i64,
    transaction: &DatabaseTransaction,
) -> Result<bool, ServiceError> {
    use suspect_text::Column::{ClaimedBy, ClaimedUntil, Id};
    let state = match decision.accept {
        true => suspect_text::State::Kept,
        false => suspect_text::State::Removed,
    };
    let change = suspect_text::ActiveModel {
        decided_at: Set(Some(now)),
        decided_by: Set(name.to_owned()),
        decision: Set(decision.reason.trim().to_owned()),
        ..Default::default()
    };
    let decided = Transition::to(state)
        .set(change)
        .only(Id.eq(&row.id))
        .only(free(ClaimedBy, ClaimedUntil, name, now))
        .apply(transaction)
        .await?;
    Ok(decided)
}
