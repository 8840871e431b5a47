//! Writes beacons in batches; each sender gets its reply once the transaction with its beacon is committed.

use std::collections::{HashMap, HashSet};

use chassis::{db, ids};
use proto::analytics::v1::{VisitBegan, VisitEnded};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveValue, ConnectionTrait, Set};
use tokio::sync::{mpsc, oneshot};

use super::input::Beacon;
use crate::Analytics;
use crate::entity::{action, page_view, support_click, visit};

/// Most beacons per transaction.
const BATCH: usize = 256;

/// Most beacons waiting to be written; further ones are refused.
const QUEUE: usize = 8192;

/// Most rows per statement: SQLite takes 32,766 values.
const ROWS: usize = 256;

/// Outcome for a beacon.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kept {
    /// Stored with the visit of this id.
    Visit(String),
    /// Stored as a line of a log.
    Line,
    /// The visit does not exist or has ended.
    UnknownVisit,
}

/// The beacon could not be written.
#[derive(Debug)]
pub(super) struct Lost;

struct Waiting {
    beacon: Beacon,
    network: String,
    done: oneshot::Sender<Kept>,
}

/// Sends beacons to the task that writes them; clones share it.
#[derive(Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Waiting>,
}

impl Writer {
    /// Starts the task, which ends with the last writer.
    pub fn start(analytics: &Analytics) -> Self {
        let (queue, mut waiting) = mpsc::channel(QUEUE);
        let analytics = analytics.clone();
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH);
            while waiting.recv_many(&mut batch, BATCH).await > 0 {
                write(&analytics, std::mem::take(&mut batch)).await;
            }
        });
        Self { queue }
    }

    /// Returns once the beacon is committed. Errors: the queue is full, or the database is unavailable.
    pub async fn keep(&self, beacon: Beacon, network: String) -> Result<Kept, Lost> {
        let (done, kept) = oneshot::channel();
        let waiting = Waiting {
            beacon,
            network,
            done,
        };
        self.queue.try_send(waiting).map_err(|_| Lost)?;
        kept.await.map_err(|_| Lost)
    }
}

/// Writes a batch and answers its callers; if it fails, they see their channel dropped.
async fn write(analytics: &Analytics, batch: Vec<Waiting>) {
    let mut rows = Rows::default();
    let mut answers = Vec::with_capacity(batch.len());
    for Waiting {
        beacon,
        network,
        done,
    } in batch
    {
        let about = rows.add(beacon, network, analytics.now());
        answers.push((about, done));
    }
    let committed = rows.commit(analytics);
    let committed = analytics.context.ask_database("beacons", committed).await;
    match committed.unwrap_or_else(|error| Err(DbErr::Custom(error.to_string()))) {
        Ok(known) => {
            analytics.outbox.wake();
            for (about, done) in answers {
                let kept = match about {
                    About::Line => Kept::Line,
                    About::Visit(id) if known.contains(&id) => Kept::Visit(id),
                    About::Visit(_) => Kept::UnknownVisit,
                };
                // A caller that has gone needs no answer.
                let _ = done.send(kept);
            }
        }
        Err(error) => {
            tracing::warn!(%error, beacons = answers.len(), "beacons could not be written")
        }
    }
}

enum About {
    Visit(String),
    Line,
}

/// The rows of a batch.
#[derive(Default)]
struct Rows {
    visits: Vec<visit::Model>,
    pages: Vec<page_view::Model>,
    /// Pages opened in visits that began before.
    added: HashMap<String, i32>,
    ended: HashSet<String>,
    support: Vec<support_click::ActiveModel>,
    actions: Vec<action::ActiveModel>,
    now: i64,
}

impl Rows {
    fn add(&mut self, beacon: Beacon, network: String, now: i64) -> About {
        self.now = now;
        let id = ids::new_id();
        match beacon {
            Beacon::Add {
                visitor,
                source,
                source_host,
                entrance,
                dap,
            } => {
                self.visits.push(visit::Model {
                    id: id.clone(),
                    visitor,
                    source,
                    source_host,
                    entrance: entrance.clone(),
                    dap,
                    network,
                    began_at: now,
                    seen_at: now,
                    ended_at: None,
                    pages: 0,
                });
                self.open(id.clone(), entrance);
                About::Visit(id)
            }
            Beacon::Update { visit, path } => {
                self.open(visit.clone(), path);
                About::Visit(visit)
            }
            Beacon::End { visit } => {
                self.ended.insert(visit.clone());
                About::Visit(visit)
            }
            Beacon::Support {
                visitor,
                item,
                path,
            } => {
                self.support.push(support_click::ActiveModel {
                    id: Set(id),
                    visitor: Set(visitor),
                    item: Set(item),
                    path: Set(path),
                    at: Set(now),
                });
                About::Line
            }
            Beacon::Action {
                visitor,
                source,
                user_claim,
                template,
                tag,
                location,
                node,
            } => {
                self.actions.push(action::ActiveModel {
                    id: Set(id),
                    source: Set(source),
                    visitor: Set(visitor),
                    user_claim: Set(user_claim),
                    template: Set(template),
                    tag: Set(tag),
                    location: Set(location),
                    node: Set(node),
                    at: Set(now),
                });
                About::Line
            }
        }
    }

