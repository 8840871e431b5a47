//! The index is built from the database and follows it by `updated_at`. Rows appear in the order of commits, which is not that of their
//! times: each round looks some time back and leaves out what it knows.

use std::collections::HashMap;
use std::time::Duration;

use chassis::shutdown::Pauses;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{FromQueryResult, QueryOrder, QuerySelect};

use super::Search;
use super::index::Row;
use super::similar::descriptor;
use super::vocabulary::Kind;
use crate::category;
use crate::entity::listing::{Column, Entity, Model, State};
use crate::entity::version;
use crate::listing::split;

/// How far each round looks back.
const OVERLAP: i64 = 120_000;
const ROUND: Duration = Duration::from_millis(500);
/// How long a commit of this process waits for those that follow it.
const SPACING: Duration = Duration::from_millis(100);
/// Rows that one query reads.
const PAGE: u64 = 500;
/// Rounds that may leave a difference before everything is built anew.
const TRIES: u32 = 3;

#[derive(FromQueryResult)]
struct Changed {
    id: String,
    revision: i64,
    updated_at: i64,
}

#[derive(FromQueryResult)]
struct Sums {
    count: i64,
    revisions: Option<i64>,
}

/// Names of categories, and the first level of each.
pub(super) type Tree = HashMap<String, (String, String)>;

/// Where the following has come to.
#[derive(Default)]
struct Followed {
    /// Latest change seen; 0: nothing is built yet.
    until: i64,
    /// Revision and time of what changed within the overlap.
    known: HashMap<String, (i64, i64)>,
    /// The categories that the index has.
    tree: Tree,
}

pub(super) fn spawn(search: &Search) {
    let shutdown = search.mall.context.shutdown.clone();
    let search = search.clone();
    let token = shutdown.token();
    shutdown.spawn(async move {
        let mut followed = Followed::default();
        let mut compared = tokio::time::Instant::now();
        let between = Duration::from_secs(search.mall.config.compare_seconds);
        let mut committed = search.mall.outbox.commits();
        let mut pauses = Pauses::of(ROUND);
        while !token.is_cancelled() {
            let done = search.round(&mut followed).await;
            if let Err(error) = &done {
                tracing::warn!(%error, "the index of listings does not follow");
            } else if compared.elapsed() >= between {
                compared = tokio::time::Instant::now();
                if let Err(error) = search.compare(&mut followed).await {
                    tracing::warn!(%error, "the index of listings was not compared");
                }
            }
            tokio::select! {
                () = token.cancelled() => {}
                () = tokio::time::sleep(pauses.after(done.unwrap_or(true))) => {}
                // What is committed meanwhile is read together.
                _ = committed.changed() => {
                    pauses.shorten();
                    tokio::time::sleep(SPACING).await;
                }
            }
        }
    });
}

impl Search {
    /// What the index asks the database, a page at a time: building it may take longer than one question.
    async fn ask<T>(&self, question: impl Future<Output = Result<T, DbErr>>) -> anyhow::Result<T> {
        let context = &self.mall.context;
        Ok(context
            .ask_database("index of listings", question)
            .await??)
    }

    /// Whether anything has changed.
    async fn round(&self, followed: &mut Followed) -> anyhow::Result<bool> {
        if followed.until == 0 {
            self.build(followed).await?;
            return Ok(true);
        }
        let from = self.mall.now();
        let tree = self.ask(self.tree()).await?;
        let recategorized = self.take_categories(followed, &tree).await?;
        let changed = self.changed(followed).await?;
        let found = recategorized || !changed.is_empty();
        if !changed.is_empty() {
            let ids: Vec<String> = changed.iter().map(|one| one.id.clone()).collect();
            self.take_by_id(&ids, &tree).await?;
            self.commit().await?;
            for one in changed {
                followed.until = Ord::max(followed.until, one.updated_at);
                followed
                    .known
                    .insert(one.id, (one.revision, one.updated_at));
            }
        }
        // Where nothing changes any more, the last changes are not read for ever; clocks may differ by as much as commits are late.
        followed.until = Ord::max(followed.until, from - OVERLAP);
        let oldest = followed.until - OVERLAP;
        followed.known.retain(|_, (_, at)| *at >= oldest);
        Ok(found)
    }

