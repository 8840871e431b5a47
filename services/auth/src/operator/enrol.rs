//! Enrolment: a one-time link, then password and authenticator app of the operator's own.

use chassis::audit::{Author, Deed};
use chassis::db::begin_write;
use chassis::{BusinessError, Origin, ServiceError};
use proto::auth::v1::{OperatorEnrolRequest, OperatorEnrolmentReply};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ActiveValue, ConnectionTrait, Set};
use serde_json::json;

use super::entity::operator::{ActiveModel, Column, Entity, Model, State};
use super::sign_in::TOO_MANY;
use super::{Operators, conflict, invalid, once, written};
use crate::{rules, secret};

const LINK_MS: i64 = 24 * 3_600_000;
const VOID: &str = "注册链接已失效，请联系管理员重新生成";

/// A new link; the token is returned only here.
pub struct Link {
    pub operator_id: String,
    pub token: String,
    pub expires_at: i64,
}

impl Operators {
    /// Adds an operator, who enrols by the link.
    ///
    /// Errors: the name is taken.
    pub(super) async fn invite(
        &self,
        transaction: &impl ConnectionTrait,
        name: &str,
        roles: &[String],
    ) -> Result<Link, ServiceError> {
        let taken = Entity::find().filter(Column::Name.eq(name));
        if taken.count(transaction).await? > 0 {
            return conflict("已有同名的运营账号");
        }
        let id = chassis::ids::new_id();
        let (link, change) = self.link(&id)?;
        let row = ActiveModel {
            id: Set(id),
            name: Set(name.to_owned()),
            roles: Set(written(&once(roles))),
            created_at: Set(self.now_ms()),
            signed_in_at: Set(0),
            ..change
        };
        Entity::insert(row)
            .exec_without_returning(transaction)
            .await?;
        Ok(link)
    }

    /// A new link for an operator, whose credentials are deleted.
    pub(super) async fn invite_again(
        &self,
        transaction: &impl ConnectionTrait,
        operator: &Model,
    ) -> Result<Link, ServiceError> {
        let (link, change) = self.link(&operator.id)?;
        Entity::update_many()
            .set(change)
            .filter(Column::Id.eq(&operator.id))
            .exec(transaction)
            .await?;
        self.forget_recovery_codes(transaction, &operator.id)
            .await?;
        self.close_sessions(transaction, &operator.id).await?;
        Ok(link)
    }

    fn link(&self, operator_id: &str) -> Result<(Link, ActiveModel), ServiceError> {
        let sealed = self.new_secret(operator_id)?;
        let link = Link {
            operator_id: operator_id.to_owned(),
            token: secret::token(),
            expires_at: self.now_ms() + LINK_MS,
        };
        let change = ActiveModel {
            state: Set(State::Invited),
            password_hash: Set(String::new()),
            key_id: Set(sealed.key.key_id),
            wrapped_key: Set(sealed.key.wrapped_key),
            secret: Set(sealed.secret),
            last_step: Set(0),
            failures: Set(0),
            failed_at: Set(0),
            link_hash: Set(Some(secret::sha256(&link.token))),
            link_expires_at: Set(link.expires_at),
            ..Default::default()
        };
        Ok((link, change))
    }

    async fn invited(&self, link: &str) -> Result<Model, ServiceError> {
        let found = Entity::find()
            .filter(Column::LinkHash.eq(secret::sha256(link)))
            .filter(Column::LinkExpiresAt.gt(self.now_ms()))
            .filter(Column::State.eq(State::Invited))
            .one(&self.context.db)
            .await?;
        found.ok_or_else(|| BusinessError::new(code::CONFLICT, VOID).into())
    }

    pub(super) async fn enrolment(
        &self,
        link: &str,
    ) -> Result<OperatorEnrolmentReply, ServiceError> {
        let operator = self.invited(link).await?;
        let totp = self.totp_of(&operator)?;
        let uri = totp.to_url();
        Ok(OperatorEnrolmentReply {
            name: operator.name,
            secret: totp.secret().to_base32(),
            uri: uri.map_err(|error| anyhow::anyhow!("otpauth address: {error}"))?,
            expires_at: operator.link_expires_at,
        })
    }

    /// Verifies password and first code; returns the recovery codes.
    pub(super) async fn enrol(
        &self,
        from: &Origin,
        form: &OperatorEnrolRequest,
    ) -> Result<Vec<String>, ServiceError> {
        let operator = self.invited(&form.link).await?;
        password(&form.password, &operator.name)?;
        if !self.may_try(&operator).await? {
            return conflict(TOO_MANY);
        }
        let password_hash = self.passwords.hash(&form.password).await?;
        let transaction = begin_write(&self.context.db).await?;
        if !self.use_code(&transaction, &operator, &form.code).await? {
            return Err(BusinessError::new(code::WRONG_CODE, "动态口令不正确").into());
        }
        let enrolled = Entity::update_many()
            .set(ActiveModel {
                state: Set(State::Active),
                password_hash: Set(password_hash),
                link_hash: ActiveValue::Set(None),
                ..Default::default()
            })
            .filter(Column::Id.eq(&operator.id))
            .filter(Column::LinkHash.eq(operator.link_hash.clone()))
            .exec(&transaction)
            .await?;
        if enrolled.rows_affected != 1 {
            return conflict(VOID);
        }
        let codes = self.new_recovery_codes(&transaction, &operator.id).await?;
        let author = Author {
            id: &operator.id,
            name: &operator.name,
            origin: from,
        };
        let deed = Deed {
            target: &operator.id,
            after: json!({"state": "active"}),
            ..Deed::default()
        };
        self.audit(&transaction, author, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(codes)
    }
}

/// Errors: it is too weak for an operator.
pub(super) fn password(given: &str, name: &str) -> Result<(), ServiceError> {
    let length = given.chars().count();
    if !(12..=64).contains(&length) {
        return invalid("密码为 12 至 64 个字符");
    }
    let lower = given.to_lowercase();
    let first = lower.chars().next();
    if lower.contains(name) || lower.chars().all(|c| Some(c) == first) {
        return invalid("密码不能包含名称，也不能全为同一个字符");
    }
    if rules::is_guessable(given) {
        return invalid("密码太容易被猜到，请用更长、更少见的");
    }
    Ok(())
}
