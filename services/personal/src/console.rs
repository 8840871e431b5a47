//! What operators do here, through the console or by a command. Each effect names its actor and writes one audit entry in its
//! transaction.

use std::collections::HashMap;

use chassis::audit::{self, Deed};
use chassis::{Operator, ServiceError};
use objectstore::{ByteRange, StoreError};
use proto::personal::v1::{AuditRecorded, FilePart};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QuerySelect};

use crate::Personal;
use crate::entity::profile;

/// Maximum bytes of a file in one reply: gateways accept 8 MiB.
const PART: u64 = 6 * 1024 * 1024;
/// Maximum length of a stored operator name.
const MAX_NAME: usize = 64;
/// Length of a text in a list.
const SUMMARY: usize = 100;

/// Who performs an action.
pub enum Actor<'a> {
    /// An operator, by a console call.
    Operator(&'a Operator),
    /// A user of the machine, under the name given with the command.
    Command { command: &'a str, by: &'a str },
}

impl Actor<'_> {
    /// The name stored with the action.
    pub(crate) fn name(&self) -> String {
        let name = match self {
            Self::Operator(operator) => operator.name(),
            Self::Command { by, .. } => by,
        };
        name.chars().take(MAX_NAME).collect()
    }
}

pub(crate) fn summary(text: &str) -> String {
    text.chars().take(SUMMARY).collect()
}

fn away(error: StoreError) -> ServiceError {
    tracing::warn!(%error, "a file for the console could not be read");
    ServiceError::Unavailable("object store")
}

impl Personal {
    /// Writes the audit entry of an effect into its transaction. The caller wakes the outbox after its commit.
    pub(crate) async fn record(
        &self,
        transaction: &impl ConnectionTrait,
        actor: &Actor<'_>,
        deed: Deed<'_>,
    ) -> Result<(), ServiceError> {
        let event = |entry| AuditRecorded { entry: Some(entry) };
        let (outbox, service) = (&self.outbox, crate::NAME);
        match actor {
            Actor::Operator(operator) => {
                audit::record(outbox, transaction, service, *operator, deed, event).await
            }
            Actor::Command { command, by } => {
                let named: String = format!("{command} ({by})").chars().take(MAX_NAME).collect();
                audit::record_command(outbox, transaction, service, &named, deed, event).await
            }
        }
    }

    /// Writes the audit entry of a read that shows personal data.
    pub(crate) async fn record_read(
        &self,
        operator: &Operator,
        target: &str,
        what: serde_json::Value,
    ) -> Result<(), ServiceError> {
        let deed = Deed {
            target,
            after: what,
            ..Deed::default()
        };
        let transaction = chassis::db::begin_write(&self.context.db).await?;
        self.record(&transaction, &Actor::Operator(operator), deed)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    /// Current nicknames of users.
    pub(crate) async fn nicknames(
        &self,
        logins: impl IntoIterator<Item = String>,
    ) -> Result<HashMap<String, String>, ServiceError> {
        let named: Vec<(String, Option<String>)> = profile::Entity::find()
            .select_only()
            .column(profile::Column::LoginId)
            .column(profile::Column::Nickname)
            .filter(profile::Column::LoginId.is_in(logins))
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let named = named.into_iter();
        Ok(named
            .filter_map(|(login, name)| Some((login, name?)))
            .collect())
    }

    /// A part of a file, starting at `offset`. None: the object is missing in the store.
    pub(crate) async fn file_part(
        &self,
        key: &str,
        name: &str,
        offset: i64,
    ) -> Result<Option<FilePart>, ServiceError> {
        let objects = &self.context.objects;
        let Some(meta) = objects.head(key).await.map_err(away)? else {
            return Ok(None);
        };
        let start = u64::try_from(offset).unwrap_or(0).min(meta.size);
        let end = meta.size.min(start + PART);
        let range = ByteRange {
            start,
            end: Some(end),
        };
        let data = match start < end {
            true => objects.get_range(key, range).await.map_err(away)?.to_vec(),
            false => Vec::new(),
        };
        Ok(Some(FilePart {
            data,
            content_type: meta.content_type.unwrap_or_default(),
            name: name.to_owned(),
            size: meta.size as i64,
            next_offset: if end < meta.size { end as i64 } else { 0 },
        }))
    }
}
