//! What an operator does to his own account: password, recovery codes, authenticator app, sessions. Each change of a way in ends
//! his other sessions.

use std::time::Duration;

use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::{Operator, ServiceError};
use proto::auth::v1::{OperatorAppReply, OperatorSession};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use serde_json::{Value, json};

use super::entity::operator::{ActiveModel, Column, Entity};
use super::entity::session;
use super::sign_in::{TOO_MANY, wrong};
use super::totp::Sealed;
use super::{Operators, conflict, enrol, invalid};

/// How long the secret for another app is kept.
const APP_LIFE: Duration = Duration::from_secs(15 * 60);

impl Operators {
    pub(super) async fn change_password(
        &self,
        caller: &Operator,
        current: &str,
        new: &str,
    ) -> Result<(), ServiceError> {
        let operator = self.by_id(&self.context.db, caller.id()).await?;
        enrol::password(new, &operator.name)?;
        let tries = self.tries(format!("password:{}", caller.session_id()));
        if !tries.one_more().await? {
            return wrong(code::WRONG_PASSWORD, TOO_MANY);
        }
        let current: String = current.chars().take(65).collect();
        let hash = &operator.password_hash;
        if !self.passwords.verify(&current, hash).await? {
            return wrong(code::WRONG_PASSWORD, "当前密码不正确");
        }
        if current == new {
            return invalid("新密码不能与当前密码相同");
        }
        let password_hash = self.passwords.hash(new).await?;
        let transaction = begin_write(&self.context.db).await?;
        let changed = Entity::update_many()
            .set(ActiveModel {
                password_hash: Set(password_hash),
                ..Default::default()
            })
            .filter(Column::Id.eq(&operator.id))
            .filter(Column::PasswordHash.eq(hash))
            .exec(&transaction)
            .await?;
        if changed.rows_affected != 1 {
            return conflict("密码刚刚被修改过，请重试");
        }
        self.secured(transaction, caller).await?;
        tries.forget().await
    }

    pub(super) async fn renew_recovery_codes(
        &self,
        caller: &Operator,
    ) -> Result<Vec<String>, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let codes = self.new_recovery_codes(&transaction, caller.id()).await?;
        self.secured(transaction, caller).await?;
        Ok(codes)
    }

    pub(super) async fn own_sessions(
        &self,
        caller: &Operator,
    ) -> Result<Vec<OperatorSession>, ServiceError> {
        let shown = |row: session::Model| OperatorSession {
            current: row.id == caller.session_id(),
            id: row.id,
            remote_addr: row.remote_addr,
            created_at: row.created_at,
            last_seen_at: row.last_seen_at,
            expires_at: row.expires_at,
        };
        let open = self.open_sessions(caller.id()).await?;
        let mut sessions: Vec<_> = open.into_iter().map(shown).collect();
        sessions.sort_by_key(|session| !session.current);
        Ok(sessions)
    }

    /// Ends another session of the caller, or all others if `id` is empty.
    pub(super) async fn end_own_session(
        &self,
        caller: &Operator,
        id: &str,
    ) -> Result<(), ServiceError> {
        if id == caller.session_id() {
            return invalid("当前会话请用退出登录结束");
        }
        let transaction = begin_write(&self.context.db).await?;
        let ended = match id {
            "" => self.close_others(&transaction, caller).await?,
            id => {
                let one = session::Entity::delete_by_id(id)
                    .filter(session::Column::OperatorId.eq(caller.id()))
                    .exec(&transaction);
                one.await?.rows_affected
            }
        };
        match (ended, id) {
            (0, "") => conflict("没有其他会话"),
            (0, _) => conflict("该会话已结束"),
            _ => {
                let deed = own_deed(caller, json!({"endedSessions": ended}));
                self.done(transaction, caller, deed).await
            }
        }
    }

    /// The secret for another app; it replaces one begun before in this session.
    pub(super) async fn begin_app(
        &self,
        caller: &Operator,
    ) -> Result<OperatorAppReply, ServiceError> {
        let operator = self.by_id(&self.context.db, caller.id()).await?;
        let sealed = self.new_secret(&operator.id)?;
        let totp = self.totp_with(&operator, &sealed)?;
        let kept = serde_json::to_vec(&sealed).map_err(anyhow::Error::from)?;
        let begun = self.context.cache.scoped(BEGUN);
        begun.put(caller.session_id(), &kept, APP_LIFE).await?;
        let uri = totp.to_url();
        Ok(OperatorAppReply {
            secret: totp.secret().to_base32(),
            uri: uri.map_err(|error| anyhow::anyhow!("otpauth address: {error}"))?,
            expires_at: self.now_ms() + APP_LIFE.as_millis() as i64,
        })
    }

    /// Replaces the app by the one begun, which shows the code.
    pub(super) async fn finish_app(
        &self,
        caller: &Operator,
        given: &str,
    ) -> Result<(), ServiceError> {
        let tries = self.tries(format!("app:{}", caller.session_id()));
        if !tries.one_more().await? {
            return wrong(code::WRONG_CODE, TOO_MANY);
        }
        let begun = self.context.cache.scoped(BEGUN);
        let Some(kept) = begun.get(caller.session_id()).await? else {
            return conflict("新验证器的密钥已失效，请重新开始");
        };
        let sealed: Sealed = serde_json::from_slice(&kept).map_err(anyhow::Error::from)?;
        let operator = self.by_id(&self.context.db, caller.id()).await?;
        let seconds = (self.now_ms() / 1000) as u64;
        let Some(step) = self.totp_with(&operator, &sealed)?.check(given, seconds) else {
            return wrong(
                code::WRONG_CODE,
                "动态口令不正确，请输入新验证器显示的 6 位数字",
            );
        };
        let transaction = begin_write(&self.context.db).await?;
        let replaced = Entity::update_many()
            .set(ActiveModel {
                key_id: Set(sealed.key.key_id),
                wrapped_key: Set(sealed.key.wrapped_key),
                secret: Set(sealed.secret),
                last_step: Set(i64::try_from(step).unwrap_or(i64::MAX)),
                ..Default::default()
            })
            .filter(Column::Id.eq(&operator.id))
            .filter(Column::Secret.eq(&operator.secret))
            .exec(&transaction)
            .await?;
        if replaced.rows_affected != 1 {
            return conflict("验证器刚刚被更换过，请重新开始");
        }
        self.secured(transaction, caller).await?;
        begun.remove(caller.session_id()).await?;
        tries.forget().await
    }

    /// Commits a change of a way into the caller's account: his other sessions end.
    async fn secured(
        &self,
        transaction: DatabaseTransaction,
        caller: &Operator,
    ) -> Result<(), ServiceError> {
        let ended = self.close_others(&transaction, caller).await?;
        let deed = own_deed(caller, json!({"endedSessions": ended}));
        self.done(transaction, caller, deed).await
    }
}

/// Scope of the cache for secrets of apps that were begun, encrypted, by session.
const BEGUN: &str = "auth:operator-app";

fn own_deed(caller: &Operator, after: Value) -> Deed<'_> {
    Deed {
        target: caller.id(),
        after,
        ..Deed::default()
    }
}
