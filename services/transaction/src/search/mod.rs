//! How listings are found, and the public view of one. The index of each replica says which; price, state and ownership come
//! from the database when it is answered.

mod answer;
mod detail;
mod facets;
pub(crate) mod find;
mod follow;
mod index;
pub(crate) mod makers;
pub(crate) mod similar;
pub(crate) mod vocabulary;
pub(crate) mod words;

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use chassis::{Origin, ServiceError, limit};
use moka::sync::Cache;
use proto::common::v1::Empty;
use proto::personal::v1::Appearance;
use proto::transaction::v1::*;
use tokio::sync::watch;

use crate::Mall;

/// Life of what the index answered.
const ANSWER_LIFE: Duration = Duration::from_secs(1);
/// Answers that are kept: of the first pages people open.
const ANSWERS: u64 = 128;
/// How long a call waits for an index that is still being built.
const PATIENCE: Duration = Duration::from_secs(2);
const DAY: i64 = 86_400_000;
/// The date in China is this much ahead.
const CHINA: i64 = 8 * 3_600_000;

/// The calls, and what they look things up in; clones share it.
#[derive(Clone)]
pub struct Search {
    pub(crate) mall: Mall,
    listings: Arc<index::Listings>,
    vocabulary: Arc<RwLock<vocabulary::Vocabulary>>,
    descriptors: Arc<RwLock<similar::Descriptors>>,
    names: Arc<RwLock<makers::Makers>>,
    answers: Cache<String, Arc<answer::Known>>,
    caught_up: Arc<watch::Sender<bool>>,
}

impl SearchCalls<ServiceError> for Search {
    async fn model_list(
        &self,
        _: &Origin,
        form: ModelListRequest,
    ) -> Result<ModelListReply, ServiceError> {
        self.list(form).await
    }

    async fn label_cate(&self, _: &Origin, _: Empty) -> Result<Vec<MallCategory>, ServiceError> {
        self.categories().await
    }

    async fn format_list(&self, _: &Origin, _: Empty) -> Result<Vec<MallFormat>, ServiceError> {
        self.formats().await
    }

    async fn new_quantities(
        &self,
        _: &Origin,
        _: Empty,
    ) -> Result<NewQuantitiesReply, ServiceError> {
        let now = self.mall.now();
        let midnight = (now + CHINA) / DAY * DAY - CHINA;
        let since = [midnight, now - 7 * DAY, now - 30 * DAY];
        let counted = self
            .asked(move |listings| {
                since
                    .iter()
                    .map(|since| listings.new_since(*since))
                    .collect::<anyhow::Result<Vec<_>>>()
            })
            .await?;
        let all = crate::category::all(&self.mall.context.db).await?;
        let of = |at: usize, id: &str| counted[at].1.get(id).copied().unwrap_or(0);
        let first = all.into_iter().filter(|one| one.parent_id.is_empty());
        let categories = first.map(|one| NewQuantity {
            today: of(0, &one.id),
            week: of(1, &one.id),
            month: of(2, &one.id),
            category_id: one.id,
            name: one.name,
        });
        Ok(NewQuantitiesReply {
            today: counted[0].0,
            week: counted[1].0,
            month: counted[2].0,
            categories: categories.collect(),
        })
    }

    async fn suggest(
        &self,
        _: &Origin,
        form: SuggestRequest,
    ) -> Result<Vec<Suggestion>, ServiceError> {
        self.suggestions(&form.keyword).await
    }

    async fn model_detail(
        &self,
        _: &Origin,
        form: ModelDetailRequest,
    ) -> Result<ModelDetailReply, ServiceError> {
        self.detail(&form.model_id).await
    }

    async fn similar_models(
        &self,
        _: &Origin,
        form: SimilarModelsRequest,
    ) -> Result<Vec<Listing>, ServiceError> {
        self.similar(&form).await
    }

    async fn author_detail(
        &self,
        _: &Origin,
        form: AuthorRequest,
    ) -> Result<AuthorReply, ServiceError> {
        self.author_page(&form.author_id).await
    }

    async fn models_by_ids(
        &self,
        _: &Origin,
        form: ModelsByIdsRequest,
    ) -> Result<Vec<Listing>, ServiceError> {
        self.by_ids(&form.model_ids).await
    }
}

impl Search {
    /// Begins to build the index, and follows the database from then on.
    pub(crate) fn start(mall: &Mall) -> anyhow::Result<Self> {
        let search = Self {
            mall: mall.clone(),
            listings: Arc::new(index::Listings::new(&mall.config.index_dir)?),
            vocabulary: Arc::default(),
            descriptors: Arc::default(),
            names: Arc::default(),
            answers: Cache::builder()
                .max_capacity(ANSWERS)
                .time_to_live(ANSWER_LIFE)
                .build(),
            caught_up: Arc::new(watch::Sender::new(false)),
        };
        follow::spawn(&search);
        makers::spawn(&search);
        Ok(search)
    }

    pub(crate) async fn makers<'a>(
        &self,
        ids: impl Iterator<Item = &'a str>,
    ) -> HashMap<String, Appearance> {
        self.mall.appearances(ids).await
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
