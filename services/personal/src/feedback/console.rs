//! The console's calls.

use std::collections::HashMap;

use chassis::db::List;
use chassis::db::list::choice;
use chassis::{BusinessError, Operator, ServiceError};
use proto::personal::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect};
use serde_json::json;

use crate::Personal;
use crate::console::{Actor, summary};
use crate::entity::feedback::State;
use crate::entity::{feedback, feedback_reply};

/// Maximum number of answers shown.
const MOST_ANSWERS: u64 = 200;

/// Keys of the pictures and of the archive.
fn keys(row: &feedback::Model) -> (Vec<String>, Option<&str>) {
    let pictures = serde_json::from_str(&row.pictures).unwrap_or_default();
    let archive = Some(row.annex_key.as_str()).filter(|key| !key.is_empty());
    (pictures, archive)
}

fn item(row: &feedback::Model, nickname: String, answers: i64) -> FeedbackItem {
    let (pictures, archive) = keys(row);
    FeedbackItem {
        id: row.id.clone(),
        r#type: row.kind,
        state: row.state.name().to_owned(),
        login_id: row.login_id.clone(),
        nickname,
        summary: summary(&row.content),
        pictures: pictures.len() as i32,
        has_archive: archive.is_some(),
        answers: answers as i32,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}

fn files(row: &feedback::Model) -> Vec<FeedbackFileInfo> {
    let (pictures, archive) = keys(row);
    let named = |key: &String| key.rsplit('/').next().unwrap_or_default().to_owned();
    let mut files: Vec<FeedbackFileInfo> = (0..)
        .zip(&pictures)
        .map(|(number, key)| FeedbackFileInfo {
            number,
            name: named(key),
            is_picture: true,
        })
        .collect();
    if archive.is_some() {
        files.push(FeedbackFileInfo {
            number: files.len() as i32,
            name: row.annex_name.clone(),
            is_picture: false,
        });
    }
    files
}

impl FeedbackConsoleCalls<ServiceError> for Personal {
    async fn feedback_list(
        &self,
        _: &Operator,
        form: FeedbackListRequest,
    ) -> Result<FeedbackListReply, ServiceError> {
        use feedback::Column::{CreatedAt, Id, Kind, LoginId, State as In};
        let db = &self.context.db;
        let state = choice(&form.state, State::of, "状态不正确")?;
        let rows = List::of(feedback::Entity::find_any())
            .when(Kind, form.r#type)
            .when(In, state)
            .when(LoginId, &form.login_id)
            .between(CreatedAt, form.from, form.to);
        let rows = match state {
            Some(State::Open | State::Answered) => rows.oldest_first(CreatedAt, Id),
            _ => rows.newest_first(CreatedAt, Id),
        };
        let found = rows.following(&form, db).await?;
        let open = feedback::Entity::find_any().filter(In.eq(State::Open));
        Ok(FeedbackListReply {
            items: self.feedback_items(&found.rows).await?,
            next: found.next,
            open: open.count(db).await? as i64,
        })
    }

    async fn feedback_show(
        &self,
        operator: &Operator,
        form: FeedbackShowRequest,
    ) -> Result<FeedbackShowReply, ServiceError> {
        let id = form.id.as_str();
        let row = self.feedback_row(id).await?;
        let answers = feedback_reply::Entity::find()
            .filter(feedback_reply::Column::FeedbackId.eq(id))
            .order_by_asc(feedback_reply::Column::Id)
            .limit(MOST_ANSWERS)
            .all(&self.context.db)
            .await?;
        let items = self.feedback_items(std::slice::from_ref(&row)).await?;
        let whose = json!({"loginId": row.login_id});
        self.record_read(operator, id, whose).await?;
        let answers = answers.into_iter().map(|answer| FeedbackConsoleAnswer {
            operator: answer.operator,
            content: answer.content,
            created_at: answer.created_at,
        });
        Ok(FeedbackShowReply {
            item: items.into_iter().next(),
            files: files(&row),
            content: row.content,
            answers: answers.collect(),
        })
    }

    async fn feedback_file(
        &self,
        operator: &Operator,
        form: FeedbackFileRequest,
    ) -> Result<FilePart, ServiceError> {
        let missing = || BusinessError::not_found("没有这个文件");
        let row = self.feedback_row(&form.id).await?;
        let file = files(&row)
            .into_iter()
            .find(|file| file.number == form.number);
        let file = file.ok_or_else(missing)?;
        let (pictures, archive) = keys(&row);
        let key = match file.is_picture {
            true => pictures.get(form.number as usize).map(String::as_str),
            false => archive,
        };
        let key = key.ok_or_else(missing)?;
        let part = self.file_part(key, &file.name, form.offset).await?;
        let mut part = part.ok_or_else(missing)?;
        if !file.is_picture {
            // Whatever type it claims, browsers save it and never display it.
            part.content_type = "application/octet-stream".to_owned();
        }
        let what = json!({"loginId": row.login_id, "file": file.name, "offset": form.offset});
        self.record_read(operator, &form.id, what).await?;
        Ok(part)
    }

    async fn feedback_answer(
        &self,
        operator: &Operator,
        form: FeedbackAnswerRequest,
    ) -> Result<(), ServiceError> {
        let known = u64::try_from(form.known_answers).unwrap_or(0);
        let actor = Actor::Operator(operator);
        self.answer_feedback(&form.id, &form.content, Some(known), &actor)
            .await
    }

    async fn feedback_close(
        &self,
        operator: &Operator,
        form: FeedbackCloseRequest,
    ) -> Result<(), ServiceError> {
        let actor = Actor::Operator(operator);
        self.close_feedback(&form.id, &form.reason, &actor).await
    }
}

impl Personal {
    async fn feedback_items(
        &self,
        rows: &[feedback::Model],
    ) -> Result<Vec<FeedbackItem>, ServiceError> {
        let logins = rows.iter().map(|row| row.login_id.clone());
        let nicknames = self.nicknames(logins).await?;
        let answers: Vec<(String, i64)> = feedback_reply::Entity::find()
            .select_only()
            .column(feedback_reply::Column::FeedbackId)
            .column_as(feedback_reply::Column::Id.count(), "answers")
            .filter(feedback_reply::Column::FeedbackId.is_in(rows.iter().map(|row| &row.id)))
            .group_by(feedback_reply::Column::FeedbackId)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let answers: HashMap<String, i64> = answers.into_iter().collect();
        let items = rows.iter().map(|row| {
            let nickname = nicknames.get(&row.login_id).cloned();
            let answers = answers.get(&row.id).copied();
            item(row, nickname.unwrap_or_default(), answers.unwrap_or(0))
        });
        Ok(items.collect())
    }

    async fn feedback_row(&self, id: &str) -> Result<feedback::Model, ServiceError> {
        let row = feedback::Entity::find_any_by_id(id)
            .one(&self.context.db)
            .await?;
        Ok(row.ok_or_else(|| BusinessError::not_found("没有这条反馈"))?)
    }
}
