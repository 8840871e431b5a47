//! Operators of the console: accounts, tokens and roles of their own, which calls of users do not accept, nor the reverse.

mod calls;
pub mod command;
mod enrol;
pub mod entity;
mod manage;
mod own;
mod roles;
mod session;
mod sign_in;
pub mod tables;
pub(crate) mod totp;

use std::collections::BTreeSet;
use std::sync::Arc;

use chassis::audit::{self, Author, Deed};
use chassis::messaging::Outbox;
use chassis::passwords::Passwords;
use chassis::{BusinessError, Context, Operator, ServiceError};
use proto::auth::v1::AuditRecorded;
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use crate::certification::vault::Vault;
use crate::operator::entity::operator::{Entity, Model};

pub use roles::ADMIN;

/// Shared by the calls of the console; clones share it.
#[derive(Clone)]
pub struct Operators {
    pub context: Context,
    pub outbox: Outbox,
    pub passwords: Passwords,
    pub vault: Arc<Vault>,
}

impl Operators {
    pub(crate) fn now_ms(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// Writes the audit entry of a call into its transaction.
    pub(crate) async fn audit<'a>(
        &self,
        transaction: &impl ConnectionTrait,
        author: impl Into<Author<'a>>,
        deed: Deed<'_>,
    ) -> Result<(), ServiceError> {
        let event = |entry| AuditRecorded { entry: Some(entry) };
        audit::record(&self.outbox, transaction, crate::NAME, author, deed, event).await
    }

    /// Commits an act of the caller with its audit entry.
    pub(crate) async fn done(
        &self,
        transaction: DatabaseTransaction,
        caller: &Operator,
        deed: Deed<'_>,
    ) -> Result<(), ServiceError> {
        self.audit(&transaction, caller, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    async fn by_id(
        &self,
        connection: &impl ConnectionTrait,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let found = Entity::find_by_id(id).one(connection).await?;
        found.ok_or_else(|| BusinessError::not_found("没有这个运营账号").into())
    }
}

pub(crate) fn conflict<T>(message: &str) -> Result<T, ServiceError> {
    Err(BusinessError::new(code::CONFLICT, message).into())
}

fn invalid<T>(message: &str) -> Result<T, ServiceError> {
    Err(BusinessError::invalid(message).into())
}

/// Parses a JSON list of texts, such as roles and permissions.
fn list(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_default()
}

fn written(texts: &[String]) -> String {
    serde_json::json!(texts).to_string()
}

/// Sorted, each of them once.
fn once(texts: &[String]) -> Vec<String> {
    let texts: BTreeSet<&String> = texts.iter().collect();
    texts.into_iter().cloned().collect()
}

/// Normalizes a name. Errors: it is invalid.
pub(crate) fn name(given: &str) -> Result<String, ServiceError> {
    let name = given.trim().to_lowercase();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    if !(2..=32).contains(&name.len()) || !name.chars().all(plain) {
        return invalid("名称为 2 至 32 个字母、数字、点或连字符");
    }
    Ok(name)
}
