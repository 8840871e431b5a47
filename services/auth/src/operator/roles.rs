//! Roles: what they permit, and who may grant them.

use std::collections::BTreeMap;

use chassis::audit::Deed;
use chassis::db::{self, begin_write};
use chassis::operator::{EVERYTHING, permits};
use chassis::{BusinessError, Operator, ServiceError};
use contentscan::is_ignorable;
use proto::auth::v1::{
    OperatorPermission, OperatorRole, OperatorRoleListReply, OperatorRoleSaveRequest,
};
use proto::catalogue::calls;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect, Set};
use serde_json::json;

use super::entity::operator;
use super::entity::role::{ActiveModel, Column, Entity, Model};
use super::{Operators, conflict, invalid, list, once, written};
use crate::store::is_taken;

/// The built-in role that permits everything.
pub const ADMIN: &str = "admin";
const ADMIN_TITLE: &str = "管理员";
const TAKEN: &str = "已有同名的角色";
const BEYOND: &str = "不能授予超出自己权限的角色";

/// Every permission that a call of the console requires, with the calls.
fn permissions() -> BTreeMap<&'static str, Vec<String>> {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for call in calls().iter().filter(|call| !call.permission.is_empty()) {
        all.entry(&call.permission)
            .or_default()
            .push(call.id.clone());
    }
    all
}

/// Once each, and for each the one to read its area: who cannot see a thing cannot act on it.
fn with_reading(known: &BTreeMap<&str, Vec<String>>, asked: &[String]) -> Vec<String> {
    let mut all = asked.to_vec();
    for asked in asked {
        let area = asked.split('.').next().unwrap_or_default();
        let read = format!("{area}.read");
        if known.contains_key(read.as_str()) {
            all.push(read);
        }
    }
    once(&all)
}

/// Whether some of them exceed the caller's own.
pub(super) fn exceeds(own: &[String], asked: &[String]) -> bool {
    !asked.iter().all(|asked| permits(own, asked))
}

/// Errors: some of them exceed the caller's own.
fn within(own: &[String], asked: &[String]) -> Result<(), ServiceError> {
    match exceeds(own, asked) {
        true => Err(BusinessError::new(403, BEYOND).into()),
        false => Ok(()),
    }
}

/// The title of a role as it is kept. Errors: it has invisible characters, or is that of the built-in role.
fn title(given: &str) -> Result<&str, ServiceError> {
    let title = given.trim();
    if title.is_empty() || title.chars().any(is_ignorable) {
        return invalid("角色名称为 1 至 20 个字，不能有不可见的字符");
    }
    match title {
        ADMIN_TITLE => conflict(TAKEN),
        title => Ok(title),
    }
}

impl Operators {
    pub(super) async fn all_roles(
        &self,
        connection: &impl ConnectionTrait,
    ) -> Result<Vec<OperatorRole>, ServiceError> {
        let mut roles = vec![OperatorRole {
            id: ADMIN.to_owned(),
            title: ADMIN_TITLE.to_owned(),
            permissions: vec![EVERYTHING.to_owned()],
            built_in: true,
            operators: 0,
        }];
        let rows = Entity::find().order_by_asc(Column::CreatedAt);
        for row in rows.all(connection).await? {
            roles.push(OperatorRole {
                permissions: list(&row.permissions),
                id: row.id,
                title: row.title,
                built_in: false,
                operators: 0,
            });
        }
        Ok(roles)
    }

    /// The union of the permissions of roles.
    pub(crate) async fn permitted(
        &self,
        connection: &impl ConnectionTrait,
        roles: &[String],
    ) -> Result<Vec<String>, ServiceError> {
        let mut all: Vec<String> = Vec::new();
        for role in self.all_roles(connection).await? {
            if roles.contains(&role.id) {
                all.extend(role.permissions);
            }
        }
        all.sort();
        all.dedup();
        Ok(all)
    }

    /// Errors: a role does not exist, or permits more than the caller's own permissions.
    pub(super) async fn may_give(
        &self,
        connection: &impl ConnectionTrait,
        own: &[String],
        roles: &[String],
    ) -> Result<(), ServiceError> {
        self.must_exist(connection, roles).await?;
        within(own, &self.permitted(connection, roles).await?)
    }

    /// The caller's permissions. Until the end of the transaction nobody else changes the caller, `other`, or a role: of two
    /// operators who take each other's permissions at once, the second finds that it has none left.
    ///
    /// Errors: since the call came in, the caller was disabled, or lost the permission for it.
    pub(super) async fn held(
        &self,
        transaction: &DatabaseTransaction,
        caller: &Operator,
        other: Option<&str>,
    ) -> Result<Vec<String>, ServiceError> {
        let ids = other.into_iter().chain([caller.id()]);
        let locked = operator::Entity::find()
            .filter(operator::Column::Id.is_in(ids))
            .order_by_asc(operator::Column::Id)
            .lock_exclusive()
            .all(transaction)
            .await?;
        Entity::find()
            .order_by_asc(Column::Id)
            .lock_exclusive()
            .all(transaction)
            .await?;
        let own = locked.into_iter().find(|row| row.id == caller.id());
        let own = own.filter(|own| own.state == operator::State::Active);
        let own = own.ok_or(ServiceError::Unauthenticated)?;
        let own = self.permitted(transaction, &list(&own.roles)).await?;
        let call = caller.call().ok_or(ServiceError::Forbidden)?;
        match permits(&own, &call.permission) {
            true => Ok(own),
            false => Err(ServiceError::Forbidden),
        }
    }

