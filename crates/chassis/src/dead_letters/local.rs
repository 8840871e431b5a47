//! Dead letters where no broker keeps them: each consumer's database has its own, which a command opens beside the process
//! that runs.

use proto::events::CONSUMERS;
use sea_orm::DatabaseConnection;

use crate::bus::dead::{DeadLetter, Verdict};
use crate::messaging::undelivered::{self, row};
use crate::{Settings, db};

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

    pub(super) async fn counts(&self) -> anyhow::Result<Vec<(&'static str, u32)>> {
        let mut all = Vec::with_capacity(CONSUMERS.len());
        for consumer in CONSUMERS {
            let count = match self.database(consumer.name).await? {
                Some(db) => undelivered::count_dead(&db, consumer.name).await?,
                None => 0,
            };
            all.push((consumer.name, u32::try_from(count).unwrap_or(u32::MAX)));
        }
        Ok(all)
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
