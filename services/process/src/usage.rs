//! What a user has: files, bytes and results, kept in the row that orders their changes, so that neither an upload nor a page sums up
//! all files. Whoever changes files or results locks the row first. A program of an earlier version counts the row's version up
//! without the figures; they then are counted once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chassis::ServiceError;
use proto::process::v1::StatisticsChanged;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, FromQueryResult, IntoActiveModel, QueryOrder, QuerySelect,
};
use tokio::sync::Mutex;

use crate::Process;
use crate::entity::{file, result, user_counter};
use crate::params::ServiceType;

#[cfg(test)]
mod tests;

/// Period of the audit.
const PERIOD: Duration = Duration::from_secs(600);
/// Users audited per round.
const BATCH: u64 = 200;

/// Figures of a user. From [`Process::lock_usage`] they are exact until the transaction ends.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Usage {
    owner: String,
    version: i64,
    files: i64,
    scenes: i64,
    released: i64,
    bytes: i64,
    results: BTreeMap<String, i64>,
    result_bytes: i64,
}

#[derive(FromQueryResult)]
struct CountedFiles {
    model_type: i32,
    released: bool,
    files: i64,
    bytes: i64,
}

#[derive(FromQueryResult)]
struct CountedResults {
    service_type: String,
    results: i64,
    bytes: i64,
}

impl Usage {
    /// Bytes of the user's source files.
    pub(crate) fn bytes(&self) -> i64 {
        self.bytes
    }

    /// Bytes of the user's finished results.
    pub(crate) fn result_bytes(&self) -> i64 {
        self.result_bytes
    }

    pub(crate) fn add_file(&mut self, file: &file::Model) {
        self.change_files(file, 1);
    }

    pub(crate) fn remove_file(&mut self, file: &file::Model) {
        self.change_files(file, -1);
    }

    fn change_files(&mut self, file: &file::Model, by: i64) {
        self.files += by;
        self.scenes += by * i64::from(file.is_scene());
        self.released += by * i64::from(file.released);
        self.bytes += by * file.file_size;
    }

    /// One of the files was released.
    pub(crate) fn release(&mut self) {
        self.released += 1;
    }

    pub(crate) fn remove_result(&mut self, result: &result::Model) {
        self.change_results(result.service_type, -1);
        self.result_bytes -= result.file_size;
    }

    /// `by` more results of a service, or fewer, that have no bytes.
    pub(crate) fn change_results(&mut self, service: ServiceType, by: i64) {
        let count = self.results.entry(service.name().to_owned()).or_default();
        *count += by;
        if *count == 0 {
            self.results.remove(service.name());
        }
    }

    /// The figures of a row that are true; `None`: they must be counted.
    fn kept(row: &user_counter::Model) -> Option<Self> {
        if row.counted_at != row.version {
            return None;
        }
        Some(Self {
            owner: row.owner.clone(),
            version: row.version,
            files: row.files,
            scenes: row.scenes,
            released: row.released,
            bytes: row.bytes,
            results: serde_json::from_str(&row.results).ok()?,
            result_bytes: row.result_bytes,
        })
    }

    /// Counted from the user's rows.
    async fn counted(
        owner: &str,
        version: i64,
        db: &impl ConnectionTrait,
    ) -> Result<Self, ServiceError> {
        // SUM of 64-bit integers is a decimal on PostgreSQL.
        let bytes = Expr::col(file::Column::FileSize).sum().cast_as("BIGINT");
        let result_bytes = Expr::col(result::Column::FileSize).sum().cast_as("BIGINT");
        let files = file::Entity::find_own(owner)
            .filter(file::Column::Deleted.eq(false))
            .select_only()
            .columns([file::Column::ModelType, file::Column::Released])
            .column_as(file::Column::Id.count(), "files")
            .column_as(bytes, "bytes")
            .group_by(file::Column::ModelType)
            .group_by(file::Column::Released)
            .into_model::<CountedFiles>()
            .all(db)
            .await?;
        let results = result::Entity::find_own(owner)
            .select_only()
            .column(result::Column::ServiceType)
            .column_as(result::Column::Id.count(), "results")
            .column_as(result_bytes, "bytes")
            .group_by(result::Column::ServiceType)
            .into_model::<CountedResults>()
            .all(db)
            .await?;
        let mut usage = Self {
            owner: owner.to_owned(),
            version,
            ..Self::default()
        };
        for row in files {
            usage.files += row.files;
            usage.scenes += row.files * i64::from(row.model_type == file::SCENE);
            usage.released += row.files * i64::from(row.released);
            usage.bytes += row.bytes;
        }
        for row in results {
            usage.results.insert(row.service_type, row.results);
            usage.result_bytes += row.bytes;
        }
        Ok(usage)
    }

    async fn keep(&self, transaction: &DatabaseTransaction) -> Result<(), ServiceError> {
        use user_counter::Column;
        let results = serde_json::to_string(&self.results).map_err(anyhow::Error::from)?;
        user_counter::Entity::update_many()
            .col_expr(Column::CountedAt, self.version.into())
            .col_expr(Column::Files, self.files.into())
            .col_expr(Column::Scenes, self.scenes.into())
            .col_expr(Column::Released, self.released.into())
            .col_expr(Column::Bytes, self.bytes.into())
            .col_expr(Column::Results, results.into())
            .col_expr(Column::ResultBytes, self.result_bytes.into())
            .filter(Column::Owner.eq(&self.owner))
            .exec(transaction)
            .await?;
        Ok(())
    }

