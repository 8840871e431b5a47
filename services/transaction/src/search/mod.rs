//! How listings are found, and what everybody sees of one. The index of each replica says which; price, state and ownership come from
//! the database when it is answered.

mod answer;
mod detail;
mod follow;
mod grpc;
pub(crate) mod index;
pub(crate) mod similar;
pub(crate) mod vocabulary;
pub(crate) mod words;

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use chassis::people::People;
use chassis::{ServiceError, limit};
use moka::sync::Cache;
use proto::personal::v1::Appearance;
use tokio::sync::watch;

use crate::Mall;

/// Life of what the index answered.
const ANSWER_LIFE: Duration = Duration::from_secs(1);
/// Answers that are kept: of the first pages people open.
const ANSWERS: u64 = 128;
/// How long a call waits for an index that is still being built.
const PATIENCE: Duration = Duration::from_secs(2);

/// The calls, and what they look things up in; clones share it.
#[derive(Clone)]
pub struct Search {
    pub(crate) mall: Mall,
    listings: Arc<index::Listings>,
    vocabulary: Arc<RwLock<vocabulary::Vocabulary>>,
    descriptors: Arc<RwLock<similar::Descriptors>>,
    answers: Cache<String, Arc<answer::Known>>,
    people: People,
    caught_up: Arc<watch::Sender<bool>>,
}

impl Search {
    /// Begins to build the index, and follows the database from then on.
    pub(crate) fn start(mall: &Mall) -> anyhow::Result<Self> {
        let search = Self {
            mall: mall.clone(),
            listings: Arc::new(index::Listings::new()?),
            vocabulary: Arc::default(),
            descriptors: Arc::default(),
            answers: Cache::builder()
                .max_capacity(ANSWERS)
                .time_to_live(ANSWER_LIFE)
                .build(),
            people: People::new(mall.context.bus.clone()),
            caught_up: Arc::new(watch::Sender::new(false)),
        };
        follow::spawn(&search);
        Ok(search)
    }

    /// How these people appear. Where personal does not answer in time, those it has not told of are left out.
    pub(crate) async fn makers<'a>(
        &self,
        ids: impl Iterator<Item = &'a str>,
    ) -> HashMap<String, Appearance> {
        self.people.appearances(self.mall.now(), ids).await
    }

    /// Waits until the index has caught up. Errors: it takes longer.
    async fn ready(&self) -> Result<(), ServiceError> {
        let mut caught_up = self.caught_up.subscribe();
        let waited = tokio::time::timeout(
            limit::patient(PATIENCE),
            caught_up.wait_for(|caught_up| *caught_up),
        )
        .await;
        match waited {
            Ok(Ok(_)) => Ok(()),
            _ => Err(ServiceError::Unavailable("search index")),
        }
    }

    /// Asks the index, aside from what answers calls.
    async fn asked<T, F>(&self, question: F) -> Result<T, ServiceError>
    where
        T: Send + 'static,
        F: FnOnce(&index::Listings) -> anyhow::Result<T> + Send + 'static,
    {
        self.ready().await?;
        let listings = self.listings.clone();
        let answer = tokio::task::spawn_blocking(move || question(&listings)).await;
        Ok(answer.map_err(anyhow::Error::from)??)
    }
}
