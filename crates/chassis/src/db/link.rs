//! A connection to PostgreSQL that goes silent without breaking is noticed from both ends.
//!
//! sqlx reads without a limit, and when it takes a connection back it asks it for a sign of life, without a limit too: each
//! dead connection would keep its place in the pool for ever. So it is asked here, with a limit, before it is used and when
//! it is given back. The server ends sessions whose client is gone, or they would keep the rows locked that the other
//! replicas wait for.

use std::time::Duration;

use sea_orm::sqlx::{Connection, PgConnection};
use sea_orm::{ConnectOptions, SqlxError};
use serde::Deserialize;

/// Statements that a connection keeps prepared: more than any service has.
const PREPARED: usize = 256;
/// One that has answered so long ago needs not be asked before it is used.
const FRESH: Duration = Duration::from_millis(100);
/// After so many seconds of silence the server asks whether its client is there, so often and so many times; and for so
/// many milliseconds what it has sent may stay unacknowledged.
const CLIENT_GONE: [(&str, &str); 4] = [
    ("tcp_keepalives_idle", "30"),
    ("tcp_keepalives_interval", "10"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "30000"),
];

/// The limits of the section `[database]`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Limits {
    ping_seconds: u64,
    statement_seconds: u64,
    idle_transaction_seconds: u64,
}

/// Puts the limits on every connection that is opened with `options`.
pub(super) fn guard(options: &mut ConnectOptions, limits: &Limits) {
    let wait = Duration::from_secs(limits.ping_seconds);
    let milliseconds = |seconds: u64| seconds.saturating_mul(1000).to_string();
    let at_server = [
        ("statement_timeout", milliseconds(limits.statement_seconds)),
        (
            "idle_in_transaction_session_timeout",
            milliseconds(limits.idle_transaction_seconds),
        ),
    ];
    // Known before it counts.
    count(0);
    options.test_before_acquire(false);
    options.map_sqlx_postgres_opts(move |o| {
        o.statement_cache_capacity(PREPARED)
            .options(at_server.clone())
            .options(CLIENT_GONE)
    });
    options.map_sqlx_postgres_pool_opts(move |pool| {
        pool.before_acquire(move |connection, meta| {
            Box::pin(async move {
                if meta.idle_for >= FRESH {
                    answers(connection, wait).await?;
                }
                Ok(true)
            })
        })
        .after_release(move |connection, _| {
            Box::pin(async move {
                answers(connection, wait).await?;
                Ok(true)
            })
        })
    });
}

fn count(times: u64) {
    metrics::counter!("xuanlan_database_silent_total").increment(times);
}

/// An error makes the pool close the connection without a word to the server, which would not be heard.
async fn answers(connection: &mut PgConnection, wait: Duration) -> Result<(), SqlxError> {
    match tokio::time::timeout(wait, connection.ping()).await {
        Ok(answer) => answer,
        Err(_) => {
            count(1);
            Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into())
        }
    }
}
