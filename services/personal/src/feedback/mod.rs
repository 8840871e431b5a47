//! Problems and suggestions: accepted with pictures and an archive, answered by operators.

pub(crate) mod annex;
mod answer;
mod console;

use std::time::Duration;

use bytes::Bytes;
use chassis::db::{self, List};
use chassis::ids::new_id;
use chassis::{BusinessError, Grantee, ServiceError, SignedIn, grantee};
use proto::code;
use proto::personal::v1::{
    Feedback, FeedbackCalls, FeedbackForm, FeedbackPage, FeedbackReply, MyFeedbackRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, Order, QueryOrder};

use self::annex::Annex;
use crate::Personal;
use crate::entity::feedback::State;
use crate::entity::{feedback, feedback_reply, profile};

const MAX_PICTURES: usize = 5;
const PICTURE_MB: u64 = 2;
/// Daily limit per user.
const MOST_A_DAY: u64 = 20;
const DAY_MS: i64 = 24 * 3_600_000;
/// Life of the signed addresses in a reply.
const LINK_LIFE: Duration = Duration::from_secs(3600);

fn away(error: objectstore::StoreError) -> ServiceError {
    tracing::warn!(%error, "what belongs to feedback could not be read or kept");
    ServiceError::Unavailable("object store")
}

fn parts(joined: &str) -> Vec<&str> {
    let parts = joined.split(',').map(str::trim);
    parts.filter(|part| !part.is_empty()).collect()
}

impl FeedbackCalls<ServiceError> for Personal {
    async fn submit_feedback(
        &self,
        caller: &SignedIn,
        form: FeedbackForm,
    ) -> Result<(), ServiceError> {
        let owner = caller.login_id();
        let kind = form.feedback_type.unwrap_or_default();
        let content = &form.feedback_content;
        let pictures = parts(&form.feedback_picture_url);
        if pictures.len() > MAX_PICTURES {
            return Err(BusinessError::invalid("最多上传5张图片").into());
        }
        let annexes = parts(&form.feedback_annex_url);
        if annexes.len() > 1 {
            return Err(BusinessError::invalid("附件只能上传一个").into());
        }
        // Checked before the costly work; checked again under the lock.
        self.check_daily(&self.context.db, owner).await?;
        let id = new_id();
        let kept = async {
            let mut keys = Vec::new();
            for (number, address) in pictures.iter().enumerate() {
                keys.push(self.keep_picture(owner, &id, number, address).await?);
            }
            let annex = match annexes.first() {
                Some(address) => self.keep_annex(owner, &id, address).await?,
                None => Annex::default(),
            };
            self.keep_feedback(owner, &id, kind, content, &keys, annex)
                .await
        };
        if let Err(error) = kept.await {
            // No row refers to the objects stored so far.
            let put = format!("f/{id}/");
            self.context
                .objects
                .delete_prefix(&put)
                .await
                .map_err(away)?;
            return Err(error);
        }
        Ok(())
    }

    async fn my_feedback(
        &self,
        caller: &SignedIn,
        request: MyFeedbackRequest,
    ) -> Result<FeedbackPage, ServiceError> {
        let page = List::<feedback::Entity>::own(caller.login_id())
            .order_by(feedback::Column::Id, Order::Desc)
            .page(&request, &self.context.db)
            .await?;
        let ids: Vec<String> = page.rows.iter().map(|row| row.id.clone()).collect();
        let replies = feedback_reply::Entity::find()
            .filter(feedback_reply::Column::FeedbackId.is_in(ids))
            .order_by_asc(feedback_reply::Column::Id)
            .all(&self.context.db)
            .await?;
        let mut results = Vec::with_capacity(page.rows.len());
        for row in page.rows {
            let of_row = replies.iter().filter(|reply| reply.feedback_id == row.id);
            let of_row = of_row.map(|reply| FeedbackReply {
                content: reply.content.clone(),
                create_time: reply.created_at,
            });
            let of_row = of_row.collect();
            results.push(self.shown(&grantee(caller), row, of_row)?);
        }
        Ok(FeedbackPage {
            total_count: page.total_count,
            results,
        })
    }
}

impl Personal {
    async fn keep_feedback(
        &self,
        owner: &str,
        id: &str,
        kind: i32,
        content: &str,
        pictures: &[String],
        annex: Annex,
    ) -> Result<(), ServiceError> {
        let now = self.context.clock.now_ms();
        let row = feedback::Model {
            id: id.to_owned(),
            login_id: owner.to_owned(),
            kind,
            content: content.to_owned(),
            pictures: serde_json::to_string(pictures).map_err(anyhow::Error::from)?,
            annex_key: annex.key,
            annex_name: annex.name,
            state: State::Open,
            created_at: now,
            updated_at: now,
        };
        let transaction = db::begin_write(&self.context.db).await?;
        // Locks the profile's row, so that concurrent feedback of one user is counted one after the other.
        profile::Entity::update_many()
            .col_expr(
                profile::Column::LoginId,
                Expr::col(profile::Column::LoginId),
            )
            .filter(profile::Column::LoginId.eq(owner))
            .exec(&transaction)
            .await?;
        self.check_daily(&transaction, owner).await?;
        db::insert(row, &transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn check_daily(
        &self,
        connection: &impl ConnectionTrait,
        owner: &str,
    ) -> Result<(), ServiceError> {
        let since = self.context.clock.now_ms() - DAY_MS;
        let count = feedback::Entity::find_own(owner)
            .filter(feedback::Column::CreatedAt.gt(since))
            .count(connection)
            .await?;
        match count < MOST_A_DAY {
            true => Ok(()),
            false => {
                Err(BusinessError::new(code::QUOTA, "今天提交的反馈已达上限，请明天再试").into())
            }
        }
    }

    /// Shown to operators and the author only, so undecided pictures are accepted.
    async fn keep_picture(
        &self,
        owner: &str,
        id: &str,
        number: usize,
        address: &str,
    ) -> Result<String, ServiceError> {
        let checked = self.judge_picture(owner, address, PICTURE_MB).await?;
        let key = format!("f/{id}/{number}.{}", checked.clean.extension());
        let content_type = checked.clean.content_type;
        let bytes = Bytes::copy_from_slice(&checked.clean.bytes);
        let put = self
            .context
            .objects
            .put_bytes(&key, bytes, content_type)
            .await;
        put.map_err(away)?;
        Ok(key)
    }

    fn shown(
        &self,
        to: &Grantee<'_>,
        row: feedback::Model,
        replies: Vec<FeedbackReply>,
    ) -> Result<Feedback, ServiceError> {
        let objects = &self.context.objects;
        let keys: Vec<String> = serde_json::from_str(&row.pictures).map_err(anyhow::Error::from)?;
        let signed = |key: &String| objects.presign_get_for(to, key, LINK_LIFE, None, None);
        let pictures: Result<Vec<String>, _> = keys.iter().map(signed).collect();
        let annex_url = match row.annex_key.as_str() {
            "" => String::new(),
            key => annex::download(objects.as_ref(), to, key, &row.annex_name).map_err(away)?,
        };
        Ok(Feedback {
            id: row.id,
            feedback_type: row.kind,
            feedback_content: row.content,
            pictures: pictures.map_err(away)?,
            annex_name: row.annex_name,
            annex_url,
            state: row.state.name().to_owned(),
            create_time: row.created_at,
            replies,
        })
    }
}