    /// Takes in again what belongs to categories that were renamed or moved; whether there are any. A new category has no
    /// listings that the index knows by another name.
    async fn take_categories(&self, followed: &mut Followed, tree: &Tree) -> anyhow::Result<bool> {
        if *tree == followed.tree {
            return Ok(false);
        }
        let before = &followed.tree;
        let is_new = |id: &str| before.get(id) != tree.get(id);
        let changed: Vec<&String> = tree
            .iter()
            .filter(|(id, (_, parent))| is_new(id) || is_new(parent))
            .map(|(id, _)| id)
            .collect();
        for (name, _) in changed.iter().filter_map(|id| tree.get(*id)) {
            self.vocabulary().learn(name, Kind::Category);
        }
        let inside = Entity::find_any()
            .select_only()
            .column(Column::Id)
            .filter(Column::CategoryId.is_in(changed))
            .filter(Column::State.eq(State::Listed))
            .into_tuple()
            .all(&self.mall.context.db);
        let inside: Vec<String> = self.ask(inside).await?;
        self.take_by_id(&inside, tree).await?;
        self.commit().await?;
        followed.tree.clone_from(tree);
        Ok(true)
    }

    /// Takes in all that the mall shows, and counts it. By the key alone: with a further condition, SQLite reads each page by
    /// the index of that condition and sorts all it finds.
    async fn take_all(&self, tree: &Tree) -> anyhow::Result<usize> {
        let (mut last, mut taken) = (String::new(), 0);
        loop {
            let rows = Entity::find_any()
                .filter(Column::Id.gt(&last))
                .order_by_asc(Column::Id)
                .limit(PAGE)
                .all(&self.mall.context.db);
            let rows = self.ask(rows).await?;
            taken += rows.iter().filter(|row| row.is_shown()).count();
            self.take(&rows, tree).await?;
            match rows.last() {
                Some(row) if rows.len() as u64 == PAGE => last.clone_from(&row.id),
                _ => return Ok(taken),
            }
        }
    }

    async fn take_by_id(&self, ids: &[String], tree: &Tree) -> anyhow::Result<()> {
        for page in ids.chunks(PAGE as usize) {
            let rows = Entity::find_any()
                .filter(Column::Id.is_in(page))
                .all(&self.mall.context.db);
            let rows = self.ask(rows).await?;
            self.take(&rows, tree).await?;
        }
        Ok(())
    }

    /// What has changed since, and is not known.
    async fn changed(&self, followed: &Followed) -> anyhow::Result<Vec<Changed>> {
        let mut found = Vec::new();
        let (mut at, mut id) = (followed.until - OVERLAP, String::new());
        loop {
            let later = Column::UpdatedAt
                .gt(at)
                .or(Column::UpdatedAt.eq(at).and(Column::Id.gt(&id)));
            let page = Entity::find_any()
                .select_only()
                .columns([Column::Id, Column::Revision, Column::UpdatedAt])
                // By this alone databases enter the index of times where it begins, instead of reading it all.
                .filter(Column::UpdatedAt.gte(at))
                .filter(later)
                .order_by_asc(Column::UpdatedAt)
                .order_by_asc(Column::Id)
                .limit(PAGE)
                .into_model::<Changed>()
                .all(&self.mall.context.db);
            let page = self.ask(page).await?;
            let full = page.len() as u64 == PAGE;
            if let Some(last) = page.last() {
                (at, id) = (last.updated_at, last.id.clone());
            }
            let news = |one: &Changed| {
                followed.known.get(&one.id) != Some(&(one.revision, one.updated_at))
            };
            found.extend(page.into_iter().filter(news));
            if !full {
                return Ok(found);
            }
        }
    }

    /// Builds everything anew; who searches meanwhile finds what was there before.
    async fn build(&self, followed: &mut Followed) -> anyhow::Result<()> {
        let began = std::time::Instant::now();
        // What changes while it is read is read again.
        let from = self.mall.now();
        let tree = self.ask(self.tree()).await?;
        self.listings.clear()?;
        for (name, _) in tree.values() {
            self.vocabulary().learn(name, Kind::Category);
        }
        let listed = self.take_all(&tree).await?;
        self.commit().await?;
        *followed = Followed {
            until: from,
            known: HashMap::new(),
            tree,
        };
        self.caught_up.send_replace(true);
        tracing::info!(
            listed,
            seconds = began.elapsed().as_secs_f64(),
            "the index of listings is built"
        );
        Ok(())
    }

