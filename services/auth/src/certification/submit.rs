//! Submitting a certification, and withdrawing it.
//!
//! A record is prepared first, then its pictures are stored, then it is submitted: a crash in between leaves an invisible record,
//! which the sweeper deletes with its pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chassis::db::states::Transition;
use chassis::db::{self, begin_write};
use chassis::{BusinessError, ServiceError, ids};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use super::form::Form;
use super::standing::{self, Records};
use super::vault::RecordKey;
use super::{Certifications, DETAILS, pictures};
use crate::entity::certification::{self, Kind, Model, State};
use crate::entity::certified_number;

const DAY_MS: i64 = 24 * 3_600_000;

fn conflict<T>(message: impl Into<String>) -> Result<T, ServiceError> {
    Err(BusinessError::new(code::CONFLICT, message).into())
}

impl Certifications {
    /// Submits the form; returns the record's state.
    pub async fn submit(&self, login_id: &str, form: Form) -> Result<i32, ServiceError> {
        let kind = form.details.kind();
        // Before costly work; checked again in the transaction.
        self.may_ask(&Records::of(&self.context.db, login_id).await?, kind)?;
        let drawn = match self.drawn(login_id, &form).await {
            Ok(drawn) => drawn,
            Err(error) => {
                // A concurrent submission of the same form may have been first, and its uploads are gone.
                self.may_ask(&Records::of(&self.context.db, login_id).await?, kind)?;
                return Err(error);
            }
        };
        let (record, key) = self.prepare(login_id, &form).await?;
        self.context.fail.at("auth.certification.prepared")?;
        let asked = self.keep_and_submit(&record, &key, &drawn).await;
        if let Err(ServiceError::Business(_)) = &asked {
            // A concurrent submission was first, or the number's limit is reached: nothing of this one stays.
            self.discard(login_id, &record.id).await?;
        }
        asked?;
        self.forget_uploads(login_id, &form).await;
        Ok(standing::UNDER_REVIEW)
    }

    async fn keep_and_submit(
        &self,
        record: &Model,
        key: &RecordKey,
        drawn: &[(&'static str, Vec<u8>)],
    ) -> Result<(), ServiceError> {
        for (part, picture) in drawn {
            pictures::keep(&*self.context.objects, key, &record.id, part, picture).await?;
        }
        self.context.fail.at("auth.certification.kept")?;
        let transaction = begin_write(&self.context.db).await?;
        let version = standing::hold(&transaction, &record.login_id).await?;
        let records = Records::of(&transaction, &record.login_id).await?;
        self.may_ask(&records, record.kind)?;
        self.number_is_free(&transaction, record).await?;
        let moved = Transition::to(State::Submitted)
            .set(certification::ActiveModel {
                submitted_at: Set(self.now_ms()),
                ..Default::default()
            })
            .only(certification::Column::Id.eq(&record.id))
            .only(certification::Column::PicturesDue.is_null())
            .apply(&transaction)
            .await?;
        if !moved {
            transaction.rollback().await?;
            // The sweeper considered it abandoned: pictures stored since then belong to no record.
            pictures::remove(&*self.context.objects, &record.id).await?;
            return Err(ServiceError::Unavailable("certification"));
        }
        self.publish(&transaction, &record.login_id, version)
            .await?;
        self.context.fail.at("auth.certification.submitting")?;
        transaction.commit().await?;
        self.outbox.wake();
        self.context.fail.at("auth.certification.submitted")?;
        Ok(())
    }

    /// Whether the account may submit this kind now.
    fn may_ask(&self, records: &Records, kind: Kind) -> Result<(), ServiceError> {
        if records.under_review(kind) {
            return conflict("您的认证正在审核中，请耐心等待");
        }
        if records.approved(kind).is_some() {
            return conflict("您已通过该认证，无需重复提交");
        }
        if kind == Kind::Personal && records.approved(Kind::Enterprise).is_some() {
            return conflict("您已通过企业认证，无需再进行个人认证");
        }
        if kind == Kind::Developer && !records.is_verified() {
            return conflict("请先完成实名认证");
        }
        if self.tries_left(records) == 0 {
            let message = "今日提交次数已达上限，请明天再试";
            return Err(BusinessError::new(code::QUOTA, message).into());
        }
        Ok(())
    }

    /// How often the account may still submit within a day.
    pub(super) fn tries_left(&self, records: &Records) -> i32 {
        let used = records.asked_since(self.now_ms() - DAY_MS);
        let left = self.config.tries_day.saturating_sub(used);
        i32::try_from(left).unwrap_or(i32::MAX)
    }

    /// The pictures of the form as they will be stored.
    async fn drawn(
        &self,
        login_id: &str,
        form: &Form,
    ) -> Result<Vec<(&'static str, Vec<u8>)>, ServiceError> {
        let store = &*self.context.objects;
        let mut drawn = Vec::new();
        for (part, named) in &form.pictures {
            let key = pictures::own_key(store, login_id, named)?;
            let bytes = pictures::read(store, &key).await?;
            let turn = self.drawing.clone().acquire_owned().await;
            let turn = turn.map_err(anyhow::Error::from)?;
            // Drawing continues after its caller has gone, and keeps its turn.
            let redrawn = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                pictures::redrawn(&bytes)
            })
            .await;
            drawn.push((*part, redrawn.map_err(anyhow::Error::from)??));
        }
        Ok(drawn)
    }

