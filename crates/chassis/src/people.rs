//! How people appear: asked from personal and cached for a while.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use moka::sync::Cache;
use proto::personal::v1::{Appearance, AppearancesRequest, PersonalCommands};

use crate::bus::Bus;
use crate::limit;

/// A changed name may be shown stale for this long.
const LIFE: Duration = Duration::from_secs(60);
const MOST: u64 = 20_000;
/// An answer does not wait longer for names.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long personal is left alone after it has not answered, in milliseconds.
const PAUSE: i64 = 5_000;
/// People of one question.
const ASKED: usize = 200;

/// `check_status` of a certified account.
const CERTIFIED: i32 = 1;

/// The mark beside a name: enterprise, personal, or empty. `company_name` is empty without a certified enterprise.
pub fn mark(check_status: i32, company_name: &str) -> &'static str {
    match (check_status, company_name.is_empty()) {
        (CERTIFIED, false) => "enterprise",
        (CERTIFIED, true) => "personal",
        _ => "",
    }
}

/// [`mark`] of a person.
pub fn mark_of(person: &Appearance) -> String {
    mark(person.check_status, &person.company_name).to_owned()
}

/// What is known of people; clones share it.
#[derive(Clone)]
pub struct People {
    bus: Bus,
    known: Cache<String, Appearance>,
    /// Unix time in milliseconds before which personal is not asked.
    paused_until: Arc<AtomicI64>,
}

impl People {
    pub fn new(bus: Bus) -> Self {
        Self {
            bus,
            known: Cache::builder()
                .max_capacity(MOST)
                .time_to_live(LIFE)
                .build(),
            paused_until: Arc::default(),
        }
    }

    /// How these people appear. Those that personal does not return in time are left out.
    pub async fn appearances<'a>(
        &self,
        now: i64,
        ids: impl Iterator<Item = &'a str>,
    ) -> HashMap<String, Appearance> {
        let wanted: HashSet<&str> = ids.filter(|id| !id.is_empty()).collect();
        let (mut found, mut asked) = (HashMap::new(), Vec::new());
        for id in wanted {
            match self.known.get(id) {
                Some(known) => _ = found.insert(id.to_owned(), known),
                None => asked.push(id.to_owned()),
            }
        }
        asked.truncate(ASKED);
        found.extend(self.ask(now, asked).await);
        found
    }

    /// Asks personal about these people and remembers its answer; empty if there is none in time.
    async fn ask(&self, now: i64, ids: Vec<String>) -> HashMap<String, Appearance> {
        if ids.is_empty() || self.paused_until.load(Ordering::Relaxed) > now {
            return HashMap::new();
        }
        let request = AppearancesRequest { login_ids: ids };
        let answer = PersonalCommands::appearances(&self.bus, &request);
        match tokio::time::timeout(limit::patient(PATIENCE), answer).await {
            Ok(Ok(reply)) => {
                let mut appearances: HashMap<String, Appearance> = reply
                    .people
                    .into_iter()
                    .map(|one| (one.login_id.clone(), one))
                    .collect();
                // Unknown people are cached too, so that they are not asked for each time.
                let answered = request.login_ids.into_iter().map(|id| {
                    let one = appearances.remove(&id).unwrap_or_default();
                    self.known.insert(id.clone(), one.clone());
                    (id, one)
                });
                answered.collect()
            }
            failed => {
                self.paused_until.store(now + PAUSE, Ordering::Relaxed);
                let error = failed.err().map_or("refused", |_| "no answer in time");
                tracing::warn!(error, "names of people are not known");
                HashMap::new()
            }
        }
    }

    /// How one person appears now; from the cache only while personal does not answer.
    pub async fn newest(&self, now: i64, id: &str) -> Option<Appearance> {
        let mut found = self.ask(now, vec![id.to_owned()]).await;
        found.remove(id).or_else(|| self.known.get(id))
    }
}