    pub(super) async fn must_exist(
        &self,
        connection: &impl ConnectionTrait,
        roles: &[String],
    ) -> Result<(), ServiceError> {
        let known = self.all_roles(connection).await?;
        let is_known = |id: &String| known.iter().any(|role| role.id == *id);
        if !roles.iter().all(is_known) {
            return invalid("没有这个角色");
        }
        Ok(())
    }

    pub(super) async fn role_list(&self) -> Result<OperatorRoleListReply, ServiceError> {
        let db = &self.context.db;
        let mut roles = self.all_roles(db).await?;
        for operator in operator::Entity::find().all(db).await? {
            let held = list(&operator.roles);
            for role in roles.iter_mut().filter(|role| held.contains(&role.id)) {
                role.operators += 1;
            }
        }
        let permissions = permissions().into_iter();
        Ok(OperatorRoleListReply {
            roles,
            permissions: permissions
                .map(|(id, calls)| OperatorPermission {
                    id: id.to_owned(),
                    calls,
                })
                .collect(),
        })
    }

    pub(super) async fn save_role(
        &self,
        caller: &Operator,
        form: &OperatorRoleSaveRequest,
    ) -> Result<(), ServiceError> {
        let known = permissions();
        if !form
            .permissions
            .iter()
            .all(|p| known.contains_key(p.as_str()))
        {
            return invalid("没有这项权限");
        }
        let title = title(&form.title)?;
        let permissions = with_reading(&known, &form.permissions);
        let transaction = begin_write(&self.context.db).await?;
        let own = self.held(&transaction, caller, None).await?;
        within(&own, &permissions)?;
        let before = match form.id.as_str() {
            "" => None,
            id => Some(self.changeable(&transaction, caller, &own, id).await?),
        };
        let id = match &before {
            Some(role) => role.id.clone(),
            None => chassis::ids::new_id(),
        };
        let row = Model {
            id: id.clone(),
            title: title.to_owned(),
            permissions: written(&permissions),
            created_at: self.now_ms(),
        };
        let saved = if before.is_some() {
            let change = ActiveModel {
                title: Set(row.title),
                permissions: Set(row.permissions),
                ..Default::default()
            };
            let own = Entity::update_many().set(change).filter(Column::Id.eq(&id));
            own.exec(&transaction).await.map(|_| ())
        } else {
            db::insert(row, &transaction).await
        };
        match saved {
            Err(error) if is_taken(&error) => return conflict(TAKEN),
            saved => saved?,
        }
        let shown = |title: &str, permissions: &[String]| json!({"title": title, "permissions": permissions});
        let deed = Deed {
            target: &id,
            before: before.map_or(json!(null), |role| shown(&role.title, &role.permissions)),
            after: shown(title, &permissions),
            reason: &form.reason,
        };
        self.done(transaction, caller, deed).await
    }

    pub(super) async fn remove_role(
        &self,
        caller: &Operator,
        id: &str,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let own = self.held(&transaction, caller, None).await?;
        let role = self.changeable(&transaction, caller, &own, id).await?;
        for operator in operator::Entity::find().all(&transaction).await? {
            if list(&operator.roles).contains(&role.id) {
                return conflict("仍有运营账号使用此角色");
            }
        }
        Entity::delete_by_id(id).exec(&transaction).await?;
        let deed = Deed {
            target: id,
            before: json!({"title": role.title, "permissions": role.permissions}),
            reason,
            ..Deed::default()
        };
        self.done(transaction, caller, deed).await
    }

    /// A role that the caller may change: one that is not the caller's, and permits no more than the caller may.
    async fn changeable(
        &self,
        transaction: &impl ConnectionTrait,
        caller: &Operator,
        own: &[String],
        id: &str,
    ) -> Result<OperatorRole, ServiceError> {
        let roles = self.all_roles(transaction).await?;
        let found = roles.into_iter().find(|role| role.id == id);
        let role = found.ok_or_else(|| BusinessError::not_found("没有这个角色"))?;
        if role.built_in {
            return conflict("内置角色不能修改");
        }
        let operator = self.by_id(transaction, caller.id()).await?;
        if list(&operator.roles).contains(&role.id) {
            return Err(BusinessError::new(403, "不能修改自己所属的角色").into());
        }
        within(own, &role.permissions)?;
        Ok(role)
    }
}
