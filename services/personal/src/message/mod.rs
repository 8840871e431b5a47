//! Messages: rows for single users, announcements for all; each user stores the newest announcement read.

pub(crate) mod events;
pub(crate) mod matchup;
pub(crate) mod schema;
pub(crate) mod words;

use std::collections::HashMap;

use chassis::db::list::place_of;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, SignedIn, db};
use proto::personal::v1::{
    AllMessageFlag, CommentFlag, MessageCalls, MessageFlags, MessageListRequest, MessagePage,
    MessageSelection, MessagesChanged, PagesTold, UnreadCounts, UserMessage, UserRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, DatabaseTransaction, FromQueryResult, QueryOrder, QuerySelect, Set};
use serde_json::Value;

use crate::Personal;
use crate::entity::{announcement_seen, message, profile};
use crate::publication::Announced;

const ANNOUNCEMENT: &str = "announcement";
const PAGE_SIZE: i32 = 10;
const MAX_PAGE_SIZE: i32 = 50;
const MAX_IDS: usize = 100;

/// A message to be stored.
pub(crate) struct NewMessage {
    pub login_id: String,
    /// What it reports; stored once per user.
    pub event: String,
    pub group: &'static str,
    pub kind: &'static str,
    pub params: Value,
    /// A page of the site; empty: none.
    pub link: String,
    /// Unix time in milliseconds.
    pub at: i64,
}

#[derive(FromQueryResult)]
struct Counted {
    group_name: String,
    unread: i64,
}

impl Personal {
    /// Stores a message once, and notifies the user's open pages after the commit.
    pub(crate) async fn tell_user(
        &self,
        transaction: &DatabaseTransaction,
        new: NewMessage,
    ) -> anyhow::Result<()> {
        let id = new_id();
        let row = message::Model {
            id: id.clone(),
            login_id: new.login_id.clone(),
            event: new.event,
            group_name: new.group.to_owned(),
            kind: new.kind.to_owned(),
            params: new.params.to_string(),
            link: new.link,
            read_at: 0,
            created_at: new.at,
        };
        if db::insert_new(row, transaction).await? {
            let group = new.group.to_owned();
            if self.beside {
                let push = PagesTold {
                    login_id: new.login_id,
                    what: "MESSAGE".to_owned(),
                    message_id: id,
                    group,
                };
                self.queue_push_of(transaction, push).await?;
            } else {
                let push = self.clone().push_message(new.login_id, id, group);
                db::after_commit(|| drop(tokio::spawn(push)));
            }
        }
        Ok(())
    }

    /// Updates the unread badge in the user's open pages, which then fetch the message.
    pub(crate) async fn push_message(self, login_id: String, id: String, group: String) {
        let unread = self.unread(&login_id);
        let unread = self.context.ask_database("push of a message", unread).await;
        match unread.flatten() {
            Ok(unread) => self.push_unread(&login_id, id, group, unread),
            Err(error) => tracing::warn!(%error, "unread messages not counted for a push"),
        }
    }

    fn push_unread(&self, login_id: &str, id: String, group: String, unread: UnreadCounts) {
        let changed = MessagesChanged {
            id,
            group,
            unread: Some(unread),
        };
        self.context.bus.push(login_id, &changed);
    }

    pub(crate) async fn unread(&self, login_id: &str) -> Result<UnreadCounts, ServiceError> {
        let counted = message::Entity::find_own(login_id)
            .select_only()
            .column(message::Column::GroupName)
            .column_as(message::Column::Id.count(), "unread")
            .filter(message::Column::ReadAt.eq(0))
            .group_by(message::Column::GroupName)
            .into_model::<Counted>()
            .all(&self.context.db)
            .await?;
        let mut groups: HashMap<String, i32> = counted
            .into_iter()
            .map(|of| (of.group_name, i32::try_from(of.unread).unwrap_or(i32::MAX)))
            .collect();
        let seen = self.seen_at(login_id).await?;
        let new = self.announced_after(seen).await?;
        if new > 0 {
            groups.insert(ANNOUNCEMENT.to_owned(), new as i32);
        }
        let total = groups
            .values()
            .fold(0i32, |sum, count| sum.saturating_add(*count));
        Ok(UnreadCounts { total, groups })
    }

