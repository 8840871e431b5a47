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
}

impl Usage {
    /// Bytes of the user's source files.
    pub(crate) fn bytes(&self) -> i64 {
        self.bytes
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

    /// `by` more results of a service, or fewer.
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

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use chassis::testing::{TestParts, shapes};
    use proto::process::v1::{ModelCheckingRequest, ModelReleaseRequest, SubmitRequest};

    use super::*;

    struct World {
        test: TestParts,
        process: Process,
    }

    impl World {
        async fn start(shape: chassis::testing::Shape) -> Self {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            let context = test.migrated::<crate::Migrator>(crate::NAME).await;
            crate::migrate(&context).await.unwrap();
            let process = Process::new(context).unwrap();
            // Equal requests are one result only with a known engine.
            process.engine_version.set("1".to_owned()).unwrap();
            Self { test, process }
        }

        /// A checked file of u1, of as many bytes as its name.
        async fn file(&self, name: &str, model_type: i32) -> String {
            let objects = &self.process.context.objects;
            let key = format!("u/u1/{name}");
            let bytes = Bytes::from(name.to_owned());
            objects.put_bytes(&key, bytes, "").await.unwrap();
            let request = ModelCheckingRequest {
                file_name: name.to_owned(),
                file_size: name.len() as i64,
                file_url: format!("{}/{key}", objects.bucket()),
                model_type,
                ..Default::default()
            };
            let id = self.process.check_model("u1", request).await.unwrap();
            self.sql("UPDATE source_file SET status = 'ready'").await;
            id
        }

        async fn sql(&self, text: &str) {
            let db = &self.process.context.db;
            db.execute_unprepared(text).await.unwrap();
        }

        /// The kept figures: what there is, by the rows.
        async fn kept(&self) -> Usage {
            let db = &self.process.context.db;
            let row = user_counter::Entity::find_by_id("u1").one(db).await;
            let kept = Usage::kept(&row.unwrap().unwrap()).expect("true figures");
            let counted = Usage::counted("u1", kept.version, db).await.unwrap();
            assert_eq!(kept, counted);
            kept
        }

        async fn delete(&self, id: &str) {
            self.process.delete_file("u1", id).await.unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn every_change_is_in_the_kept_figures() {
        for shape in shapes() {
            let world = World::start(shape).await;
            let process = &world.process;
            let first = world.file("a.stl", file::MODEL).await;
            let second = world.file("second.stl", file::MODEL).await;
            world.file("scene.zip", file::SCENE).await;
            let release = || ModelReleaseRequest {
                file_id: first.clone(),
                model_name: "齿轮".to_owned(),
                ..Default::default()
            };
            // Twice: it is one model.
            process.release("u1", release()).await.unwrap();
            process.release("u1", release()).await.unwrap();
            let submit = |format: &str| SubmitRequest {
                file_id: second.clone(),
                service_type: "convert".to_owned(),
                params: format!(r#"{{"format":"{format}"}}"#),
                ..Default::default()
            };
            let failed = process.submit("u1", submit("glb")).await.unwrap();
            world
                .sql("UPDATE service_result SET status = 'failed'")
                .await;
            // It takes the place of the failed one.
            let again = process.submit("u1", submit("glb")).await.unwrap();
            assert_ne!(failed, again);
            let deleted = process.submit("u1", submit("obj")).await.unwrap();
            process.delete_result("u1", &deleted).await.unwrap();
            let kept = world.kept().await;
            assert_eq!((kept.files, kept.scenes, kept.released), (3, 1, 1));
            assert_eq!(kept.bytes, 5 + 10 + 9);
            assert_eq!(kept.results, BTreeMap::from([("convert".to_owned(), 1)]));
            world.delete(&first).await;
            world.delete(&first).await;
            let kept = world.kept().await;
            assert_eq!((kept.files, kept.released, kept.bytes), (2, 0, 10 + 9));
            assert_eq!(process.used_bytes("u1").await.unwrap(), 10 + 9);
            assert_eq!(process.used_bytes("u2").await.unwrap(), 0);
            world.test.finish().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_upload_takes_the_kept_figures_and_the_audit_corrects_them() {
        for shape in shapes() {
            let world = World::start(shape).await;
            let process = &world.process;
            world.file("a.stl", file::MODEL).await;
            world
                .sql("UPDATE user_counter SET bytes = bytes + 1000")
                .await;
            // Nothing is summed up.
            let id = world.file("second.stl", file::MODEL).await;
            assert_eq!(process.used_bytes("u1").await.unwrap(), 1015);
            assert_eq!(process.audit_usage(None).await.unwrap(), (1, None));
            assert_eq!(process.used_bytes("u1").await.unwrap(), 15);
            assert_eq!(process.audit_usage(None).await.unwrap(), (0, None));
            world.delete(&id).await;
            assert_eq!(world.kept().await.bytes, 5);
            world.test.finish().await;
        }
    }

    /// The previous version counts the version up and knows nothing of the figures.
    #[tokio::test(flavor = "multi_thread")]
    async fn changes_of_the_previous_version_are_counted() {
        for shape in shapes() {
            let world = World::start(shape).await;
            let process = &world.process;
            let first = world.file("a.stl", file::MODEL).await;
            world.file("second.stl", file::MODEL).await;
            let text = format!("UPDATE source_file SET deleted = TRUE WHERE id = '{first}'");
            world.sql(&text).await;
            world
                .sql("UPDATE user_counter SET version = version + 1")
                .await;
            assert_eq!(process.used_bytes("u1").await.unwrap(), 10);
            assert_eq!(process.audit_usage(None).await.unwrap(), (0, None));
            let transaction = chassis::db::begin_write(&process.context.db).await.unwrap();
            // A lock for no change makes nothing true.
            process.lock_user(&transaction, "u1").await.unwrap();
            transaction.commit().await.unwrap();
            world.file("third.stl", file::MODEL).await;
            assert_eq!(world.kept().await.bytes, 10 + 9);
            world.test.finish().await;
        }
    }
}
