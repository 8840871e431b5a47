//! Lists of articles, and one with its revisions.

use std::collections::HashMap;

use chassis::ServiceError;
use chassis::db::list::choice;
use chassis::db::{List, contains};
use proto::content::v1::{
    ArticleItem, ArticleListReply, ArticleListRequest, ArticleRevision, ArticleRevisionShowReply,
    ArticleRevisionShowRequest, ArticleShowReply,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, ConnectionTrait, QueryOrder, QuerySelect};

use super::draft_of;
use crate::Library;
use crate::address;
use crate::entity::article::{Column, Entity, Model, State};
use crate::entity::revision;
use crate::kind::Kind;
use crate::read::shown;
use crate::state::missing;

/// Most revisions listed.
const MOST_REVISIONS: u64 = 200;

impl Library {
    pub(super) async fn articles(
        &self,
        form: &ArticleListRequest,
    ) -> Result<ArticleListReply, ServiceError> {
        let kind = choice(&form.kind, Kind::of, "没有这种内容")?;
        let mut list = List::of(Entity::find()).when(Column::Kind, kind);
        if let Some(state) = choice(&form.state, State::of, "没有这种状态")? {
            list = list.filter(self.in_state(state));
        }
        let text = form.text.as_str();
        if !text.is_empty() {
            list = list.filter(
                Condition::any()
                    .add(contains(Column::Title, text))
                    .add(contains(Column::Slug, text))
                    .add(Column::Id.eq(text)),
            );
        }
        let db = &self.context.db;
        let found = list
            .newest_first(Column::UpdatedAt, Column::Id)
            .following(form, db)
            .await?;
        Ok(ArticleListReply {
            articles: self.items(db, found.rows).await?,
            next: found.next,
        })
    }

    fn in_state(&self, state: State) -> Condition {
        let now = self.now();
        match state {
            State::Published => shown(now),
            State::Scheduled => Condition::all()
                .add(Column::State.eq(state))
                .add(Column::PublishedAt.gt(now)),
            state => Condition::all().add(Column::State.eq(state)),
        }
    }

    pub(super) async fn show(&self, id: &str) -> Result<ArticleShowReply, ServiceError> {
        let db = &self.context.db;
        let row = Entity::find_by_id(id).one(db).await?.ok_or_else(missing)?;
        let text = self.text(db, id, row.latest_revision).await?;
        let revisions = revision::Entity::find()
            .filter(revision::Column::ArticleId.eq(id))
            .order_by_desc(revision::Column::Number)
            .limit(MOST_REVISIONS)
            .all(db)
            .await?;
        Ok(ArticleShowReply {
            article: Some(self.item(db, row).await?),
            draft: Some(draft_of(&text)?),
            revisions: revisions.into_iter().map(revision_view).collect(),
        })
    }

    pub(super) async fn show_revision(
        &self,
        form: &ArticleRevisionShowRequest,
    ) -> Result<ArticleRevisionShowReply, ServiceError> {
        let found = revision::Entity::find_by_id((form.id.clone(), form.revision))
            .one(&self.context.db)
            .await?;
        let found = found.ok_or_else(missing)?;
        Ok(ArticleRevisionShowReply {
            draft: Some(draft_of(&found.draft)?),
            revision: Some(revision_view(found)),
        })
    }

    pub(super) async fn item(
        &self,
        db: &impl ConnectionTrait,
        row: Model,
    ) -> Result<ArticleItem, ServiceError> {
        let items = self.items(db, vec![row]).await?;
        items.into_iter().next().ok_or_else(missing)
    }

    /// List items with the titles of their latest revisions.
    async fn items(
        &self,
        db: &impl ConnectionTrait,
        rows: Vec<Model>,
    ) -> Result<Vec<ArticleItem>, ServiceError> {
        let mut latest = Condition::any();
        for row in &rows {
            let own = Condition::all()
                .add(revision::Column::ArticleId.eq(&row.id))
                .add(revision::Column::Number.eq(row.latest_revision));
            latest = latest.add(own);
        }
        let titles: Vec<(String, String)> = match rows.is_empty() {
            true => Vec::new(),
            false => {
                revision::Entity::find()
                    .select_only()
                    .columns([revision::Column::ArticleId, revision::Column::Title])
                    .filter(latest)
                    .into_tuple()
                    .all(db)
                    .await?
            }
        };
        let mut titles: HashMap<String, String> = titles.into_iter().collect();
        let now = self.now();
        let item = |row: Model| ArticleItem {
            path: address::of(row.kind, &row.slug, &row.id),
            state: row.outward(now).name().to_owned(),
            title: titles.remove(&row.id).unwrap_or_else(|| row.title.clone()),
            from_seed: row.seed_revision > 0 && !row.edited,
            id: row.id,
            kind: row.kind.name().to_owned(),
            slug: row.slug,
            category_id: row.category_id,
            published_revision: row.published_revision,
            latest_revision: row.latest_revision,
            published_at: row.published_at,
            updated_at: row.updated_at,
        };
        Ok(rows.into_iter().map(item).collect())
    }
}

fn revision_view(row: revision::Model) -> ArticleRevision {
    ArticleRevision {
        revision: row.number,
        title: row.title,
        saved_by: row.saved_by,
        saved_at: row.saved_at,
        published_at: row.published_at,
        restored_from: row.restored_from,
    }
}