    /// Start of the newest announcement that the user has read. Announcements older than the account count as read.
    async fn seen_at(&self, login_id: &str) -> Result<i64, ServiceError> {
        let db = &self.context.db;
        let seen = announcement_seen::Entity::find_by_id(login_id)
            .one(db)
            .await?;
        if let Some(seen) = seen {
            return Ok(seen.seen_at);
        }
        let profile = profile::Entity::find_by_id(login_id).one(db).await?;
        Ok(profile.map_or(i64::MAX, |profile| profile.created_at))
    }

    async fn mark_seen(&self, login_id: &str, until: i64) -> Result<(), ServiceError> {
        let row = announcement_seen::Model {
            login_id: login_id.to_owned(),
            seen_at: until,
        };
        let seen_at = announcement_seen::Column::SeenAt;
        db::upsert_newer(row, seen_at, [], &self.context.db).await?;
        Ok(())
    }

    /// Marks the messages of a kind read, and tells the user's open pages.
    pub(crate) async fn read_of_kind(
        &self,
        login_id: &str,
        kind: &str,
    ) -> Result<(), ServiceError> {
        let read = message::Entity::update_own(login_id)
            .set(message::ActiveModel {
                read_at: Set(self.context.clock.now_ms()),
                ..Default::default()
            })
            .filter(message::Column::Kind.eq(kind))
            .filter(message::Column::ReadAt.eq(0))
            .exec(&self.context.db)
            .await?;
        if read.rows_affected > 0 {
            self.changed(login_id).await?;
        }
        Ok(())
    }

    /// Returns what is left unread and pushes it to the user's other pages.
    async fn changed(&self, login_id: &str) -> Result<UnreadCounts, ServiceError> {
        let unread = self.unread(login_id).await?;
        self.push_unread(login_id, String::new(), String::new(), unread.clone());
        Ok(unread)
    }
}

