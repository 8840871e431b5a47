//! A TCP proxy whose connections can go silent for ever, as in a failover: nothing breaks, nothing comes, and new ones work.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, Statement,
    TransactionTrait,
};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::eventually;

pub struct Proxy {
    address: SocketAddr,
    /// How often its connections went silent.
    silences: watch::Sender<u64>,
}

impl Proxy {
    /// In front of the server that `url` names.
    pub async fn before(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("a bound listener");
        let silences = watch::Sender::new(0_u64);
        let (target, watched) = (authority(url).to_owned(), silences.clone());
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let silence = watched.subscribe();
                tokio::spawn(carry(near, target.clone(), silence));
            }
        });
        Self { address, silences }
    }

    /// The URL through the proxy.
    pub fn through(&self, url: &str) -> String {
        url.replacen(authority(url), &self.address.to_string(), 1)
    }

    /// Every connection there is carries nothing any more.
    pub fn silence(&self) {
        self.silences.send_modify(|count| *count += 1);
    }
}

/// `host:port` of a URL.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").expect("an address").1;
    let rest = rest.split_once('/').map_or(rest, |(rest, _)| rest);
    rest.rsplit_once('@').map_or(rest, |(_, rest)| rest)
}

async fn carry(mut near: TcpStream, target: String, mut silence: watch::Receiver<u64>) {
    let Ok(mut far) = TcpStream::connect(&target).await else {
        return;
    };
    tokio::select! {
        _ = copy_bidirectional(&mut near, &mut far) => {}
        // Both stay open and unread.
        Ok(()) = silence.changed() => std::future::pending().await,
    }
}

/// A table of PostgreSQL that whoever reads or writes it waits for.
pub struct HeldTable {
    table: String,
    transaction: DatabaseTransaction,
}

impl HeldTable {
    /// `past`: a connection that the proxy does not carry.
    pub async fn hold(past: &DatabaseConnection, table: &str) -> Self {
        Self::hold_in(past, table, "ACCESS EXCLUSIVE").await
    }

    /// As [`HeldTable::hold`], from those that write.
    pub async fn hold_writes(past: &DatabaseConnection, table: &str) -> Self {
        Self::hold_in(past, table, "SHARE").await
    }

    async fn hold_in(past: &DatabaseConnection, table: &str, mode: &str) -> Self {
        let transaction = past.begin().await.expect("begun");
        let lock = format!("LOCK TABLE {table} IN {mode} MODE");
        transaction.execute_unprepared(&lock).await.expect("locked");
        Self {
            table: table.to_owned(),
            transaction,
        }
    }

    /// Lets the connections of `proxy` go silent while a statement that begins like this waits for the table, and the table
    /// free after that: the answer does not come.
    pub async fn silence(self, proxy: &Proxy, statement: &str) {
        self.sees(statement).await;
        self.free(proxy).await;
    }

    /// As [`HeldTable::silence`], while `step` is repeated: on a busy machine one may be given up before its statement waits.
    /// It returns whether it was; as long as the table is held, each is.
    pub async fn silence_during<F>(
        self,
        proxy: &Proxy,
        statement: &str,
        mut step: impl FnMut() -> F,
    ) where
        F: Future<Output = bool>,
    {
        let silent = AtomicBool::new(false);
        let silence = async {
            self.sees(statement).await;
            // Before the table is free: from here on a step may pass.
            silent.store(true, Ordering::SeqCst);
            self.free(proxy).await;
        };
        let steps = async {
            loop {
                let given_up = step().await;
                if silent.load(Ordering::SeqCst) {
                    return;
                }
                assert!(given_up, "done while the table was held");
            }
        };
        tokio::join!(silence, steps);
    }

    /// Waits until a statement that begins like this waits for the table.
    async fn sees(&self, statement: &str) {
        let sql = format!(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) \
             WHERE relation = '{}'::regclass AND NOT granted AND query LIKE '{statement}%'",
            self.table
        );
        eventually("a statement waits for the table", || async {
            let query = Statement::from_string(DbBackend::Postgres, sql.as_str());
            let row = self.transaction.query_one_raw(query).await.expect("asked");
            let waiting: i64 = row.and_then(|row| row.try_get_by_index(0).ok())?;
            (waiting > 0).then_some(())
        })
        .await;
    }

    /// Silences the connections, and lets go of the table.
    async fn free(self, proxy: &Proxy) {
        proxy.silence();
        self.transaction.rollback().await.expect("free");
    }
}
