//! Support chat, used where no external one is configured: one conversation per user.

mod answer;
mod console;

use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, SignedIn, db};
use proto::code;
use proto::personal::v1::{ChatCalls, ChatLine, ChatMessage, ChatPage, ChatRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{CaseStatement, Expr};
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, Set};

use crate::Personal;
use crate::entity::{chat, chat_line};
use crate::message::events as messages;

/// Lines per reply.
const PAGE: u64 = 50;
/// Daily limit of lines per user.
const MOST_A_DAY: u64 = 200;
const DAY_MS: i64 = 24 * 3_600_000;

/// Keeps a time that is set; 0 becomes now.
fn since(column: chat::Column, now: i64) -> Expr {
    CaseStatement::new()
        .case(column.eq(0), now)
        .finally(Expr::col(column))
        .into()
}

fn shown(row: chat_line::Model) -> ChatLine {
    ChatLine {
        id: row.id,
        mine: row.operator.is_empty(),
        content: row.content,
        create_time: row.created_at,
    }
}

impl ChatCalls<ServiceError> for Personal {
    async fn chat_lines(
        &self,
        caller: &SignedIn,
        request: ChatRequest,
    ) -> Result<ChatPage, ServiceError> {
        let (login_id, after) = (caller.login_id(), request.after.as_str());
        let mut query = chat_line::Entity::find_own(login_id).limit(PAGE + 1);
        query = match (after, request.before.as_str()) {
            ("", "") => query.order_by_desc(chat_line::Column::Id),
            ("", before) => query
                .filter(chat_line::Column::Id.lt(before))
                .order_by_desc(chat_line::Column::Id),
            (after, _) => query
                .filter(chat_line::Column::Id.gt(after))
                .order_by_asc(chat_line::Column::Id),
        };
        let mut rows = query.all(&self.context.db).await?;
        let more = rows.len() as u64 > PAGE;
        rows.truncate(PAGE as usize);
        if after.is_empty() {
            rows.reverse();
        }
        // Only who is given the newest line has seen all answers.
        let newest = request.before.is_empty() && (after.is_empty() || !more);
        if newest && rows.iter().any(|row| !row.operator.is_empty()) {
            let seen = chat::Entity::update_many()
                .set(chat::ActiveModel {
                    unread: Set(0),
                    ..Default::default()
                })
                .filter(chat::Column::LoginId.eq(login_id))
                .filter(chat::Column::Unread.gt(0))
                .exec(&self.context.db)
                .await?;
            if seen.rows_affected > 0 {
                self.read_of_kind(login_id, messages::CHAT_ANSWERED).await?;
            }
        }
        Ok(ChatPage {
            lines: rows.into_iter().map(shown).collect(),
            earlier: more && after.is_empty(),
        })
    }

    /// Stores a message of the user. Idempotent by `client_id`: a repeated one returns the stored line.
    async fn send_chat(
        &self,
        caller: &SignedIn,
        message: ChatMessage,
    ) -> Result<ChatLine, ServiceError> {
        let login_id = caller.login_id();
        let (client_id, content) = (message.client_id.as_str(), message.content.as_str());
        let now = self.context.clock.now_ms();
        let transaction = db::begin_write(&self.context.db).await?;
        // Locks the conversation's row, so that the lines of one user are counted one after another.
        touch(&transaction, login_id, now).await?;
        let said = chat_line::Entity::find_own(login_id)
            .filter(chat_line::Column::ClientId.eq(client_id))
            .one(&transaction)
            .await?;
        if let Some(said) = said {
            transaction.rollback().await?;
            return Ok(shown(said));
        }
        let today = chat_line::Entity::find_own(login_id)
            .filter(chat_line::Column::Operator.eq(""))
            .filter(chat_line::Column::CreatedAt.gt(now - DAY_MS))
            .count(&transaction)
            .await?;
        if today >= MOST_A_DAY {
            let message = "今天发送的消息已达上限，请明天再试";
            return Err(BusinessError::new(code::QUOTA, message).into());
        }
        let line = write(&transaction, login_id, client_id, "", content, now).await?;
        chat::Entity::update_many()
            .col_expr(
                chat::Column::WaitingSince,
                since(chat::Column::WaitingSince, now),
            )
            .col_expr(chat::Column::OpenSince, since(chat::Column::OpenSince, now))
            .filter(chat::Column::LoginId.eq(login_id))
            .exec(&transaction)
            .await?;
        transaction.commit().await?;
        Ok(shown(line))
    }
}

async fn touch(transaction: &DatabaseTransaction, login_id: &str, now: i64) -> Result<(), DbErr> {
    let row = chat::Model {
        login_id: login_id.to_owned(),
        waiting_since: 0,
        open_since: now,
        last_at: now,
        unread: 0,
    };
    db::upsert(row, [chat::Column::LastAt], transaction).await
}

async fn write(
    transaction: &DatabaseTransaction,
    login_id: &str,
    client_id: &str,
    operator: &str,
    content: &str,
    now: i64,
) -> Result<chat_line::Model, DbErr> {
    let row = chat_line::Model {
        id: new_id(),
        login_id: login_id.to_owned(),
        client_id: client_id.to_owned(),
        operator: operator.to_owned(),
        content: content.to_owned(),
        created_at: now,
    };
    db::insert(row.clone(), transaction).await?;
    Ok(row)
}