    fn open(&mut self, visit: String, path: String) {
        self.pages.push(page_view::Model {
            id: ids::new_id(),
            visit,
            path,
            at: self.now,
        });
    }

    /// Returns the batch's visits that are open, or were until it ended them.
    async fn commit(mut self, analytics: &Analytics) -> Result<HashSet<String>, DbErr> {
        let transaction = db::begin_write(&analytics.context.db).await?;
        let mut open = self.open_visits(&transaction).await?;
        self.pages.retain(|page| open.contains_key(&page.visit));
        for page in &self.pages {
            if let Some(one) = open.get_mut(&page.visit) {
                one.pages += 1;
                one.seen_at = self.now;
                *self.added.entry(one.id.clone()).or_default() += 1;
            }
        }
        for id in &self.ended {
            if let Some(one) = open.get_mut(id) {
                one.ended_at = Some(self.now);
                one.seen_at = self.now;
            }
        }
        let began: HashSet<String> = self.visits.iter().map(|one| one.id.clone()).collect();
        let new = open.values().filter(|one| began.contains(&one.id));
        insert::<visit::Entity>(&transaction, new.cloned().map(Into::into)).await?;
        insert::<page_view::Entity>(&transaction, self.pages.into_iter().map(Into::into)).await?;
        insert::<support_click::Entity>(&transaction, self.support).await?;
        insert::<action::Entity>(&transaction, self.actions).await?;
        for one in open.values().filter(|one| !began.contains(&one.id)) {
            let added = self.added.get(&one.id).copied().unwrap_or_default();
            change(&transaction, one, added).await?;
        }
        for one in open.values() {
            publish(analytics, &transaction, one, began.contains(&one.id)).await?;
        }
        transaction.commit().await?;
        Ok(open.into_keys().collect())
    }

    /// The new visits, and those of the database that pages were opened in or that end.
    async fn open_visits(
        &self,
        connection: &impl ConnectionTrait,
    ) -> Result<HashMap<String, visit::Model>, DbErr> {
        let mut open: HashMap<String, visit::Model> = self
            .visits
            .iter()
            .map(|one| (one.id.clone(), one.clone()))
            .collect();
        let named = self.pages.iter().map(|page| &page.visit).chain(&self.ended);
        let named: HashSet<&String> = named.filter(|id| !open.contains_key(*id)).collect();
        if named.is_empty() {
            return Ok(open);
        }
        let found = visit::Entity::find()
            .filter(visit::Column::Id.is_in(named.into_iter().cloned()))
            .filter(visit::Column::EndedAt.is_null())
            .all(connection)
            .await?;
        open.extend(found.into_iter().map(|one| (one.id.clone(), one)));
        Ok(open)
    }
}

async fn insert<E>(
    connection: &impl ConnectionTrait,
    rows: impl IntoIterator<Item = E::ActiveModel>,
) -> Result<(), DbErr>
where
    E: EntityTrait,
    E::ActiveModel: Send,
{
    let rows: Vec<E::ActiveModel> = rows.into_iter().collect();
    for some in rows.chunks(ROWS) {
        E::insert_many(some.to_vec())
            .exec_without_returning(connection)
            .await?;
    }
    Ok(())
}

/// `added`: pages; another replica may add some concurrently.
async fn change(
    connection: &impl ConnectionTrait,
    one: &visit::Model,
    added: i32,
) -> Result<(), DbErr> {
    let ended_at: ActiveValue<Option<i64>> = Set(one.ended_at);
    let changed = visit::ActiveModel {
        seen_at: Set(one.seen_at),
        ended_at,
        ..Default::default()
    };
    visit::Entity::update_many()
        .set(changed)
        .col_expr(
            visit::Column::Pages,
            Expr::col(visit::Column::Pages).add(added),
        )
        .filter(visit::Column::Id.eq(&one.id))
        .exec(connection)
        .await?;
    Ok(())
}

async fn publish(
    analytics: &Analytics,
    connection: &impl ConnectionTrait,
    one: &visit::Model,
    began: bool,
) -> Result<(), DbErr> {
    if began {
        let event = VisitBegan {
            visit_id: one.id.clone(),
            visitor_id: one.visitor.clone(),
            source: one.source.clone(),
            source_host: one.source_host.clone(),
            entrance: one.entrance.clone(),
            dap: one.dap.clone(),
            began_at_ms: one.began_at,
        };
        analytics
            .outbox
            .add_streamed(connection, &one.id, 1, &event)
            .await?;
    }
    if let Some(ended_at_ms) = one.ended_at {
        let event = VisitEnded {
            visit_id: one.id.clone(),
            visitor_id: one.visitor.clone(),
            began_at_ms: one.began_at,
            ended_at_ms,
            pages: one.pages,
        };
        analytics
            .outbox
            .add_streamed(connection, &one.id, 2, &event)
            .await?;
    }
    Ok(())
}
