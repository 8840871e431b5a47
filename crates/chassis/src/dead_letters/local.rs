//! Dead letters where no broker keeps them: each consumer's database has its own, which a command opens beside the process
//! that runs.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::join_all;
use proto::events::CONSUMERS;
use sea_orm::DatabaseConnection;

use crate::bus::dead::{Backlog, DeadLetter, Unhandled, Verdict};
use crate::messaging::undelivered::{self, Counts, row};
use crate::{Settings, db};

/// Longest time that a database may take to say what it keeps.
const LIMIT: Duration = Duration::from_secs(3);

pub(super) struct LocalLetters {
    pub(super) settings: Settings,
}

impl LocalLetters {
    /// None where the consumer has never run.
    async fn database(&self, consumer: &str) -> anyhow::Result<Option<DatabaseConnection>> {
        match db::is_there(&self.settings, consumer)? {
            true => Ok(Some(db::open(&self.settings, consumer).await?)),
            false => Ok(None),
        }
    }

    /// Of each consumer by itself: one whose database does not answer hides no other.
    pub(super) async fn backlogs(&self) -> Vec<Backlog> {
        let asked = CONSUMERS.iter().map(async |one| {
            let counted = tokio::time::timeout(LIMIT, self.kept_by(one.name)).await;
            let error = match counted {
                Ok(Ok(counts)) => return (one.name, Some(counts)),
                Ok(Err(error)) => format!("{error:#}"),
                Err(_) => "no answer in time".to_owned(),
            };
            tracing::warn!(consumer = one.name, error, "what waits cannot be counted");
            (one.name, None)
        });
        let kept = join_all(asked).await;
        // Publishers hold events for consumers whose databases take none.
        let held = |consumer: &str| -> u64 {
            let lane = undelivered::lane(consumer);
            let known = kept.iter().filter_map(|(_, counts)| counts.as_ref());
            let of_lane = known.filter_map(|counts| counts.get(&lane));
            of_lane.map(Counts::waiting).sum()
        };
        let backlog = |(consumer, counts): &(&'static str, Option<BTreeMap<String, Counts>>)| {
            let own = |of: &BTreeMap<String, Counts>| of.get(*consumer).copied();
            Backlog {
                consumer,
                counts: counts.as_ref().map(own).map(|own| {
                    let own = own.unwrap_or_default();
                    Unhandled {
                        waiting: own.waiting() + held(consumer),
                        dead: own.dead(),
                    }
                }),
            }
        };
        kept.iter().map(backlog).collect()
    }

    /// What a service's database keeps, by consumer and lane.
    async fn kept_by(&self, service: &str) -> anyhow::Result<BTreeMap<String, Counts>> {
        match self.database(service).await? {
            Some(db) => Ok(undelivered::counts_of_all(&db).await?),
            None => Ok(BTreeMap::new()),
        }
    }

    #[cfg(feature = "testing")]
    pub(super) async fn bury(
        &self,
        consumer: &str,
        event: &crate::messaging::Event,
        now_ms: i64,
    ) -> anyhow::Result<()> {
        let Some(db) = self.database(consumer).await? else {
            anyhow::bail!("{consumer} has never run");
        };
        undelivered::bury(&db, consumer, event, now_ms).await?;
        Ok(())
    }

    /// As that of the broker. What is to be delivered again is found by the process that runs, or by the next one.
    pub(super) async fn go_through(
        &self,
        consumer: &str,
        most: u32,
        mut judge: impl FnMut(&DeadLetter) -> Verdict,
    ) -> anyhow::Result<u32> {
        let Some(db) = self.database(consumer).await? else {
            return Ok(0);
        };
        let mut seen = 0;
        for letter in undelivered::all_dead(&db, consumer, most.into()).await? {
            let position = letter.position;
            seen += 1;
            match judge(&letter_of(letter)) {
                Verdict::Keep => {}
                Verdict::Replay => undelivered::revive(&db, position).await?,
                Verdict::Drop => undelivered::forget(&db, position).await?,
            }
        }
        Ok(seen)
    }
}

fn letter_of(row: row::Model) -> DeadLetter {
    DeadLetter {
        id: row.event_id,
        key: row.event_key,
        aggregate: row.aggregate,
        version: row.version,
        time_ms: row.created_at,
        died_at_ms: row.given_up_at.unwrap_or_default(),
        traceparent: row.traceparent,
        bytes: row.body.len(),
        reason: row.reason,
    }
}
