//! The schema.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, boolean, integer, string_len, text,
};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(chassis::db::migration::Messaging),
            Box::new(Initial),
            Box::new(Turntable),
            Box::new(Entitlements),
            Box::new(chassis::db::migration::Streaming),
            Box::new(Packages),
            Box::new(JobTraces),
            Box::new(chassis::db::migration::InboxAge),
            Box::new(Proxy),
            Box::new(chassis::db::migration::Undelivered),
            Box::new(kept()),
            Box::new(fair_queue()),
            Box::new(chassis::words::table()),
            Box::new(chassis::audit::Table),
            Box::new(console()),
            Box::new(chassis::rights::tables()),
            Box::new(giving_way()),
            Box::new(feedback()),
            Box::new(file_versions()),
            Box::new(usage()),
            Box::new(long_jobs()),
            Box::new(chassis::garbage::retries()),
            Box::new(result_bytes()),
            Box::new(chassis::audit::NotReplaced),
        ]
    }
}

/// Columns and indexes for operators' view of jobs.
fn console() -> Change {
    Change::new("m20261124_000002_console")
        .sql(
            "ALTER TABLE job ADD COLUMN error VARCHAR(1000) NOT NULL DEFAULT ''",
            "ALTER TABLE job DROP COLUMN error",
        )
        .index("job_time", "job", &["created_at", "id"])
        .index("job_kind_time", "job", &["kind", "created_at", "id"])
        .index("job_owner_time", "job", &["owner", "created_at", "id"])
}

/// Version of a source file, for the events about it.
fn file_versions() -> Change {
    Change::new("m20261128_000001_file_versions").sql(
        "ALTER TABLE source_file ADD COLUMN version BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE source_file DROP COLUMN version",
    )
}

/// Bytes of each user's results, counted when the user comes next.
fn result_bytes() -> Change {
    Change::new("m20261204_000001_result_bytes")
        .sql(
            "ALTER TABLE user_counter ADD COLUMN result_bytes BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE user_counter DROP COLUMN result_bytes",
        )
        .sql(
            "UPDATE user_counter SET counted_at = version - 1",
            "UPDATE user_counter SET counted_at = version - 1",
        )
}

/// Jobs that may take an hour.
fn long_jobs() -> Change {
    Change::new("m20261130_000002_long_jobs")
        .sql(
            "ALTER TABLE job ADD COLUMN is_long BOOLEAN NOT NULL DEFAULT FALSE",
            "ALTER TABLE job DROP COLUMN is_long",
        )
        .sql(
            "UPDATE job SET is_long = TRUE WHERE kind = 'tile'",
            "UPDATE job SET is_long = FALSE",
        )
}

/// What each user has. Rows of the previous version are counted when their user comes next.
fn usage() -> Change {
    Change::new("m20261130_000001_usage")
        .sql(
            "ALTER TABLE user_counter ADD COLUMN counted_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE user_counter DROP COLUMN counted_at",
        )
        .sql(
            "ALTER TABLE user_counter ADD COLUMN files BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE user_counter DROP COLUMN files",
        )
        .sql(
            "ALTER TABLE user_counter ADD COLUMN scenes BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE user_counter DROP COLUMN scenes",
        )
        .sql(
            "ALTER TABLE user_counter ADD COLUMN released BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE user_counter DROP COLUMN released",
        )
        .sql(
            "ALTER TABLE user_counter ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE user_counter DROP COLUMN bytes",
        )
        .sql(
            "ALTER TABLE user_counter ADD COLUMN results TEXT NOT NULL DEFAULT '{}'",
            "ALTER TABLE user_counter DROP COLUMN results",
        )
}

/// Users' ratings of results.
fn feedback() -> Change {
    let feedback = Table::create()
        .table("result_feedback")
        .col(string_len("result_id", 64).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("service_type", 32))
        .col(integer("stars"))
        .col(text("content"))
        .col(string_len("model_name", 128))
        .col(string_len("status", 16))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned();
    Change::new("m20261129_000370_feedback")
        .table("result_feedback", feedback)
        .index(
            "result_feedback_time",
            "result_feedback",
            &["updated_at", "result_id"],
        )
        .index("result_feedback_owner", "result_feedback", &["owner"])
        .index(
            "result_feedback_service",
            "result_feedback",
            &["service_type", "stars"],
        )
}