    /// Whether the index has what the database has; else it is built anew.
    async fn compare(&self, followed: &mut Followed) -> anyhow::Result<()> {
        for _ in 0..TRIES {
            let sums = Entity::find_any()
                .select_only()
                .column_as(Column::Id.count(), "count")
                .column_as(Expr::cust("CAST(SUM(revision) AS BIGINT)"), "revisions")
                .filter(Column::State.eq(State::Listed))
                .filter(Column::Frozen.eq(false))
                .into_model::<Sums>()
                .one(&self.mall.context.db);
            let sums = self.ask(sums).await?;
            let listings = self.listings.clone();
            let indexed = tokio::task::spawn_blocking(move || listings.sums()).await??;
            if sums.is_none_or(|sums| (sums.count, sums.revisions.unwrap_or(0)) == indexed) {
                return Ok(());
            }
            self.round(followed).await?;
        }
        tracing::error!("the index of listings differs from the database and is built anew");
        self.build(followed).await
    }

    pub(super) async fn tree(&self) -> Result<Tree, DbErr> {
        let all = category::all(&self.mall.context.db).await?;
        Ok(all
            .into_iter()
            .map(|one| (one.id, (one.name, one.parent_id)))
            .collect())
    }

    fn vocabulary(&self) -> std::sync::RwLockWriteGuard<'_, super::vocabulary::Vocabulary> {
        self.vocabulary
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Puts what is listed into the index and takes out the rest.
    async fn take(&self, rows: &[Model], tree: &Tree) -> anyhow::Result<()> {
        let listed: Vec<&Model> = rows.iter().filter(|row| row.is_shown()).collect();
        let mut described = HashMap::new();
        if !listed.is_empty() {
            let versions = version::Entity::find()
                .select_only()
                .columns([
                    version::Column::ListingId,
                    version::Column::Number,
                    version::Column::Descriptor,
                ])
                .filter(version::Column::ListingId.is_in(listed.iter().map(|row| row.id.as_str())))
                .into_tuple::<(String, i32, Vec<u8>)>()
                .all(&self.mall.context.db);
            let versions = self.ask(versions).await?;
            described.extend(
                versions
                    .into_iter()
                    .map(|(id, number, bytes)| ((id, number), bytes)),
            );
        }
        {
            let mut descriptors = self
                .descriptors
                .write()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            for row in rows {
                let bytes = described.get(&(row.id.clone(), row.current_version));
                descriptors.put(&row.id, bytes.and_then(|bytes| descriptor(bytes)));
            }
        }
        for row in rows.iter().filter(|row| row.is_shown()) {
            let mut vocabulary = self.vocabulary();
            vocabulary.learn(&row.name, Kind::Listing);
            for id in split(&row.label_ids) {
                if let Some(name) = facts::labels::name_of(&id) {
                    vocabulary.learn(name, Kind::Label);
                }
            }
        }
        {
            let mut makers = self.makers_learnt();
            listed.iter().for_each(|row| makers.meet(&row.seller));
        }
        let search = self.clone();
        let indexed: Vec<Row> = listed.into_iter().map(|row| indexed(row, tree)).collect();
        let gone = rows.iter().filter(|row| !row.is_shown());
        let gone: Vec<String> = gone.map(|row| row.id.clone()).collect();
        tokio::task::spawn_blocking(move || {
            gone.iter().for_each(|id| search.listings.remove(id));
            indexed.iter().try_for_each(|row| search.listings.put(row))
        })
        .await?
    }

    async fn commit(&self) -> anyhow::Result<()> {
        let listings = self.listings.clone();
        tokio::task::spawn_blocking(move || listings.commit()).await?
    }
}

fn indexed(row: &Model, tree: &Tree) -> Row {
    let mut categories = vec![row.category_id.clone()];
    let mut names = Vec::new();
    if let Some((name, parent)) = tree.get(&row.category_id) {
        names.push(name.as_str());
        if let Some((name, _)) = tree.get(parent) {
            categories.push(parent.clone());
            names.push(name);
        }
    }
    let label_ids = split(&row.label_ids);
    names.extend(label_ids.iter().filter_map(|id| facts::labels::name_of(id)));
    Row {
        id: row.id.clone(),
        name: row.name.clone(),
        labels: names.join(" "),
        body: format!("{} {} {}", row.intro, row.description, row.format),
        categories,
        label_ids,
        format: row.format.clone(),
        license: row.license.name(),
        origin: row.origin.name(),
        seller: row.seller.clone(),
        animation: row.animation,
        price: row.price,
        triangles: row.triangles,
        score: i64::from(row.score),
        sold: row.sold,
        rating_sum: row.rating_sum,
        rating_count: row.rating_count,
        listed_at: row.listed_at,
        revision: row.revision,
    }
}