    fn event(self) -> StatisticsChanged {
        StatisticsChanged {
            login_id: self.owner,
            version: self.version,
            total_uploads: self.files,
            total_single_models: self.files - self.scenes,
            total_scene_models: self.scenes,
            total_models: self.released,
            total_results: self.results.values().sum(),
            results_by_service: self.results.into_iter().collect(),
        }
    }
}

/// Locks a user's row until the transaction ends: changes of one user wait for each other. Counts its version up by `more`; figures
/// that were true stay true.
async fn lock(
    owner: &str,
    more: i64,
    transaction: &DatabaseTransaction,
) -> Result<user_counter::Model, DbErr> {
    use user_counter::Column;
    let known = |column| Expr::col((user_counter::Entity, column));
    let next = known(Column::Version).add(more);
    let is_true = known(Column::CountedAt).eq(known(Column::Version));
    let counted_at = Expr::case(is_true, next.clone()).finally(known(Column::CountedAt));
    let again = OnConflict::column(Column::Owner)
        .value(Column::Version, next)
        .value(Column::CountedAt, counted_at)
        .to_owned();
    let row = user_counter::Model {
        owner: owner.to_owned(),
        version: more,
        results: "{}".to_owned(),
        ..Default::default()
    };
    user_counter::Entity::insert(row.into_active_model().reset_all())
        .on_conflict(again)
        .exec_with_returning(transaction)
        .await
}

impl Process {
    /// Lets changes of one user wait for each other, for one that changes no figure.
    pub(crate) async fn lock_user(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<(), ServiceError> {
        lock(owner, 0, transaction).await?;
        Ok(())
    }

    /// What a user has, exact until the transaction ends, which either goes on to [`Process::publish_usage`] or is rolled back: the
    /// version has been counted up.
    pub(crate) async fn lock_usage(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<Usage, ServiceError> {
        let row = lock(owner, 1, transaction).await?;
        match Usage::kept(&row) {
            Some(usage) => Ok(usage),
            None => Usage::counted(owner, row.version, transaction).await,
        }
    }

    /// Adds the bytes of a result that is being finished, before its row says so: others wait until the transaction ends.
    /// Nothing that is published changes.
    pub(crate) async fn add_result_bytes(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        bytes: i64,
    ) -> Result<(), ServiceError> {
        let row = lock(owner, 0, transaction).await?;
        let mut usage = match Usage::kept(&row) {
            Some(usage) => usage,
            None => Usage::counted(owner, row.version, transaction).await?,
        };
        usage.result_bytes += bytes;
        usage.keep(transaction).await
    }

    /// Keeps and publishes what a user has, in the transaction that changed it.
    pub(crate) async fn publish_usage(
        &self,
        transaction: &DatabaseTransaction,
        usage: Usage,
    ) -> Result<(), ServiceError> {
        usage.keep(transaction).await?;
        let owner = usage.owner.clone();
        self.outbox.add(transaction, &owner, &usage.event()).await?;
        Ok(())
    }

    /// Bytes of a user's source files.
    pub(crate) async fn used_bytes(&self, owner: &str) -> Result<i64, ServiceError> {
        let db = &self.context.db;
        let row = user_counter::Entity::find_by_id(owner).one(db).await?;
        match row.as_ref().and_then(Usage::kept) {
            Some(usage) => Ok(usage.bytes),
            None => Ok(Usage::counted(owner, 0, db).await?.bytes),
        }
    }

    /// Compares the figures of the next users after `behind` with their rows, and corrects them. Returns the number of corrected
    /// users and where to go on; `None`: all have been seen.
    async fn audit_usage(
        &self,
        behind: Option<&str>,
    ) -> Result<(u64, Option<String>), ServiceError> {
        let users = user_counter::Entity::find()
            .filter(user_counter::Column::Owner.gt(behind.unwrap_or_default()))
            .order_by_asc(user_counter::Column::Owner)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        let mut corrected = 0;
        for row in &users {
            let Some(kept) = Usage::kept(row) else {
                // Counted when the user comes next.
                continue;
            };
            let counted = Usage::counted(&row.owner, row.version, &self.context.db).await?;
            if kept != counted {
                corrected += u64::from(self.correct_usage(&row.owner).await?);
            }
        }
        let is_last = (users.len() as u64) < BATCH;
        let last = users.last().filter(|_| !is_last);
        Ok((corrected, last.map(|row| row.owner.clone())))
    }

    /// Counts a user's figures anew; whether they were wrong. What differed without the lock may have been a change under way.
    async fn correct_usage(&self, owner: &str) -> Result<bool, ServiceError> {
        let transaction = chassis::db::begin_write(&self.context.db).await?;
        let row = lock(owner, 1, &transaction).await?;
        let counted = Usage::counted(owner, row.version, &transaction).await?;
        if Usage::kept(&row).is_none_or(|kept| kept == counted) {
            transaction.rollback().await?;
            return Ok(false);
        }
        tracing::error!(owner, kept = ?Usage::kept(&row), ?counted, "the figures of a user were wrong");
        self.publish_usage(&transaction, counted).await?;
        transaction.commit().await?;
        self.committed(false);
        Ok(true)
    }
}

/// Starts the audit.
pub(crate) fn spawn(process: &Process) {
    let shutdown = process.context.shutdown.clone();
    let process = process.clone();
    let behind = Arc::new(Mutex::new(None));
    shutdown.every(PERIOD, "audit of usage", move || {
        let (process, behind) = (process.clone(), behind.clone());
        async move {
            // One round at a time, so the lock is never contended.
            let mut behind = behind.lock().await;
            (_, *behind) = process.audit_usage(behind.as_deref()).await?;
            anyhow::Ok(())
        }
    });
}
