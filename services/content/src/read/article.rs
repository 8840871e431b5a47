//! One article with all that its page shows.

use chassis::{BusinessError, ServiceError};
use proto::content::v1::{
    ContentArticle, ContentCard, ContentDetailRequest, ContentPreviewRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, ConnectionTrait, QueryOrder, QuerySelect};

use super::{Row, cards, category_view, kind, rows, shown, trail};
use crate::Library;
use crate::address;
use crate::draft::Draft;
use crate::entity::article::{Column, Entity, Model, State};
use crate::entity::{preview, redirect, revision};
use crate::kind::Kind;
use crate::state::missing;

const LONGEST_NAME: usize = 64;

/// Result of looking up an id or a slug.
pub(crate) enum Found {
    /// It is shown.
    Shown(Box<Model>),
    /// Shown before, and archived.
    Archived,
    None,
}

impl Library {
    /// An article by id, or by slug of its kind.
    pub(crate) async fn find(&self, kind: Option<Kind>, name: &str) -> Result<Found, ServiceError> {
        // Neither an id nor a slug.
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(plain) {
            return Ok(Found::None);
        }
        let digits = name.bytes().all(|b| b.is_ascii_digit());
        let mut query = match digits {
            true => Entity::find_by_id(name),
            false => Entity::find().filter(Column::Slug.eq(name)),
        };
        match kind {
            Some(kind) => query = query.filter(Column::Kind.eq(kind)),
            // Slugs are unique only within a kind.
            None if !digits => return Ok(Found::None),
            None => {}
        }
        Ok(match query.one(&self.context.db).await? {
            Some(row) if row.is_shown(self.now()) => Found::Shown(Box::new(row)),
            Some(row) if row.state == State::Archived => Found::Archived,
            _ => Found::None,
        })
    }

    pub(super) async fn detail(
        &self,
        form: &ContentDetailRequest,
    ) -> Result<ContentArticle, ServiceError> {
        let named = match form.kind.as_str() {
            "" => None,
            name => Some(kind(name)?),
        };
        let name = if form.id.is_empty() {
            &form.slug
        } else {
            &form.id
        };
        match self.find(named, name).await? {
            Found::Shown(row) => {
                let number = row.published_revision;
                self.article(*row, number).await
            }
            other => match self.moved(named, name).await? {
                Some(moved_to) => Ok(ContentArticle {
                    moved_to,
                    ..Default::default()
                }),
                None if matches!(other, Found::Archived) => {
                    Err(BusinessError::not_found("这篇内容已下架").into())
                }
                None => Err(missing()),
            },
        }
    }

    /// Target of the redirect of an article's address.
    async fn moved(&self, kind: Option<Kind>, name: &str) -> Result<Option<String>, ServiceError> {
        let Some(kind) = kind else {
            return Ok(None);
        };
        let own = address::of(kind, name, name);
        let (path, query) = own.split_once('?').unwrap_or((&own, ""));
        self.redirect(path, query).await
    }

    /// Target of the redirect of an address.
    pub(crate) async fn redirect(
        &self,
        path: &str,
        query: &str,
    ) -> Result<Option<String>, ServiceError> {
        let whole = address::key(path, query);
        let found = redirect::Entity::find()
            .filter(redirect::Column::Source.is_in([whole.clone(), address::key(path, "")]))
            .all(&self.context.db)
            .await?;
        // The redirect with the query is more specific.
        let best = found
            .iter()
            .find(|row| row.source == whole)
            .or(found.first());
        Ok(best.map(|row| row.target.clone()))
    }

    pub(super) async fn preview(
        &self,
        form: &ContentPreviewRequest,
    ) -> Result<ContentArticle, ServiceError> {
        let old = || BusinessError::not_found("预览链接已失效，请重新生成");
        if form.ticket.len() > 128 {
            return Err(old().into());
        }
        let hash = crate::edit::ticket_hash(&form.ticket);
        let db = &self.context.db;
        let ticket = preview::Entity::find_by_id(hash).one(db).await?;
        let ticket = ticket.filter(|ticket| ticket.expires_at > self.now());
        let ticket = ticket.ok_or_else(old)?;
        let row = Entity::find_by_id(&ticket.article_id).one(db).await?;
        let mut article = self.article(row.ok_or_else(old)?, ticket.revision).await?;
        article.preview = true;
        Ok(article)
    }

