//! Page heads from content, cached for a minute, and dropped at once when something is published or withdrawn.
//! If content is unavailable or slow, pages are sent without them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chassis::{Principals, limit};
use http::uri::PathAndQuery;
use moka::sync::Cache;
use prost::Message;
use proto::common::v1::Principal;
use proto::content::v1::{PageReply, PageRequest, PublishedReply, PublishedRequest};

use crate::upstream::{Outgoing, Upstreams, metadata};

const SERVICE: &str = "content";
const PAGE: &str = "/xuanlan.content.v1.ContentInternal/Page";
const PUBLISHED: &str = "/xuanlan.content.v1.ContentInternal/Published";
/// How long a page waits for its head.
const PAGE_WAIT: Duration = Duration::from_millis(150);
const LIST_WAIT: Duration = Duration::from_secs(5);
const LIFE: Duration = Duration::from_secs(60);
/// Size limit of the cache in bytes.
const KEPT: u64 = 32 << 20;
/// Size of an entry besides its text.
const OVERHEAD: usize = 512;
const LONGEST_PATH: usize = 256;
/// Query parameters that identify a page.
const NAMING: [&str; 2] = ["id", "cid"];

pub struct Heads {
    upstreams: Arc<Upstreams>,
    principals: Principals,
    pages: Cache<String, Arc<PageReply>>,
    lists: Cache<(&'static str, i32), Arc<PublishedReply>>,
    /// Counts the drops, so that a reply in flight does not restore a dropped entry.
    dropped: AtomicU64,
}

impl Heads {
    pub fn new(upstreams: Arc<Upstreams>, principals: Principals) -> Self {
        let weigh = |key: &String, reply: &Arc<PageReply>| {
            let bytes = key.len() + reply.body_html.len() + reply.json_ld.len() + OVERHEAD;
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        Self {
            upstreams,
            principals,
            pages: Cache::builder()
                .max_capacity(KEPT)
                .weigher(weigh)
                .time_to_live(LIFE)
                .build(),
            lists: Cache::builder().max_capacity(8).time_to_live(LIFE).build(),
            dropped: AtomicU64::new(0),
        }
    }

    /// The reply of content about a page; `None` for a preview, or if content is unavailable.
    pub async fn of(&self, path: &str, query: &str) -> Option<Arc<PageReply>> {
        // A page that previews a draft fetches it itself with the ticket.
        let previews = query.split('&').any(|pair| pair.starts_with("preview="));
        if path.len() > LONGEST_PATH || previews {
            return None;
        }
        let query = naming(query);
        // Case and a trailing slash are irrelevant.
        let key = format!("{}?{query}", path.trim_end_matches('/').to_lowercase());
        if let Some(known) = self.pages.get(&key) {
            return Some(known);
        }
        let dropped = self.dropped.load(Ordering::Acquire);
        let request = PageRequest {
            path: path.to_owned(),
            query,
        };
        let reply: PageReply = self.ask(PAGE, &request, PAGE_WAIT).await?;
        let reply = Arc::new(reply);
        self.pages.insert(key.clone(), reply.clone());
        if self.dropped.load(Ordering::Acquire) != dropped {
            self.pages.invalidate(&key);
        }
        Some(reply)
    }

    /// Published pages of a kind (empty: all), newest first; an empty list if there is no such service.
    /// `None`: it is unavailable.
    pub async fn published(&self, kind: &'static str, limit: i32) -> Option<Arc<PublishedReply>> {
        if self.upstreams.get(SERVICE).is_none() {
            return Some(Arc::default());
        }
        let key = (kind, limit);
        if let Some(known) = self.lists.get(&key) {
            return Some(known);
        }
        let dropped = self.dropped.load(Ordering::Acquire);
        let request = PublishedRequest {
            kind: kind.to_owned(),
            limit,
        };
        let reply: PublishedReply = self.ask(PUBLISHED, &request, LIST_WAIT).await?;
        let reply = Arc::new(reply);
        self.lists.insert(key, reply.clone());
        if self.dropped.load(Ordering::Acquire) != dropped {
            self.lists.invalidate(&key);
        }
        Some(reply)
    }

    /// Drops all entries: something was published or withdrawn, or such a push may have been missed.
    pub fn forget_all(&self) {
        self.dropped.fetch_add(1, Ordering::AcqRel);
        self.pages.invalidate_all();
        self.lists.invalidate_all();
    }

    async fn ask<R: Message + Default>(
        &self,
        path: &'static str,
        request: &impl Message,
        wait: Duration,
    ) -> Option<R> {
        let content = self.upstreams.get(SERVICE)?;
        let call = Outgoing {
            path: PathAndQuery::from_static(path),
            body: request.encode_to_vec().into(),
            metadata: metadata(chassis::telemetry::traceparent()),
            principal: Principal {
                audience: SERVICE.to_owned(),
                ..Principal::default()
            },
            wait: limit::patient(wait),
            reads: true,
        };
        match content.call(&self.principals, call).await {
            Ok(reply) => R::decode(reply).ok(),
            Err(status) => {
                tracing::debug!(%status, "pages are sent without what content says of them");
                None
            }
        }
    }
}

/// The parameters of a query that identify a page; others would only fill the cache.
fn naming(query: &str) -> String {
    let pairs = NAMING.iter().filter_map(|name| {
        let own = |pair: &&str| pair.split_once('=').is_some_and(|(key, _)| key == *name);
        query.split('&').find(own)
    });
    let pairs: Vec<&str> = pairs.filter(|pair| pair.len() <= 128).collect();
    pairs.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_names_a_page_is_asked_for() {
        assert_eq!(naming("utm=1&cid=2&id=3&id=4"), "id=3&cid=2");
        assert_eq!(naming("identity=1&x"), "");
        assert_eq!(naming(&format!("id={}", "1".repeat(200))), "");
    }
}
