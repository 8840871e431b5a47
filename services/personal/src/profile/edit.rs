//! Edits the caller's public appearance. Content that the scans refuse is replaced, and the reply says so.

use std::time::Duration;

use chassis::db::begin_write;
use chassis::{BusinessError, ServiceError};
use contentscan::{is_visible, visible};
use proto::code;
use proto::personal::v1::{
    KeptUserInfo, ModifyUserInfoRequest, ProfileChanged, ProfileRenewed, ReplacedField,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{DatabaseTransaction, QuerySelect, Set, SqlErr};

use super::nicknames;
use crate::Personal;
use crate::entity::profile;
use crate::pictures::{AVATAR_MB, AWAITING, sweep};

/// Names of the fields in the review queue.
pub(super) const NICKNAME: &str = "nickname";
const INTRODUCE: &str = "introduce";
pub(super) const NICKNAME_MAX: usize = 16;
const INTRODUCE_MAX: usize = 200;
/// How the name begins that auth gives a new account; its account number follows.
const GIVEN: &str = "xl_";
/// A registration is here within a fraction of these times this.
const REGISTERING_TRIES: u32 = 30;
const REGISTERING: Duration = Duration::from_millis(100);

fn username(text: &str) -> Result<&str, BusinessError> {
    let fits = (4..=20).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match fits {
        true => Ok(text),
        false => Err(BusinessError::invalid(
            "用户名为 4~20 位字母、数字或下划线，以字母开头",
        )),
    }
}

fn taken() -> ServiceError {
    BusinessError::new(code::CONFLICT, "该用户名已被使用，请换一个").into()
}

/// The message if the error is a refusal with code `wanted`.
fn refused_with(outcome: &ServiceError, wanted: i32) -> Option<String> {
    match outcome {
        ServiceError::Business(error) if error.code == wanted => Some(error.message.clone()),
        _ => None,
    }
}

impl Personal {
    /// Stores the fields that are set; returns the resulting appearance and what was replaced.
    pub(super) async fn modify(
        &self,
        login_id: &str,
        request: &ModifyUserInfoRequest,
    ) -> Result<KeptUserInfo, ServiceError> {
        self.expect_profile(login_id).await?;
        let mut change = <profile::ActiveModel as Default>::default();
        let mut tips = Vec::new();
        if let Some(text) = &request.username {
            let text = username(text)?;
            self.scan_text(text).await?;
            self.refuse_foreign(login_id, text).await?;
            change.username = Set(text.to_owned());
            change.username_key = Set(Some(text.to_ascii_lowercase()));
        }
        if let Some(text) = &request.introduce {
            let text = visible(text, true);
            let text = self.accept_text(login_id, INTRODUCE, &text).await?;
            let text: String = text.chars().take(INTRODUCE_MAX).collect();
            change.introduce = Set(Some(text).filter(|text| !text.is_empty()));
        }
        if let Some(text) = &request.nickname {
            change.nickname = Set(Some(self.nickname(login_id, text, &mut tips).await?));
        }
        if let Some(picture) = &request.avatar {
            let now = self.profile(login_id).await?.avatar;
            // Forms send back unchanged values.
            if now.as_deref() != Some(picture.as_str()) {
                change.avatar = Set(self.avatar(login_id, picture, now, &mut tips).await?);
            }
        }
        let kept = self.keep(login_id, change).await?;
        Ok(KeptUserInfo {
            avatar: kept.avatar,
            nickname: kept.nickname,
            introduce: kept.introduce,
            username: Some(kept.username).filter(|name| !name.is_empty()),
            tips,
        })
    }

    /// Errors: the name is the one that another account was given at its registration.
    async fn refuse_foreign(&self, login_id: &str, username: &str) -> Result<(), ServiceError> {
        let lower = username.to_ascii_lowercase();
        let Some(number) = lower.strip_prefix(GIVEN) else {
            return Ok(());
        };
        if !number.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(());
        }
        match self.profile(login_id).await?.account_number == number {
            true => Ok(()),
            false => Err(taken()),
        }
    }

    /// Waits a little for the event of a registration that was a moment ago.
    async fn expect_profile(&self, login_id: &str) -> Result<(), ServiceError> {
        for _ in 0..REGISTERING_TRIES {
            let known = profile::Entity::find_by_id(login_id);
            if known.one(&self.context.db).await?.is_some() {
                break;
            }
            tokio::time::sleep(REGISTERING).await;
        }
        Ok(())
    }

    async fn nickname(
        &self,
        login_id: &str,
        text: &str,
        tips: &mut Vec<ReplacedField>,
    ) -> Result<String, ServiceError> {
        // Before the scan: they would separate or turn around the letters of a word.
        let is_none = text.is_empty();
        let text = visible(text, false);
        if !is_none && !is_visible(&text) {
            return Err(BusinessError::invalid("昵称不能只有空格和看不见的字符").into());
        }
        let error = match self.accept_text(login_id, NICKNAME, &text).await {
            // A replacement may be longer than the replaced word.
            Ok(text) => return Ok(text.chars().take(NICKNAME_MAX).collect()),
            Err(error) => error,
        };
        let Some(reason) = refused_with(&error, code::TEXT_REFUSED) else {
            return Err(error);
        };
        let preset = nicknames::any();
        tips.push(ReplacedField {
            field: "nickname".to_owned(),
            code: code::TEXT_REFUSED,
            message: format!("昵称{reason}，已为您换成「{preset}」"),
        });
        Ok(preset.to_owned())
    }

    /// The public address of the avatar; none means the default one. `now`: the current avatar, which stays while the new one waits
    /// for a reviewer.
    async fn avatar(
        &self,
        login_id: &str,
        picture: &str,
        now: Option<String>,
        tips: &mut Vec<ReplacedField>,
    ) -> Result<Option<String>, ServiceError> {
        if picture.is_empty() {
            return Ok(None);
        }
        match self.check_picture(login_id, picture, AVATAR_MB).await {
            Ok(checked) => Ok(Some(self.publish_avatar(&checked).await?)),
            Err(error) => match refused_with(&error, code::IMAGE_REFUSED) {
                Some(message) => {
                    let waits = message == AWAITING;
                    tips.push(ReplacedField {
                        field: "avatar".to_owned(),
                        code: code::IMAGE_REFUSED,
                        message,
                    });
                    Ok(now.filter(|_| waits))
                }
                None => Err(error),
            },
        }
    }

    /// Writes the change, publishes the new appearance, and notifies the user's other tabs.
    async fn keep(
        &self,
        login_id: &str,
        change: profile::ActiveModel,
    ) -> Result<profile::Model, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let kept = self.write_profile(login_id, change, &transaction).await?;
        // The registration event has not arrived yet.
        let kept = kept.ok_or(ServiceError::Unavailable("profile"))?;
        transaction.commit().await?;
        self.outbox.wake();
        self.push_profile(login_id);
        Ok(kept)
    }

    /// Notifies the user's pages to reload the profile.
    pub(crate) fn push_profile(&self, login_id: &str) {
        self.context.bus.push(login_id, &ProfileRenewed {});
    }

    /// Keeps the new picture, and lists the previous one for removal.
    async fn exchange(
        &self,
        before: Option<&str>,
        after: Option<&str>,
        transaction: &DatabaseTransaction,
    ) -> Result<(), ServiceError> {
        if before == after {
            return Ok(());
        }
        if let Some(key) = after.and_then(sweep::public_key_in)
            && !sweep::keep(transaction, key).await?
        {
            // It was swept one day after it was stored.
            return Err(BusinessError::invalid("图片已过期，请重新上传").into());
        }
        if let Some(key) = before.and_then(sweep::public_key_in) {
            let at = self.context.clock.now_ms() + sweep::REPLACED_MS;
            sweep::due(transaction, key, at).await?;
        }
        Ok(())
    }

    /// Takes down a text that a reviewer refused, if it is still shown: a preset nickname, an empty introduction.
    pub(crate) async fn take_down(
        &self,
        login_id: &str,
        place: &str,
        content: &str,
        transaction: &DatabaseTransaction,
    ) -> Result<bool, ServiceError> {
        let now = profile::Entity::find_by_id(login_id)
            .one(transaction)
            .await?;
        let Some(now) = now else { return Ok(false) };
        let mut change = <profile::ActiveModel as Default>::default();
        let (shown, most) = match place {
            NICKNAME => {
                change.nickname = Set(Some(nicknames::any().to_owned()));
                (now.nickname, NICKNAME_MAX)
            }
            INTRODUCE => {
                change.introduce = Set(None);
                (now.introduce, INTRODUCE_MAX)
            }
            _ => return Ok(false),
        };
        let refused: String = content.chars().take(most).collect();
        if shown.is_none_or(|shown| shown != refused) {
            return Ok(false);
        }
        let kept = self.write_profile(login_id, change, transaction).await?;
        Ok(kept.is_some())
    }

    /// Writes a change and publishes the new appearance.
    pub(super) async fn write_profile(
        &self,
        login_id: &str,
        change: profile::ActiveModel,
        transaction: &DatabaseTransaction,
    ) -> Result<Option<profile::Model>, ServiceError> {
        let before = profile::Entity::find_by_id(login_id)
            .lock_exclusive()
            .one(transaction)
            .await?;
        profile::Entity::update_many()
            .set(change)
            .col_expr(
                profile::Column::Version,
                Expr::col(profile::Column::Version).add(1),
            )
            .filter(profile::Column::LoginId.eq(login_id))
            .exec(transaction)
            .await
            .map_err(|error| match error.sql_err() {
                // The only one that can change.
                Some(SqlErr::UniqueConstraintViolation(_)) => taken(),
                _ => error.into(),
            })?;
        let kept = profile::Entity::find_by_id(login_id)
            .one(transaction)
            .await?;
        let Some(kept) = kept else { return Ok(None) };
        let before = before.and_then(|before| before.avatar);
        self.exchange(before.as_deref(), kept.avatar.as_deref(), transaction)
            .await?;
        let event = ProfileChanged {
            login_id: login_id.to_owned(),
            version: kept.version,
            avatar: kept.avatar.clone(),
            nickname: kept.nickname.clone(),
            username: kept.username.clone(),
        };
        self.outbox.add(transaction, login_id, &event).await?;
        Ok(Some(kept))
    }
}
