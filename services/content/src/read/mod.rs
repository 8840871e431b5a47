//! The public reads: lists, articles, the search, the map of the site.

mod article;
mod cards;
mod categories;
mod list;
mod search;
mod sitemap;

use chassis::{Origin, ServiceError};
use proto::content::v1::*;
use sea_orm::Condition;
use sea_orm::entity::prelude::*;

use crate::Library;
use crate::entity::article::{Column, State};
use crate::kind::Kind;
use crate::state::invalid;

pub(crate) use article::Found;
pub(crate) use cards::{Row, cards, rows, view as cover_view};
pub(crate) use categories::{all as all_categories, trail, view as category_view};
pub(crate) use list::in_order;

/// The rows that pages show at this time.
pub(crate) fn shown(now: i64) -> Condition {
    Condition::any()
        .add(Column::State.eq(State::Published))
        .add(
            Condition::all()
                .add(Column::State.eq(State::Scheduled))
                .add(Column::PublishedAt.lte(now)),
        )
}

/// Errors: there is no such kind.
pub(crate) fn kind(name: &str) -> Result<Kind, ServiceError> {
    Kind::of(name).ok_or_else(|| invalid("没有这种内容"))
}

impl ContentCalls<ServiceError> for Library {
    async fn content_categories(
        &self,
        _: &Origin,
        form: ContentCategoriesRequest,
    ) -> Result<ContentCategoriesReply, ServiceError> {
        self.categories(Some(kind(&form.kind)?)).await
    }

    async fn content_list(
        &self,
        _: &Origin,
        form: ContentListRequest,
    ) -> Result<ContentListReply, ServiceError> {
        self.list(&form).await
    }

    async fn content_detail(
        &self,
        _: &Origin,
        form: ContentDetailRequest,
    ) -> Result<ContentArticle, ServiceError> {
        self.detail(&form).await
    }

    async fn content_search(
        &self,
        _: &Origin,
        form: ContentSearchRequest,
    ) -> Result<ContentSearchReply, ServiceError> {
        self.search(&form).await
    }

    async fn content_pages(
        &self,
        _: &Origin,
        _: ContentPagesRequest,
    ) -> Result<ContentPagesReply, ServiceError> {
        self.pages().await
    }

    async fn content_preview(
        &self,
        _: &Origin,
        form: ContentPreviewRequest,
    ) -> Result<ContentArticle, ServiceError> {
        self.preview(&form).await
    }
}