    async fn prepare(
        &self,
        login_id: &str,
        form: &Form,
    ) -> Result<(Model, RecordKey), ServiceError> {
        let id = ids::new_id();
        let (wrapped, key) = self.vault.new_record(login_id, &id)?;
        let plain = serde_json::to_vec(&form.details).map_err(anyhow::Error::from)?;
        let kind = form.details.kind();
        let index = form
            .details
            .number()
            .map(|number| self.vault.index_of(kind.name(), number));
        let record = Model {
            details: STANDARD_NO_PAD.encode(key.seal(DETAILS, &plain)?),
            id,
            login_id: login_id.to_owned(),
            kind,
            state: State::Preparing,
            key_id: wrapped.key_id,
            wrapped_key: wrapped.wrapped_key,
            number_index: index.transpose()?.unwrap_or_default(),
            name_shown: form.details.name_shown(),
            number_shown: form.details.number_shown(),
            cause: String::new(),
            claimed_by: String::new(),
            claimed_until: 0,
            decided_by: String::new(),
            created_at: self.now_ms(),
            submitted_at: 0,
            decided_at: None,
            pictures_due: None,
        };
        db::insert(record.clone(), &self.context.db).await?;
        Ok((record, key))
    }

    /// A number is certified for a few accounts at most. Its row is locked while they are counted.
    pub(super) async fn number_is_free(
        &self,
        transaction: &DatabaseTransaction,
        record: &Model,
    ) -> Result<(), ServiceError> {
        if record.number_index.is_empty() {
            return Ok(());
        }
        let held = certified_number::Model {
            number_index: record.number_index.clone(),
            seen_at: self.now_ms(),
        };
        db::upsert(held, [certified_number::Column::SeenAt], transaction).await?;
        let others = certification::Entity::find_any()
            .filter(certification::Column::NumberIndex.eq(&record.number_index))
            .filter(certification::Column::State.is_in([State::Submitted, State::Approved]))
            .filter(certification::Column::LoginId.ne(&record.login_id))
            .count(transaction)
            .await?;
        if others >= self.config.accounts_per_number {
            let most = self.config.accounts_per_number;
            let what = match record.kind {
                Kind::Enterprise => "统一社会信用代码",
                Kind::Personal | Kind::Developer => "身份证号",
            };
            return conflict(format!("该{what}最多可认证{most}个账号，请使用其他证件"));
        }
        Ok(())
    }

    /// Deletes the caller's uploads, copies of documents that are no longer needed. Best effort: one that stays is removed with
    /// other unclaimed uploads.
    async fn forget_uploads(&self, login_id: &str, form: &Form) {
        let store = &*self.context.objects;
        for (_, named) in &form.pictures {
            let Ok(key) = pictures::own_key(store, login_id, named) else {
                continue;
            };
            if let Err(error) = store.delete(&key).await {
                tracing::warn!(%error, "an upload that was taken over stays");
            }
        }
    }

    /// Withdraws a record under review; returns the account's state.
    pub async fn withdraw(&self, login_id: &str, id: &str) -> Result<i32, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let version = standing::hold(&transaction, login_id).await?;
        let now_ms = self.now_ms();
        let moved = Transition::to(State::Withdrawn)
            .set(certification::ActiveModel {
                decided_at: Set(Some(now_ms)),
                pictures_due: Set(Some(now_ms)),
                ..Default::default()
            })
            .only(certification::Column::Id.eq(id))
            .only(certification::Column::LoginId.eq(login_id))
            .apply(&transaction)
            .await?;
        let records = Records::of(&transaction, login_id).await?;
        if !moved {
            return match records.has(id) {
                true => conflict("该认证已有审核结果，无法撤回"),
                false => Err(BusinessError::not_found("认证记录不存在").into()),
            };
        }
        self.publish(&transaction, login_id, version).await?;
        transaction.commit().await?;
        self.outbox.wake();
        // Best effort: the sweeper retries.
        if let Err(error) = self.remove_pictures(login_id, id).await {
            tracing::warn!(%error, "pictures of a withdrawn certification stay for the next round");
        }
        Ok(records.check_status().0)
    }
}