/// Owners who give way to all other users.
fn giving_way() -> Change {
    Change::new("m20261127_000001_giving_way").sql(
        "ALTER TABLE user_counter ADD COLUMN gives_way BOOLEAN NOT NULL DEFAULT FALSE",
        "ALTER TABLE user_counter DROP COLUMN gives_way",
    )
}

/// Order of the queue. Jobs queued by the previous version become services with the first turn.
fn fair_queue() -> Change {
    Change::new("m20261123_000002_fair_queue")
        .sql(
            "ALTER TABLE job ADD COLUMN priority INTEGER NOT NULL DEFAULT 1",
            "ALTER TABLE job DROP COLUMN priority",
        )
        .sql(
            "ALTER TABLE job ADD COLUMN turn BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE job DROP COLUMN turn",
        )
        .sql(
            "ALTER TABLE job ADD COLUMN ready_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE job DROP COLUMN ready_at",
        )
        .sql(
            "ALTER TABLE job ADD COLUMN put_off_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE job DROP COLUMN put_off_at",
        )
        .sql(
            "ALTER TABLE job ADD COLUMN yields INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE job DROP COLUMN yields",
        )
        .sql(
            "UPDATE job SET priority = CASE kind WHEN 'check' THEN 0 WHEN 'turntable' THEN 3 ELSE 1 END \
             WHERE state IN ('queued', 'running')",
            "SELECT 1",
        )
        .index(
            "job_next",
            "job",
            &["state", "priority", "turn", "created_at", "id"],
        )
        .index(
            "job_owner",
            "job",
            &["owner", "state", "priority", "turn"],
        )
}

struct Initial;

impl MigrationName for Initial {
    fn name(&self) -> &str {
        "m20261121_000001_process"
    }
}

const ID: u32 = 64;

fn id(name: &'static str) -> ColumnDef {
    string_len(name, ID)
}

fn key_column(name: &'static str) -> ColumnDef {
    string_len(name, 1100)
}

fn index(name: &str, table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(name).table(table);
    for column in columns {
        index.col(*column);
    }
    index
}

#[async_trait::async_trait]
impl MigrationTrait for Initial {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(files()).await?;
        let mut own_object = index("file_object", "source_file", &["owner", "object_key"]);
        manager.create_index(own_object.unique().to_owned()).await?;
        manager
            .create_index(index(
                "file_owner",
                "source_file",
                &["owner", "deleted", "created_at"],
            ))
            .await?;
        let messages = Table::create()
            .table("check_message")
            .col(id("file_id"))
            .col(big_integer("seq"))
            .col(string_len("status", 16))
            .col(text("tips"))
            .col(big_integer("created_at"))
            .col(big_integer("file_size"))
            .col(string_len("format", 32))
            .col(boolean("animation"))
            .col(integer("model_num"))
            .primary_key(Index::create().col("file_id").col("seq"))
            .to_owned();
        manager.create_table(messages).await?;
        manager.create_table(jobs()).await?;
        manager
            .create_index(index("job_state", "job", &["state", "created_at"]))
            .await?;
        manager
            .create_index(index("job_file", "job", &["file_id"]))
            .await?;
        manager.create_table(results()).await?;
        let mut once = index("result_once", "service_result", &["owner", "fingerprint"]);
        manager.create_index(once.unique().to_owned()).await?;
        manager
            .create_index(index(
                "result_owner",
                "service_result",
                &["owner", "created_at"],
            ))
            .await?;
        let garbage = Table::create()
            .table("garbage")
            .col(key_column("object_key").primary_key())
            .col(big_integer("created_at"))
            .to_owned();
        manager.create_table(garbage).await?;
        let counters = Table::create()
            .table("user_counter")
            .col(id("owner").primary_key())
            .col(big_integer("version"))
            .to_owned();
        manager.create_table(counters).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            "user_counter",
            "garbage",
            "service_result",
            "job",
            "check_message",
            "source_file",
        ] {
            manager
                .drop_table(Table::drop().table(table).to_owned())
                .await?;
        }
        Ok(())
    }
}

/// The file's turntable preview.
struct Turntable;

