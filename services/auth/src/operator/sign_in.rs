//! Sign-in by password and second factor, both; and the second factor again before critical calls.

use chassis::audit::{Author, Deed};
use chassis::db::begin_write;
use chassis::{BusinessError, Operator, Origin, ServiceError};
use proto::auth::v1::{OperatorMeReply, OperatorSignInReply, OperatorSignInRequest};
use proto::code;
use sea_orm::Set;
use sea_orm::entity::prelude::*;

use super::entity::operator::{ActiveModel, Column, Entity, State};
use super::entity::session;
use super::session::FRESH_MS;
use super::{Operators, list};
use crate::tries::Tries;
use crate::{device, secret};

/// One message for all causes.
const WRONG: &str = "名称、密码或动态口令不正确";
/// Counts begin anew with each quarter of an hour.
pub(super) const TOO_MANY: &str = "尝试次数过多，请稍后再试，最多等 15 分钟";

pub(super) fn wrong<T>(code: i32, message: &str) -> Result<T, ServiceError> {
    metrics::counter!("auth_operator_refused_total").increment(1);
    Err(BusinessError::new(code, message).into())
}

impl Operators {
    pub(super) async fn sign_in(
        &self,
        from: &Origin,
        form: &OperatorSignInRequest,
    ) -> Result<OperatorSignInReply, ServiceError> {
        let found = Entity::find()
            .filter(Column::Name.eq(form.name.trim().to_lowercase()))
            .filter(Column::State.eq(State::Active))
            .one(&self.context.db)
            .await?;
        let password: String = form.password.chars().take(65).collect();
        let now_ms = self.now_ms();
        let db = &self.context.db;
        let device = match &found {
            Some(operator) => device::known(db, &form.device, &operator.id, now_ms).await?,
            None => String::new(),
        };
        let tries = self.tries_of(&form.name, &device, from.remote_addr());
        if !tries.one_more().await? {
            return wrong(code::WRONG_PASSWORD, TOO_MANY);
        }
        let Some(operator) = found else {
            // Takes as long as for an existing operator.
            self.passwords.hash(&password).await?;
            return wrong(code::WRONG_PASSWORD, WRONG);
        };
        let hash = &operator.password_hash;
        if !self.passwords.verify(&password, hash).await? {
            return wrong(code::WRONG_PASSWORD, WRONG);
        }
        // An attacker with the password may guess codes from any number of addresses: those tries count together.
        if device.is_empty() && !self.may_try(&operator).await? {
            return wrong(code::WRONG_PASSWORD, TOO_MANY);
        }
        let transaction = begin_write(db).await?;
        if !self.use_code(&transaction, &operator, &form.code).await? {
            return wrong(code::WRONG_PASSWORD, WRONG);
        }
        if device.is_empty() {
            self.forgive(&transaction, &operator.id).await?;
        }
        // Not if the operator was reset or disabled meanwhile.
        let signed_in = Entity::update_many()
            .set(ActiveModel {
                signed_in_at: Set(now_ms),
                ..Default::default()
            })
            .filter(Column::Id.eq(&operator.id))
            .filter(Column::PasswordHash.eq(hash))
            .filter(Column::State.eq(State::Active))
            .exec(&transaction)
            .await?;
        if signed_in.rows_affected != 1 {
            return wrong(code::WRONG_PASSWORD, WRONG);
        }
        let opened = self.open_session(&transaction, &operator.id, from.remote_addr());
        let (token, expires_at) = opened.await?;
        let remembered = device::remember(&transaction, &form.device, &operator.id, now_ms);
        let (device, _) = remembered.await?;
        let author = Author {
            id: &operator.id,
            name: &operator.name,
            origin: from,
        };
        let deed = Deed {
            target: &operator.id,
            ..Deed::default()
        };
        self.audit(&transaction, author, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        tries.forget().await?;
        Ok(OperatorSignInReply {
            device,
            token,
            expires_at,
            recovery_codes: self.recovery_codes_left(&operator.id).await?,
        })
    }

    /// Tries at a sign-in: those of a device that the operator has signed in on by themselves, all others by name and address, also
    /// for unknown names. Wrong tries of strangers lock no operator out.
    fn tries_of(&self, name: &str, device: &str, remote_addr: &str) -> Tries {
        let of = match device {
            "" => {
                let address = remote_addr.parse().map(peers::subscriber);
                let address = address.map_or_else(|_| remote_addr.to_owned(), |of| of.to_string());
                secret::sha256(&format!("{}\n{address}", name.trim().to_lowercase()))
            }
            device => device.to_owned(),
        };
        self.tries(of)
    }

    pub(super) fn tries(&self, of: String) -> Tries {
        Tries::new(&self.context.cache, "auth:operator", &of, self.now_ms())
    }

    pub(super) async fn sign_out(&self, caller: &Operator) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        session::Entity::delete_by_id(caller.session_id())
            .exec(&transaction)
            .await?;
        let deed = Deed {
            target: caller.id(),
            ..Deed::default()
        };
        self.done(transaction, caller, deed).await
    }

    /// Confirms the second factor; returns until when it is fresh.
    pub(super) async fn confirm(
        &self,
        caller: &Operator,
        given: &str,
    ) -> Result<i64, ServiceError> {
        let operator = self.by_id(&self.context.db, caller.id()).await?;
        // Per session: tries elsewhere do not keep the operator from working.
        let tries = self.tries(format!("confirm:{}", caller.session_id()));
        if !tries.one_more().await? {
            return wrong(code::WRONG_CODE, TOO_MANY);
        }
        let transaction = begin_write(&self.context.db).await?;
        if !self.use_code(&transaction, &operator, given).await? {
            return wrong(code::WRONG_CODE, "动态口令不正确或已使用过");
        }
        let fresh_until = self.now_ms() + FRESH_MS;
        session::Entity::update_many()
            .set(session::ActiveModel {
                fresh_until: Set(fresh_until),
                ..Default::default()
            })
            .filter(session::Column::Id.eq(caller.session_id()))
            .exec(&transaction)
            .await?;
        let deed = Deed {
            target: caller.id(),
            ..Deed::default()
        };
        self.done(transaction, caller, deed).await?;
        tries.forget().await?;
        Ok(fresh_until)
    }

    pub(super) async fn me(&self, caller: &Operator) -> Result<OperatorMeReply, ServiceError> {
        let db = &self.context.db;
        let operator = self.by_id(db, caller.id()).await?;
        let session = session::Entity::find_by_id(caller.session_id()).one(db);
        let session = session.await?.ok_or(ServiceError::Unauthenticated)?;
        let mut roles = Vec::new();
        let held = list(&operator.roles);
        for role in self.all_roles(db).await? {
            if held.contains(&role.id) {
                roles.push(role.title);
            }
        }
        Ok(OperatorMeReply {
            roles,
            permissions: caller.permissions().to_vec(),
            fresh_until: session.fresh_until,
            expires_at: session.expires_at,
            recovery_codes: self.recovery_codes_left(&operator.id).await?,
            id: operator.id,
            name: operator.name,
        })
    }
}