impl MessageCalls<ServiceError> for Personal {
    async fn all_message_is_read(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<AllMessageFlag, ServiceError> {
        let unread = self.unread(caller.login_id()).await?;
        Ok(AllMessageFlag {
            isread_all_message: unread.total == 0,
        })
    }

    async fn query_message_is_read(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<MessageFlags, ServiceError> {
        let unread = self.unread(caller.login_id()).await?;
        let announcements = unread.groups.get(ANNOUNCEMENT).copied().unwrap_or(0);
        Ok(MessageFlags {
            isread_all_message: unread.total == 0,
            isread_message: unread.total == announcements,
        })
    }

    async fn query_comment_is_read(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<CommentFlag, ServiceError> {
        let unread = self.unread(caller.login_id()).await?;
        Ok(CommentFlag {
            isread_comment: OF_COMMENTS
                .iter()
                .all(|group| unread.groups.get(*group).is_none_or(|count| *count == 0)),
        })
    }

    async fn list_messages(
        &self,
        caller: &SignedIn,
        request: MessageListRequest,
    ) -> Result<MessagePage, ServiceError> {
        let login_id = caller.login_id();
        check_group(&request.group)?;
        let (from, size) = place_of(&request, PAGE_SIZE, MAX_PAGE_SIZE)?;
        let until = from + size;
        let (mut total, mut all) = (0, Vec::new());
        if request.group.is_empty() || request.group == ANNOUNCEMENT {
            let seen = self.seen_at(login_id).await?;
            let announced = self.announcements().await?;
            total += announced.len() as i64;
            all.extend(announced.into_iter().map(|a| of_announcement(a, seen)));
        }
        if request.group != ANNOUNCEMENT {
            let own = message::Entity::find_own(login_id).filter(in_group(&request.group));
            total += own.clone().count(&self.context.db).await? as i64;
            let rows = own
                .order_by_desc(message::Column::CreatedAt)
                .order_by_desc(message::Column::Id)
                .limit(until)
                .all(&self.context.db)
                .await?;
            all.extend(rows.into_iter().map(of_row));
        }
        all.sort_by(|a, b| (b.create_time, &b.id).cmp(&(a.create_time, &a.id)));
        let shown = all.into_iter().skip(from as usize).take(size as usize);
        Ok(MessagePage {
            total_count: total,
            results: shown.collect(),
        })
    }

    async fn unread_messages(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<UnreadCounts, ServiceError> {
        self.unread(caller.login_id()).await
    }

    async fn read_messages(
        &self,
        caller: &SignedIn,
        selection: MessageSelection,
    ) -> Result<UnreadCounts, ServiceError> {
        let login_id = caller.login_id();
        check_group(&selection.group)?;
        let ids = ids_of(&selection)?;
        let announced = self.announcements().await?;
        let named = |a: &&Announced| match ids.is_empty() {
            true => selection.group.is_empty() || selection.group == ANNOUNCEMENT,
            false => ids.contains(&a.id),
        };
        if let Some(newest) = announced.iter().filter(named).map(|a| a.starts_at).max() {
            self.mark_seen(login_id, newest).await?;
        }
        message::Entity::update_own(login_id)
            .set(message::ActiveModel {
                read_at: Set(self.context.clock.now_ms()),
                ..Default::default()
            })
            .filter(in_group(&selection.group))
            .filter(message::Column::ReadAt.eq(0))
            .filter(among(&ids))
            .exec(&self.context.db)
            .await?;
        self.changed(login_id).await
    }

    async fn delete_messages(
        &self,
        caller: &SignedIn,
        selection: MessageSelection,
    ) -> Result<UnreadCounts, ServiceError> {
        let login_id = caller.login_id();
        check_group(&selection.group)?;
        let ids = ids_of(&selection)?;
        if ids.is_empty() {
            return Err(BusinessError::invalid("请选择要删除的消息").into());
        }
        if self
            .announcements()
            .await?
            .iter()
            .any(|a| ids.contains(&a.id))
        {
            return Err(BusinessError::invalid("公告不能删除").into());
        }
        message::Entity::delete_own(login_id)
            .filter(in_group(&selection.group))
            .filter(among(&ids))
            .exec(&self.context.db)
            .await?;
        self.changed(login_id).await
    }
}

/// Groups of messages about comments and replies.
const OF_COMMENTS: [&str; 3] = ["comments", "replies", "commentsAndReplies"];

fn in_group(group: &str) -> Condition {
    let all = Condition::all();
    match group {
        "" => all,
        "commentsAndReplies" => all.add(message::Column::GroupName.is_in(OF_COMMENTS)),
        group => all.add(message::Column::GroupName.eq(group)),
    }
}

/// All of them if no id is given.
fn among(ids: &[String]) -> Condition {
    match ids.is_empty() {
        true => Condition::all(),
        false => Condition::all().add(message::Column::Id.is_in(ids)),
    }
}

fn check_group(group: &str) -> Result<(), BusinessError> {
    if group.is_empty() || words::GROUPS.contains(&group) {
        return Ok(());
    }
    Err(BusinessError::invalid("没有这个消息分组"))
}

fn ids_of(selection: &MessageSelection) -> Result<Vec<String>, BusinessError> {
    let ids = selection.ids.split(',').map(str::trim);
    let ids: Vec<String> = ids.filter(|id| !id.is_empty()).map(str::to_owned).collect();
    if ids.len() > MAX_IDS {
        return Err(BusinessError::invalid("一次最多选择 100 条消息"));
    }
    Ok(ids)
}

fn of_row(row: message::Model) -> UserMessage {
    let params = serde_json::from_str(&row.params).unwrap_or_default();
    let (title, content) = words::words(&row.kind, &params);
    UserMessage {
        id: row.id,
        group: row.group_name,
        kind: row.kind,
        title,
        content,
        link: row.link,
        is_read: row.read_at > 0,
        create_time: row.created_at,
    }
}

fn of_announcement(announced: Announced, seen: i64) -> UserMessage {
    UserMessage {
        id: announced.id,
        group: ANNOUNCEMENT.to_owned(),
        kind: ANNOUNCEMENT.to_owned(),
        title: announced.content.title,
        content: announced.content.content,
        link: announced.content.link,
        is_read: announced.starts_at <= seen,
        create_time: announced.starts_at,
    }
}