impl MigrationName for Turntable {
    fn name(&self) -> &str {
        "m20261121_000002_turntable"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Turntable {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let add = Table::alter()
            .table("source_file")
            .add_column(key_column("turntable_key").default(""))
            .to_owned();
        manager.alter_table(add).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let drop = Table::alter()
            .table("source_file")
            .drop_column("turntable_key")
            .to_owned();
        manager.alter_table(drop).await
    }
}

fn files() -> TableCreateStatement {
    Table::create()
        .table("source_file")
        .col(id("id").primary_key())
        .col(id("owner"))
        .col(key_column("object_key"))
        .col(string_len("etag", 128))
        .col(string_len("sha256", 64))
        .col(string_len("file_name", 512))
        .col(string_len("model_name", 128))
        .col(string_len("format", 32))
        .col(big_integer("file_size"))
        .col(integer("model_type"))
        .col(string_len("file_source", 64))
        .col(integer("origin"))
        .col(string_len("status", 16))
        .col(text("tips"))
        .col(boolean("released"))
        .col(text("label_ids"))
        .col(big_integer("triangles"))
        .col(boolean("animation"))
        .col(integer("model_num"))
        .col(integer("score"))
        .col(text("report"))
        .col(key_column("preview_key"))
        .col(key_column("thumb_key"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .col(boolean("deleted"))
        .to_owned()
}

fn jobs() -> TableCreateStatement {
    Table::create()
        .table("job")
        .col(id("id").primary_key())
        .col(string_len("kind", 16))
        .col(id("owner"))
        .col(id("file_id"))
        .col(id("result_id"))
        .col(string_len("state", 16))
        .col(integer("attempts"))
        .col(id("lease"))
        .col(big_integer("lease_until"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn results() -> TableCreateStatement {
    Table::create()
        .table("service_result")
        .col(id("id").primary_key())
        .col(id("owner"))
        .col(id("file_id"))
        .col(string_len("service_type", 32))
        .col(text("params"))
        .col(string_len("fingerprint", 128))
        .col(string_len("status", 16))
        .col(integer("percent"))
        .col(string_len("stage", 64))
        .col(text("tips"))
        .col(string_len("model_name", 128))
        .col(string_len("file_name", 512))
        .col(string_len("format", 32))
        .col(key_column("object_key"))
        .col(key_column("preview_key"))
        .col(big_integer("file_size"))
        .col(big_integer("source_size"))
        .col(text("report"))
        .col(big_integer("created_at"))
        .col(big_integer_null("finished_at"))
        .to_owned()
}

struct Entitlements;

impl MigrationName for Entitlements {
    fn name(&self) -> &str {
        "m20261122_000001_entitlements"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Entitlements {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let entitlement = Table::create()
            .table("entitlement")
            .col(id("owner").primary_key())
            .col(big_integer("version"))
            .col(text("terms"))
            .to_owned();
        manager.create_table(entitlement).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_table(Table::drop().table("entitlement").to_owned())
            .await
    }
}

struct Packages;

impl MigrationName for Packages {
    fn name(&self) -> &str {
        "m20261122_000003_packages"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Packages {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::alter()
            .table("entitlement")
            .add_column(text("storage").default("[]"))
            .to_owned();
        manager.alter_table(table).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::alter()
            .table("entitlement")
            .drop_column("storage")
            .to_owned();
        manager.alter_table(table).await
    }
}

/// Trace context of the request that a job comes from.
struct JobTraces;

impl MigrationName for JobTraces {
    fn name(&self) -> &str {
        "m20261122_000004_job_traces"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for JobTraces {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::alter()
            .table("job")
            .add_column(string_len("traceparent", 64).default(""))
            .to_owned();
        manager.alter_table(table).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::alter()
            .table("job")
            .drop_column("traceparent")
            .to_owned();
        manager.alter_table(table).await
    }
}

/// Key under which a file is kept.
fn kept() -> Change {
    Change::new("m20261123_000002_kept").sql(
        "ALTER TABLE source_file ADD COLUMN kept_key VARCHAR(1100) NOT NULL DEFAULT ''",
        "ALTER TABLE source_file DROP COLUMN kept_key",
    )
}

/// The stand-in of a file's preview.
struct Proxy;

impl MigrationName for Proxy {
    fn name(&self) -> &str {
        "m20261123_000001_proxy"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Proxy {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::alter()
            .table("source_file")
            .add_column(key_column("proxy_key").default(""))
            .to_owned();
        manager.alter_table(table).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::alter()
            .table("source_file")
            .drop_column("proxy_key")
            .to_owned();
        manager.alter_table(table).await
    }
}
