//! The support's side of a conversation. Each step is one transaction with its audit entry.

use chassis::audit::Deed;
use chassis::db::{self, begin_write};
use chassis::{BusinessError, ServiceError};
use proto::code;
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use serde_json::json;

use super::{since, write};
use crate::Personal;
use crate::console::Actor;
use crate::entity::chat::Column::{LastAt, LoginId, OpenSince, Unread, WaitingSince};
use crate::entity::{chat, chat_line, message};
use crate::message::events as messages;

impl Personal {
    /// Sends a support message to a user who has written before, and notifies the user's open pages. Idempotent by `client_id`:
    /// a repeated one returns the stored line.
    pub async fn answer_chat(
        &self,
        login_id: &str,
        content: &str,
        client_id: &str,
        actor: &Actor<'_>,
    ) -> Result<chat_line::Model, ServiceError> {
        db::committing(self.answer_line(login_id, content, client_id, actor)).await
    }

    async fn answer_line(
        &self,
        login_id: &str,
        content: &str,
        client_id: &str,
        actor: &Actor<'_>,
    ) -> Result<chat_line::Model, ServiceError> {
        // Keeps these ids apart from those of the user's pages.
        let client_id = format!("support:{client_id}");
        let now = self.context.clock.now_ms();
        let transaction = begin_write(&self.context.db).await?;
        // This update locks the conversation's row.
        let answered = chat::Entity::update_many()
            .col_expr(OpenSince, since(OpenSince, now))
            .col_expr(WaitingSince, Expr::value(0_i64))
            .col_expr(LastAt, Expr::value(now))
            .col_expr(Unread, Expr::col(Unread).add(1))
            .filter(LoginId.eq(login_id))
            .exec(&transaction)
            .await?;
        if answered.rows_affected == 0 {
            return Err(BusinessError::not_found("没有这个会话").into());
        }
        let said = chat_line::Entity::find_own(login_id)
            .filter(chat_line::Column::ClientId.eq(&client_id))
            .one(&transaction)
            .await?;
        if let Some(said) = said {
            transaction.rollback().await?;
            return Ok(said);
        }
        let name = actor.name();
        let line = write(&transaction, login_id, &client_id, &name, content, now).await?;
        let deed = Deed {
            target: login_id,
            // Not the text, which may name a person: the log outlives the account.
            after: json!({"line": line.id}),
            ..Deed::default()
        };
        self.record(&transaction, actor, deed).await?;
        let told = message::Entity::find_own(login_id)
            .filter(message::Column::Kind.eq(messages::CHAT_ANSWERED))
            .filter(message::Column::ReadAt.eq(0))
            .one(&transaction)
            .await?;
        if told.is_none() {
            // One message for all answers that wait to be read, and another once it was read or deleted alone.
            let message = messages::chat_answered(login_id, &line);
            self.tell_user(&transaction, message)
                .await
                .map_err(ServiceError::Internal)?;
        }
        self.queue_push(&transaction, login_id, "CHAT").await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.push_chat(login_id);
        Ok(line)
    }

    /// Ends a conversation until the user writes again.
    pub async fn close_chat(&self, login_id: &str, actor: &Actor<'_>) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let closed = chat::Entity::update_many()
            .set(chat::ActiveModel {
                open_since: Set(0),
                waiting_since: Set(0),
                ..Default::default()
            })
            .filter(LoginId.eq(login_id))
            .filter(OpenSince.gt(0))
            .exec(&transaction)
            .await?;
        if closed.rows_affected == 0 {
            let known = chat::Entity::find_by_id(login_id).one(&transaction).await?;
            return Err(match known {
                Some(_) => BusinessError::new(code::CONFLICT, "会话已结束").into(),
                None => BusinessError::not_found("没有这个会话").into(),
            });
        }
        let deed = Deed {
            target: login_id,
            before: json!({"open": true}),
            after: json!({"open": false}),
            ..Deed::default()
        };
        self.record(&transaction, actor, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
