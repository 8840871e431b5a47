//! What operators do to each other. No operator changes his own account, or that of one with more permissions.

use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::{BusinessError, Operator, ServiceError};
use proto::auth::v1::{OperatorItem, OperatorLinkReply};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, Set};
use serde_json::json;

use super::enrol::Link;
use super::entity::operator::{ActiveModel, Column, Entity, Model, State};
use super::entity::session;
use super::roles::exceeds;
use super::{Operators, conflict, list, name, once, written};

impl From<Link> for OperatorLinkReply {
    fn from(link: Link) -> Self {
        Self {
            id: link.operator_id,
            link: link.token,
            expires_at: link.expires_at,
        }
    }
}

impl Operators {
    pub(super) async fn operators(&self) -> Result<Vec<OperatorItem>, ServiceError> {
        let db = &self.context.db;
        let sessions = session::Entity::find()
            .filter(session::Column::ExpiresAt.gt(self.now_ms()))
            .filter(session::Column::LastSeenAt.gt(self.now_ms() - super::session::IDLE_MS))
            .all(db)
            .await?;
        let operators = Entity::find().order_by_asc(Column::Name).all(db).await?;
        let item = |row: Model| {
            let own = sessions.iter().filter(|s| s.operator_id == row.id);
            OperatorItem {
                sessions: own.count() as i32,
                roles: list(&row.roles),
                state: row.state.name().to_owned(),
                created_at: row.created_at,
                signed_in_at: row.signed_in_at,
                id: row.id,
                name: row.name,
            }
        };
        Ok(operators.into_iter().map(item).collect())
    }

    pub(super) async fn add(
        &self,
        caller: &Operator,
        given: &str,
        roles: &[String],
        reason: &str,
    ) -> Result<Link, ServiceError> {
        let name = name(given)?;
        let transaction = begin_write(&self.context.db).await?;
        let own = self.held(&transaction, caller, None).await?;
        self.may_give(&transaction, &own, roles).await?;
        let link = self.invite(&transaction, &name, roles).await?;
        let deed = Deed {
            target: &link.operator_id,
            after: json!({"name": name, "roles": roles}),
            reason,
            ..Deed::default()
        };
        self.done(transaction, caller, deed).await?;
        Ok(link)
    }

    pub(super) async fn set_roles(
        &self,
        caller: &Operator,
        id: &str,
        roles: &[String],
        reason: &str,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let (operator, own) = self.other(&transaction, caller, id).await?;
        self.may_give(&transaction, &own, roles).await?;
        let change = ActiveModel {
            roles: Set(written(&once(roles))),
            ..Default::default()
        };
        self.change(&transaction, id, change).await?;
        let deed = Deed {
            target: id,
            before: json!({"roles": list(&operator.roles)}),
            after: json!({"roles": roles}),
            reason,
        };
        self.done(transaction, caller, deed).await
    }

    pub(super) async fn set_disabled(
        &self,
        caller: &Operator,
        id: &str,
        disabled: bool,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let (operator, _) = self.other(&transaction, caller, id).await?;
        let state = match (operator.state, disabled) {
            (State::Disabled, true) => return conflict("该账号已停用"),
            (State::Disabled, false) if operator.password_hash.is_empty() => State::Invited,
            (State::Disabled, false) => State::Active,
            (_, true) => State::Disabled,
            (_, false) => return conflict("该账号未停用"),
        };
        let change = ActiveModel {
            state: Set(state),
            ..Default::default()
        };
        self.change(&transaction, id, change).await?;
        self.close_sessions(&transaction, id).await?;
        let deed = Deed {
            target: id,
            before: json!({"state": operator.state.name()}),
            after: json!({"state": state.name()}),
            reason,
        };
        self.done(transaction, caller, deed).await
    }

    pub(super) async fn reset(
        &self,
        caller: &Operator,
        id: &str,
        reason: &str,
    ) -> Result<Link, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let (operator, _) = self.other(&transaction, caller, id).await?;
        if operator.state == State::Disabled {
            return conflict("该账号已停用，请先启用");
        }
        let link = self.invite_again(&transaction, &operator).await?;
        let deed = Deed {
            target: id,
            before: json!({"state": operator.state.name()}),
            after: json!({"state": "invited"}),
            reason,
        };
        self.done(transaction, caller, deed).await?;
        Ok(link)
    }

    async fn change(
        &self,
        transaction: &impl ConnectionTrait,
        id: &str,
        change: ActiveModel,
    ) -> Result<(), ServiceError> {
        let own = Entity::update_many().set(change).filter(Column::Id.eq(id));
        own.exec(transaction).await?;
        Ok(())
    }

    /// Another operator, locked until the end of the transaction, with no more permissions than the caller: by a link for one with
    /// more, the caller would gain them. Returns the caller's permissions too.
    async fn other(
        &self,
        transaction: &DatabaseTransaction,
        caller: &Operator,
        id: &str,
    ) -> Result<(Model, Vec<String>), ServiceError> {
        if caller.id() == id {
            return Err(BusinessError::new(403, "不能对自己执行此操作").into());
        }
        let own = self.held(transaction, caller, Some(id)).await?;
        let operator = self.by_id(transaction, id).await?;
        let permitted = self.permitted(transaction, &list(&operator.roles)).await?;
        match exceeds(&own, &permitted) {
            true => Err(BusinessError::new(403, "对方的权限超出您的权限").into()),
            false => Ok((operator, own)),
        }
    }
}
