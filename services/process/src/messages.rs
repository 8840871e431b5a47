//! Messages of a check-up: stored, numbered, and pushed to the owner's browser.

use chassis::ServiceError;
use proto::process::v1::{CheckAdvanced, CheckMessage, ModelStatus};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, IntoActiveModel, QueryOrder, QuerySelect};

use crate::Process;
use crate::entity::check_message::CheckStatus;
use crate::entity::{check_message, file};

/// Maximum number of messages stored per check-up; the engine writes far fewer.
const MAX_MESSAGES: i64 = 500;
/// Maximum number of messages per reply.
const PAGE: u64 = 500;

impl Process {
    /// Stores the next message of a file's check-up. The caller pushes it after the commit.
    pub(crate) async fn add_message(
        &self,
        connection: &impl ConnectionTrait,
        file: &file::Model,
        status: CheckStatus,
        tips: &str,
    ) -> Result<Option<check_message::Model>, ServiceError> {
        let next = self.next_seq(connection, &file.id).await?;
        let message = self.message_of(file, status, tips);
        let mut added = self.add_numbered(connection, vec![message], next).await?;
        Ok(added.pop())
    }

    /// A message of a file's check-up, not numbered yet.
    pub(crate) fn message_of(
        &self,
        file: &file::Model,
        status: CheckStatus,
        tips: &str,
    ) -> check_message::Model {
        check_message::Model {
            file_id: file.id.clone(),
            seq: 0,
            status,
            tips: tips.chars().take(500).collect(),
            created_at: self.now(),
            file_size: file.file_size,
            format: file.format.clone(),
            animation: file.animation,
            model_num: file.model_num,
        }
    }

    /// Number of a file's next message.
    pub(crate) async fn next_seq(
        &self,
        connection: &impl ConnectionTrait,
        file_id: &str,
    ) -> Result<i64, ServiceError> {
        let last: Option<Option<i64>> = check_message::Entity::find()
            .select_only()
            .column_as(check_message::Column::Seq.max(), "seq")
            .filter(check_message::Column::FileId.eq(file_id))
            .into_tuple()
            .one(connection)
            .await?;
        Ok(last.flatten().unwrap_or(0) + 1)
    }

    /// Stores messages numbered from `next` on; log lines beyond the limit are dropped.
    pub(crate) async fn add_numbered(
        &self,
        connection: &impl ConnectionTrait,
        messages: Vec<check_message::Model>,
        next: i64,
    ) -> Result<Vec<check_message::Model>, ServiceError> {
        let mut kept = Vec::with_capacity(messages.len());
        for mut message in messages {
            message.seq = next + kept.len() as i64;
            if message.seq <= MAX_MESSAGES || message.status != CheckStatus::Normal {
                kept.push(message);
            }
        }
        if !kept.is_empty() {
            let rows = kept.iter().cloned().map(IntoActiveModel::into_active_model);
            check_message::Entity::insert_many(rows)
                .exec_without_returning(connection)
                .await?;
        }
        Ok(kept)
    }

    pub(crate) fn push_message(&self, owner: &str, message: Option<check_message::Model>) {
        let Some(message) = message else { return };
        let advanced = CheckAdvanced {
            id: message.file_id,
            seq: message.seq,
            status: message.status.name().to_owned(),
            tips: message.tips,
            current_time: message.created_at,
            file_size: message.file_size,
            format: message.format,
            animation: message.animation,
            model_num: message.model_num,
        };
        self.context.bus.push(owner, &advanced);
    }

    /// The newest message of the caller's file, and all messages after `after_seq`.
    pub(crate) async fn model_status(
        &self,
        owner: &str,
        file_id: &str,
        after_seq: i64,
    ) -> Result<ModelStatus, ServiceError> {
        let file = self.own_file(owner, file_id).await?;
        let messages = check_message::Entity::find()
            .filter(check_message::Column::FileId.eq(&file.id))
            .filter(check_message::Column::Seq.gt(after_seq))
            .order_by_asc(check_message::Column::Seq)
            .limit(PAGE)
            .all(&self.context.db)
            .await?;
        let newest = check_message::Entity::find()
            .filter(check_message::Column::FileId.eq(&file.id))
            .order_by_desc(check_message::Column::Seq)
            .one(&self.context.db)
            .await?;
        let mut status = ModelStatus {
            messages: messages.into_iter().map(to_proto).collect(),
            ..Default::default()
        };
        if let Some(newest) = newest {
            status.status = newest.status.name().to_owned();
            status.tips = newest.tips;
            status.current_time = newest.created_at;
            status.file_size = newest.file_size;
            status.format = newest.format;
            status.animation = newest.animation;
            status.model_num = newest.model_num;
            status.seq = newest.seq;
        }
        Ok(status)
    }
}

fn to_proto(message: check_message::Model) -> CheckMessage {
    CheckMessage {
        seq: message.seq,
        status: message.status.name().to_owned(),
        tips: message.tips,
        current_time: message.created_at,
        file_size: message.file_size,
        format: message.format,
        animation: message.animation,
        model_num: message.model_num,
    }
}
