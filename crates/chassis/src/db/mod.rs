//! A service's own database: connection, pages and migrations, those of outbox and inbox included.

pub mod change;
pub mod migration;
pub mod states;

pub use migration::migrate;

use std::time::Duration;

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbBackend,
    DbErr, EntityTrait, PaginatorTrait, QuerySelect, Select, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};
use serde::Deserialize;

use crate::Settings;

#[derive(Deserialize)]
struct DatabaseConfig {
    url: String,
    max_connections: u32,
    full_sync: Vec<String>,
}

#[cfg(feature = "servers")]
/// Statements that a connection to PostgreSQL keeps prepared: more than any service has.
const PREPARED: usize = 256;

/// What a commit on SQLite waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A power cut may take the last commits back, never break the file.
    Normal,
    /// The disk has it.
    Full,
}

/// Opens the database of `service` as the section `[database]` says. A server that is away is waited for: a minute at most.
pub async fn open(settings: &Settings, service: &str) -> anyhow::Result<DatabaseConnection> {
    let config: DatabaseConfig = settings.section("database")?;
    let durability = match config.full_sync.iter().any(|name| name == service) {
        true => Durability::Full,
        false => Durability::Normal,
    };
    open_url_with(
        &config.url.replace("{service}", service),
        config.max_connections,
        durability,
    )
    .await
}

/// Opens a database: `sqlite:path` (made when missing, WAL), `sqlite::memory:` or `postgres://…`.
pub async fn open_url(url: &str, max_connections: u32) -> anyhow::Result<DatabaseConnection> {
    open_url_with(url, max_connections, Durability::Normal).await
}

async fn open_url_with(
    url: &str,
    max_connections: u32,
    durability: Durability,
) -> anyhow::Result<DatabaseConnection> {
    let mut options = ConnectOptions::new(sqlite_url(url)?);
    options
        .sqlx_logging(false)
        .acquire_timeout(Duration::from_secs(8));
    if url.starts_with("sqlite") {
        // One connection to a database in memory: each would have its own.
        let connections = if url.contains(":memory:") {
            1
        } else {
            max_connections
        };
        options.max_connections(connections).min_connections(1);
        let synchronous = match durability {
            Durability::Normal => "NORMAL",
            Durability::Full => "FULL",
        };
        options.map_sqlx_sqlite_opts(move |o| {
            o.pragma("journal_mode", "WAL")
                .pragma("synchronous", synchronous)
                .pragma("foreign_keys", "ON")
                .busy_timeout(Duration::from_secs(10))
        });
    } else {
        options
            .max_connections(max_connections)
            .connect_timeout(Duration::from_secs(5));
        #[cfg(feature = "servers")]
        options.map_sqlx_postgres_opts(|o| o.statement_cache_capacity(PREPARED));
    }
    let mut waited = 0;
    loop {
        match Database::connect(options.clone()).await {
            Ok(connection) => return Ok(connection),
            Err(error) if waited < 60 && !url.starts_with("sqlite") => {
                tracing::warn!(%error, "database is away, waiting");
                tokio::time::sleep(Duration::from_secs(1)).await;
                waited += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Adds `mode=rwc` to a SQLite file's URL and makes its folder.
fn sqlite_url(url: &str) -> anyhow::Result<String> {
    let Some(path) = url.strip_prefix("sqlite:") else {
        return Ok(url.to_owned());
    };
    if path.contains(":memory:") {
        return Ok(url.to_owned());
    }
    let path = path.trim_start_matches("//");
    if let Some(folder) = std::path::Path::new(path).parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(format!("sqlite://{path}?mode=rwc"))
}

/// Begins a transaction that is going to write. On SQLite it takes the write lock at once: taking it later fails
/// when somebody else wrote in between.
pub async fn begin_write(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let mut options = TransactionOptions::default();
    if db.get_database_backend() == DbBackend::Sqlite {
        options.sqlite_transaction_mode = Some(SqliteTransactionMode::Immediate);
    }
    db.begin_with_options(options).await
}

/// Rows of a page when the caller does not say, and at most.
const PAGE_SIZE: i32 = 20;
const MAX_PAGE_SIZE: i32 = 200;

/// Offset and limit of a page; pages count from 1.
fn page(number: i32, size: i32) -> (u64, u64) {
    let size = match size {
        ..=0 => PAGE_SIZE,
        _ => size.min(MAX_PAGE_SIZE),
    } as u64;
    (i64::from(number.max(1) - 1) as u64 * size, size)
}

/// A page of an ordered query, and how many rows all its pages have.
pub async fn paged<E, C>(
    query: Select<E>,
    number: i32,
    size: i32,
    connection: &C,
) -> Result<(i64, Vec<E::Model>), DbErr>
where
    E: EntityTrait<Model: Send + Sync + 'static>,
    C: ConnectionTrait,
{
    let total = query.clone().count(connection).await?;
    let (offset, limit) = page(number, size);
    let rows = query.offset(offset).limit(limit).all(connection).await?;
    Ok((i64::try_from(total).unwrap_or(i64::MAX), rows))
}

/// Whether the database answers.
pub async fn ping(db: &DatabaseConnection) -> bool {
    db.ping().await.is_ok()
}