    /// An article with a revision's text; title and the rest of its card are the revision's too.
    async fn article(&self, row: Model, number: i64) -> Result<ContentArticle, ServiceError> {
        let db = &self.context.db;
        let text = self.text(db, &row.id, number).await?;
        let draft: Draft = serde_json::from_str(&text).map_err(anyhow::Error::from)?;
        let content = serde_json::to_string(&draft.content).map_err(anyhow::Error::from)?;
        let (previous, next) = self.neighbours(&row).await?;
        let categories = trail(db, &draft.category_id).await?;
        let related = self.related(row.kind, &draft.related).await?;
        let card = cards(db, vec![of_draft(row, draft)]).await?.pop();
        Ok(ContentArticle {
            card,
            content: chassis::json::object_of(&content),
            related,
            previous,
            next,
            categories: categories
                .into_iter()
                .map(|one| category_view(one, 0))
                .collect(),
            moved_to: String::new(),
            revision: number,
            preview: false,
        })
    }

    /// JSON of a revision.
    pub(crate) async fn text(
        &self,
        db: &impl ConnectionTrait,
        id: &str,
        number: i64,
    ) -> Result<String, ServiceError> {
        let found = revision::Entity::find_by_id((id.to_owned(), number))
            .one(db)
            .await?;
        found.map(|row| row.draft).ok_or_else(missing)
    }

    /// Cards of the related articles that are shown, in the order given.
    pub(crate) async fn related(
        &self,
        kind: Kind,
        names: &[String],
    ) -> Result<Vec<ContentCard>, ServiceError> {
        let named: Vec<(Kind, &str)> = names
            .iter()
            .filter_map(|name| match name.split_once('/') {
                Some((kind, slug)) => Some((Kind::of(kind)?, slug)),
                None => Some((kind, name.as_str())),
            })
            .collect();
        let slugs = named.iter().map(|(_, slug)| *slug);
        let query = Entity::find()
            .filter(Column::Slug.is_in(slugs))
            .filter(shown(self.now()));
        let found = rows(query).all(&self.context.db).await?;
        let of = |(kind, slug): &(Kind, &str)| {
            let found = found
                .iter()
                .find(|row| row.kind == *kind && row.slug == *slug);
            found.cloned()
        };
        cards(&self.context.db, named.iter().filter_map(of).collect()).await
    }

    /// Previous and next article of the category's list; for news by date across categories.
    async fn neighbours(
        &self,
        row: &Model,
    ) -> Result<(Option<ContentCard>, Option<ContentCard>), ServiceError> {
        let all = || {
            let query = Entity::find()
                .filter(Column::Kind.eq(row.kind))
                .filter(shown(self.now()));
            match row.kind.is_dated() {
                true => query,
                false => query.filter(Column::CategoryId.eq(&row.category_id)),
            }
        };
        // News: the newer one is the previous of the list.
        let (at, value): (Column, sea_orm::Value) = match row.kind.is_dated() {
            true => (Column::PublishedAt, row.published_at.into()),
            false => (Column::Position, row.position.into()),
        };
        let beyond = |after: bool| {
            let (bound, tie) = match after {
                true => (at.gt(value.clone()), Column::Id.gt(&row.id)),
                false => (at.lt(value.clone()), Column::Id.lt(&row.id)),
            };
            let same = Condition::all().add(at.eq(value.clone())).add(tie);
            let query = all().filter(Condition::any().add(bound).add(same));
            match after {
                true => query.order_by_asc(at).order_by_asc(Column::Id),
                false => query.order_by_desc(at).order_by_desc(Column::Id),
            }
        };
        let db = &self.context.db;
        let behind = rows(beyond(true).limit(1)).one(db).await?;
        let before = rows(beyond(false).limit(1)).one(db).await?;
        let (previous, next) = match row.kind.is_dated() {
            true => (behind, before),
            false => (before, behind),
        };
        Ok((self.card(previous).await?, self.card(next).await?))
    }

    async fn card(&self, row: Option<Row>) -> Result<Option<ContentCard>, ServiceError> {
        let rows = row.into_iter().collect();
        Ok(cards(&self.context.db, rows).await?.pop())
    }
}

/// The card of a revision, which may not be the one that is shown.
fn of_draft(row: Model, draft: Draft) -> Row {
    let cover = draft.cover.as_ref().map(serde_json::to_string);
    Row {
        id: row.id,
        kind: row.kind,
        slug: row.slug,
        category_id: draft.category_id,
        position: draft.order,
        title: draft.title,
        summary: draft.summary,
        date: draft.date,
        cover: cover.and_then(Result::ok).unwrap_or_default(),
        steps: draft.content.steps() as i32,
        published_at: row.published_at,
        shown_changed_at: row.shown_changed_at,
    }
}
