//! What the tests share: a running service and its callers.

use std::collections::BTreeSet;

use chassis::testing::{self, Shape};
use proto::content::v1::content_api_client::ContentApiClient;
use proto::content::v1::content_console_api_client::ContentConsoleApiClient;
use proto::content::v1::content_internal_client::ContentInternalClient;
use proto::content::v1::*;
use tonic::Status;
use tonic::transport::Channel;

pub struct Running {
    base: testing::Running,
}

impl std::ops::Deref for Running {
    type Target = testing::Running;

    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl Running {
    pub async fn start(shape: Shape) -> Self {
        let service = &xl_content::Module;
        let base = testing::Running::start::<xl_content::Migrator>(service, shape, |_| {}).await;
        Self { base }
    }

    pub fn public(&self) -> ContentApiClient<Channel> {
        ContentApiClient::new(self.channel())
    }

    pub fn console(&self) -> ContentConsoleApiClient<Channel> {
        ContentConsoleApiClient::new(self.channel())
    }

    pub async fn page(&self, path: &str, query: &str) -> PageReply {
        let request = PageRequest {
            path: path.to_owned(),
            query: query.to_owned(),
        };
        let mut internal = ContentInternalClient::new(self.channel());
        let page = internal.page(self.anonymous(request)).await;
        page.expect("a page").into_inner()
    }

    pub async fn published(&self) -> BTreeSet<String> {
        let mut internal = ContentInternalClient::new(self.channel());
        let all = internal.published(self.anonymous(PublishedRequest::default()));
        let all = all.await.expect("all").into_inner();
        all.pages.into_iter().map(|page| page.path).collect()
    }

    pub async fn detail(&self, kind: &str, slug: &str) -> Result<ContentArticle, Status> {
        let form = ContentDetailRequest {
            kind: kind.to_owned(),
            slug: slug.to_owned(),
            ..Default::default()
        };
        let found = self.public().content_detail(self.anonymous(form)).await?;
        Ok(found.into_inner())
    }

    /// Saves a new article, or a further revision of the one with the id.
    pub async fn save(
        &self,
        (id, base): (&str, i64),
        (kind, slug): (&str, &str),
        draft: ArticleDraft,
    ) -> Result<ArticleSaveReply, Status> {
        let form = ArticleSaveRequest {
            id: id.to_owned(),
            kind: kind.to_owned(),
            slug: slug.to_owned(),
            draft: Some(draft),
            base_revision: base,
        };
        let saved = self
            .console()
            .article_save(self.by_operator("anna", form))
            .await?;
        Ok(saved.into_inner())
    }

    pub async fn publish(&self, id: &str, revision: i64, at: i64) -> Result<ArticleItem, Status> {
        let form = ArticlePublishRequest {
            id: id.to_owned(),
            revision,
            at,
        };
        let reply = self
            .console()
            .article_publish(self.by_operator("anna", form))
            .await?
            .into_inner();
        Ok(reply.article.expect("the article"))
    }

    pub async fn archive(&self, id: &str) -> Result<ArticleItem, Status> {
        let form = ArticleArchiveRequest {
            id: id.to_owned(),
            reason: "过时".to_owned(),
        };
        let reply = self
            .console()
            .article_archive(self.by_operator("anna", form))
            .await?
            .into_inner();
        Ok(reply.article.expect("the article"))
    }
}

/// A draft with a title and a paragraph.
pub fn draft(title: &str, text: &str) -> ArticleDraft {
    let content = serde_json::json!({
        "version": 1,
        "blocks": [{"type": "text", "text": [{"text": text}]}],
    });
    with(title, &content)
}

pub fn with(title: &str, content: &serde_json::Value) -> ArticleDraft {
    ArticleDraft {
        title: title.to_owned(),
        summary: format!("{title}的摘要"),
        date: "2026-11-20".to_owned(),
        content: chassis::json::object_of(&content.to_string()),
        ..Default::default()
    }
}

/// The business code of a refusal.
pub fn code_of<T>(outcome: Result<T, Status>) -> i32 {
    match outcome {
        Ok(_) => 0,
        Err(status) => testing::code_of(&status),
    }
}
