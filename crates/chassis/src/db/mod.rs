//! A service's own database: connection, rows, lists and migrations, those of outbox and inbox included.

pub mod after;
pub mod change;
pub mod lease;
#[cfg(feature = "servers")]
mod link;
pub mod list;
pub mod migration;
pub mod owned;
pub mod rows;
pub mod states;
pub mod tables;

pub use after::{after_commit, committing};
pub use lease::lease;
pub use list::List;
pub use migration::migrate;
pub use rows::{count_version, insert, insert_new, upsert, upsert_newer};

use std::time::Duration;

use sea_orm::sea_query::{Expr, ExprTrait, Func, LikeExpr};
use sea_orm::{
    AccessMode, ColumnTrait, ConnectOptions, ConnectionTrait, Database, DatabaseConnection,
    DatabaseTransaction, DbBackend, DbErr, IsolationLevel, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};
use serde::Deserialize;

use crate::Settings;

#[derive(Deserialize)]
struct DatabaseConfig {
    url: String,
    max_connections: u32,
    full_sync: Vec<String>,
    acquire_seconds: u64,
    wait_seconds: u64,
    #[cfg(feature = "servers")]
    #[serde(flatten)]
    limits: link::Limits,
}

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
    let url = config.url.replace("{service}", service);
    let mut options = ConnectOptions::new(sqlite_url(&url)?);
    options
        .sqlx_logging(false)
        .acquire_timeout(Duration::from_secs(config.acquire_seconds));
    if url.starts_with("sqlite") {
        on_sqlite(&mut options, &url, config.max_connections, durability);
    } else {
        options
            .max_connections(config.max_connections)
            .connect_timeout(Duration::from_secs(5));
        #[cfg(feature = "servers")]
        link::guard(&mut options, &config.limits);
    }
    connect(options).await
}

/// Longest time that a step of background work waits for its database.
pub(crate) fn longest_wait(settings: &Settings) -> anyhow::Result<Duration> {
    let config: DatabaseConfig = settings.section("database")?;
    Ok(Duration::from_secs(config.wait_seconds))
}

/// Whether a service's database exists: a file of SQLite may not have been made yet.
pub(crate) fn is_there(settings: &Settings, service: &str) -> anyhow::Result<bool> {
    let config: DatabaseConfig = settings.section("database")?;
    let url = config.url.replace("{service}", service);
    Ok(sqlite_path(&url).is_none_or(|path| std::path::Path::new(path).exists()))
}

fn on_sqlite(options: &mut ConnectOptions, url: &str, connections: u32, durability: Durability) {
    // One connection to a database in memory: each would have its own.
    let connections = match url.contains(":memory:") {
        true => 1,
        false => connections,
    };
    options
        .max_connections(connections)
        .min_connections(1)
        // No server can have gone away meanwhile; the question would cost as much as a small query.
        .test_before_acquire(false);
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
}

async fn connect(options: ConnectOptions) -> anyhow::Result<DatabaseConnection> {
    let on_file = options.get_url().starts_with("sqlite");
    let mut waited = 0;
    loop {
        match Database::connect(options.clone()).await {
            Ok(connection) => return Ok(connection),
            Err(error) if waited < 60 && !on_file => {
                tracing::warn!(%error, "database is away, waiting");
                tokio::time::sleep(Duration::from_secs(1)).await;
                waited += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// The file that a SQLite URL names.
fn sqlite_path(url: &str) -> Option<&str> {
    let path = url.strip_prefix("sqlite:")?;
    (!path.contains(":memory:")).then(|| path.trim_start_matches("//"))
}

/// Adds `mode=rwc` to a SQLite file's URL and makes its folder.
fn sqlite_url(url: &str) -> anyhow::Result<String> {
    let Some(path) = sqlite_path(url) else {
        return Ok(url.to_owned());
    };
    if let Some(folder) = std::path::Path::new(path).parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(format!("sqlite://{path}?mode=rwc"))
}

/// Begins a transaction that is going to write. On SQLite it takes the write lock at once: taking it later fails
/// when another transaction wrote in between.
pub async fn begin_write(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let mut options = TransactionOptions::default();
    if db.get_database_backend() == DbBackend::Sqlite {
        options.sqlite_transaction_mode = Some(SqliteTransactionMode::Immediate);
    }
    db.begin_with_options(options).await
}

/// Begins a transaction whose reads all see the database as at its first one: what several queries answer fits together.
pub async fn begin_read(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let mut options = TransactionOptions::default();
    // Each transaction of SQLite reads one snapshot anyway.
    if db.get_database_backend() != DbBackend::Sqlite {
        options.isolation_level = Some(IsolationLevel::RepeatableRead);
        options.access_mode = Some(AccessMode::ReadOnly);
    }
    db.begin_with_options(options).await
}

/// Further characters of what is searched for do not count.
const LONGEST_PART: usize = 200;

/// Pattern of a `LIKE` for a part of a text, whatever signs it has.
pub fn part(text: &str) -> LikeExpr {
    let mut pattern = String::from("%");
    for letter in text.chars().take(LONGEST_PART) {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    LikeExpr::new(pattern).escape('\\')
}

/// Whether a column holds a text, taken by the letter, in capitals or not: SQLite's `LIKE` knows no case of ASCII, PostgreSQL's
/// does, and SQLite's `LOWER` knows ASCII alone.
pub fn contains(column: impl ColumnTrait, text: &str) -> Expr {
    let lower = Expr::expr(Func::lower(column.into_expr())).like(part(&text.to_lowercase()));
    column.like(part(text)).or(lower)
}

/// Whether the database answers. SQLite is asked for its write lock, which somebody may hold for ever, and for a page: without it
/// a file that cannot be read would answer too.
pub async fn ping(db: &DatabaseConnection) -> bool {
    match db.get_database_backend() {
        DbBackend::Sqlite => is_writable(db).await.is_ok(),
        _ => db.ping().await.is_ok(),
    }
}

async fn is_writable(db: &DatabaseConnection) -> Result<(), DbErr> {
    let transaction = begin_write(db).await?;
    transaction
        .execute_unprepared("PRAGMA schema_version")
        .await?;
    transaction.rollback().await
}
