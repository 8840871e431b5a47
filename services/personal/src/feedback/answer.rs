//! Answering and closing feedback. Each is one transaction with its audit entry.

use chassis::audit::Deed;
use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::personal::v1::FeedbackAnswered;
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use serde_json::json;

use crate::Personal;
use crate::console::Actor;
use crate::entity::feedback::State;
use crate::entity::{feedback, feedback_reply};
use crate::message::events as messages;

fn conflict(message: &str) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

impl Personal {
    /// Adds an operator's answer; more may follow. `known`: number of answers the operator has seen.
    pub async fn answer_feedback(
        &self,
        id: &str,
        content: &str,
        known: Option<u64>,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        db::committing(self.answer(id, content, known, actor)).await
    }

    async fn answer(
        &self,
        id: &str,
        content: &str,
        known: Option<u64>,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let now = self.context.clock.now_ms();
        let transaction = db::begin_write(&self.context.db).await?;
        let before = feedback::Entity::find_any_by_id(id)
            .one(&transaction)
            .await?;
        let before = before.ok_or_else(|| BusinessError::not_found("没有这条反馈"))?;
        let answered = Transition::to(State::Answered)
            .set(feedback::ActiveModel {
                updated_at: Set(now),
                ..Default::default()
            })
            .only(feedback::Column::Id.eq(id))
            .apply(&transaction)
            .await?;
        if !answered {
            return Err(conflict("这条反馈已关闭"));
        }
        let answers = feedback_reply::Entity::find()
            .filter(feedback_reply::Column::FeedbackId.eq(id))
            .count(&transaction)
            .await?;
        if known.is_some_and(|known| known != answers) {
            return Err(conflict("这条反馈刚刚有了新的回复，请查看后再答"));
        }
        let reply_id = new_id();
        let reply = feedback_reply::Model {
            id: reply_id.clone(),
            feedback_id: id.to_owned(),
            operator: actor.name(),
            content: content.to_owned(),
            created_at: now,
        };
        db::insert(reply, &transaction).await?;
        let event = FeedbackAnswered {
            feedback_id: id.to_owned(),
            login_id: before.login_id,
            content: content.to_owned(),
            answered_at_ms: now,
        };
        self.outbox.add(&transaction, id, &event).await?;
        let message = crate::message::events::answered(&event);
        self.tell_user(&transaction, message).await?;
        let deed = Deed {
            target: id,
            before: json!({"state": before.state}),
            // Not the text, which may name a person: the log outlives the account.
            after: json!({"state": State::Answered, "reply": reply_id}),
            ..Deed::default()
        };
        self.record(&transaction, actor, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    pub async fn close_feedback(
        &self,
        id: &str,
        reason: &str,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        db::committing(self.close(id, reason, actor)).await
    }

    async fn close(&self, id: &str, reason: &str, actor: &Actor<'_>) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let before = feedback::Entity::find_any_by_id(id)
            .one(&transaction)
            .await?;
        let before = before.ok_or_else(|| BusinessError::not_found("没有这条反馈"))?;
        let closed = Transition::to(State::Closed)
            .set(feedback::ActiveModel {
                updated_at: Set(self.context.clock.now_ms()),
                ..Default::default()
            })
            .only(feedback::Column::Id.eq(id))
            .apply(&transaction)
            .await?;
        if !closed {
            return Err(conflict("这条反馈已关闭"));
        }
        let deed = Deed {
            target: id,
            before: json!({"state": before.state}),
            after: json!({"state": State::Closed}),
            reason,
        };
        self.record(&transaction, actor, deed).await?;
        let now = self.context.clock.now_ms();
        let message = messages::feedback_closed(&before.login_id, id, now);
        self.tell_user(&transaction, message)
            .await
            .map_err(ServiceError::Internal)?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
