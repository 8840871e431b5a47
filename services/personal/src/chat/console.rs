//! The calls of the console.

use std::collections::HashMap;

use chassis::db::list::{cut, page_size};
use chassis::{BusinessError, Operator, ServiceError};
use proto::personal::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, QueryOrder, QuerySelect, Select};

use super::PAGE;
use crate::Personal;
use crate::console::{Actor, summary};
use crate::entity::chat::Column::{LastAt, LoginId, OpenSince, WaitingSince};
use crate::entity::{chat, chat_line};

/// Cursor of the list: after a waiting conversation by `waiting_since`, or after an answered one by `last_at`.
enum From<'a> {
    Start,
    Waiting(i64, &'a str),
    Answered(i64, &'a str),
}

impl<'a> From<'a> {
    fn of(after: &'a str) -> Result<Self, BusinessError> {
        if after.is_empty() {
            return Ok(Self::Start);
        }
        let wrong = || BusinessError::invalid("参数 after 不正确");
        let mut parts = after.splitn(3, '-');
        let mut part = || parts.next().ok_or_else(wrong);
        let (kind, at, login_id) = (part()?, part()?, part()?);
        let at = at.parse().map_err(|_| wrong())?;
        match kind {
            "w" => Ok(Self::Waiting(at, login_id)),
            "a" => Ok(Self::Answered(at, login_id)),
            _ => Err(wrong()),
        }
    }

    fn behind(row: &chat::Model) -> String {
        match row.waiting_since {
            0 => format!("a-{}-{}", row.last_at, row.login_id),
            since => format!("w-{since}-{}", row.login_id),
        }
    }
}

fn open() -> Select<chat::Entity> {
    chat::Entity::find().filter(OpenSince.gt(0))
}

fn line(row: chat_line::Model) -> ChatConsoleLine {
    ChatConsoleLine {
        id: row.id,
        operator: row.operator,
        content: row.content,
        created_at: row.created_at,
    }
}

fn item(row: chat::Model, nickname: String, last_line: String) -> ChatItem {
    ChatItem {
        login_id: row.login_id,
        nickname,
        open: row.open_since > 0,
        waiting_since: row.waiting_since,
        last_at: row.last_at,
        last_line,
        unread: i32::try_from(row.unread).unwrap_or(i32::MAX),
    }
}

impl ChatConsoleCalls<ServiceError> for Personal {
    async fn chat_list(
        &self,
        _: &Operator,
        form: ChatListRequest,
    ) -> Result<ChatListReply, ServiceError> {
        let (db, size) = (&self.context.db, page_size(form.size)?);
        let from = From::of(&form.after)?;
        let mut found = Vec::new();
        if !matches!(from, From::Answered(..)) {
            let mut waiting = open().filter(WaitingSince.gt(0));
            if let From::Waiting(since, login_id) = from {
                let same = Condition::all().add(WaitingSince.eq(since));
                let same = same.add(LoginId.gt(login_id));
                waiting = waiting.filter(Condition::any().add(WaitingSince.gt(since)).add(same));
            }
            let ordered = waiting.order_by_asc(WaitingSince).order_by_asc(LoginId);
            found = ordered.limit(size + 1).all(db).await?;
        }
        let room = (size + 1).saturating_sub(found.len() as u64);
        if room > 0 && !form.waiting {
            let mut answered = open().filter(WaitingSince.eq(0));
            if let From::Answered(at, login_id) = from {
                let same = Condition::all().add(LastAt.eq(at));
                let same = same.add(LoginId.gt(login_id));
                answered = answered.filter(Condition::any().add(LastAt.lt(at)).add(same));
            }
            let ordered = answered.order_by_desc(LastAt).order_by_asc(LoginId);
            found.extend(ordered.limit(room).all(db).await?);
        }
        let next = cut(&mut found, size, From::behind);
        let waiting = open().filter(WaitingSince.gt(0)).count(db).await?;
        Ok(ChatListReply {
            conversations: self.chat_items(found).await?,
            next,
            waiting: waiting as i64,
        })
    }

    async fn chat_conversation(
        &self,
        _: &Operator,
        form: ChatConversationRequest,
    ) -> Result<ChatConversationReply, ServiceError> {
        let db = &self.context.db;
        let row = chat::Entity::find_by_id(&form.login_id).one(db).await?;
        let row = row.ok_or_else(|| BusinessError::not_found("没有这个会话"))?;
        let mut lines = chat_line::Entity::find_own(&form.login_id).limit(PAGE + 1);
        if !form.before.is_empty() {
            lines = lines.filter(chat_line::Column::Id.lt(&form.before));
        }
        let newer = !form.after.is_empty();
        lines = match newer {
            true => lines
                .filter(chat_line::Column::Id.gt(&form.after))
                .order_by_asc(chat_line::Column::Id),
            false => lines.order_by_desc(chat_line::Column::Id),
        };
        let mut found = lines.all(db).await?;
        let more = found.len() as u64 > PAGE;
        found.truncate(PAGE as usize);
        if !newer {
            found.reverse();
        }
        Ok(ChatConversationReply {
            conversation: self.chat_items(vec![row]).await?.pop(),
            lines: found.into_iter().map(line).collect(),
            more,
        })
    }

    async fn chat_answer(
        &self,
        operator: &Operator,
        form: ChatAnswerRequest,
    ) -> Result<ChatConsoleLine, ServiceError> {
        let actor = Actor::Operator(operator);
        let said = self
            .answer_chat(&form.login_id, &form.content, &form.client_id, &actor)
            .await?;
        Ok(line(said))
    }

    async fn chat_close(
        &self,
        operator: &Operator,
        form: ChatCloseRequest,
    ) -> Result<(), ServiceError> {
        self.close_chat(&form.login_id, &Actor::Operator(operator))
            .await
    }
}

impl Personal {
    async fn chat_items(&self, rows: Vec<chat::Model>) -> Result<Vec<ChatItem>, ServiceError> {
        let logins: Vec<String> = rows.iter().map(|row| row.login_id.clone()).collect();
        let newest: Vec<String> = chat_line::Entity::find_any()
            .select_only()
            .column_as(chat_line::Column::Id.max(), "newest")
            .filter(chat_line::Column::LoginId.is_in(&logins))
            .group_by(chat_line::Column::LoginId)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let lines = chat_line::Entity::find_any()
            .filter(chat_line::Column::Id.is_in(newest))
            .all(&self.context.db)
            .await?;
        let lines = lines
            .into_iter()
            .map(|line| (line.login_id, summary(&line.content)));
        let mut lines: HashMap<String, String> = lines.collect();
        let mut nicknames = self.nicknames(logins).await?;
        let items = rows.into_iter().map(|row| {
            let nickname = nicknames.remove(&row.login_id).unwrap_or_default();
            let last_line = lines.remove(&row.login_id).unwrap_or_default();
            item(row, nickname, last_line)
        });
        Ok(items.collect())
    }
}
