//! What the tests share: a running service and its callers.

use std::collections::BTreeSet;

use chassis::Context;
use chassis::error::business_error;
use chassis::testing::{Shape, TestParts};
use proto::common::v1::Principal;
use proto::content::v1::content_api_client::ContentApiClient;
use proto::content::v1::content_console_api_client::ContentConsoleApiClient;
use proto::content::v1::content_internal_client::ContentInternalClient;
use proto::content::v1::*;
use sea_orm::DatabaseConnection;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

pub struct Running {
    pub test: TestParts,
    pub context: Context,
    pub db: DatabaseConnection,
    channel: Channel,
}

impl Running {
    pub async fn start(shape: Shape) -> Self {
        let test = TestParts::open(shape, &[xl_content::DEFAULTS], |_| {}).await;
        let context = test
            .migrated::<xl_content::Migrator>(xl_content::NAME)
            .await;
        let db = context.db.clone();
        let service = xl_content::start(context.clone()).await.expect("it starts");
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        let serving = chassis::rpc::serve_on(service, listener, test.parts.shutdown.clone());
        tokio::spawn(serving);
        let channel = Endpoint::from_shared(address)
            .expect("address")
            .connect_lazy();
        Self {
            test,
            context,
            db,
            channel,
        }
    }

    pub fn channel(&self) -> Channel {
        self.channel.clone()
    }

    pub fn public(&self) -> ContentApiClient<Channel> {
        ContentApiClient::new(self.channel())
    }

    pub fn console(&self) -> ContentConsoleApiClient<Channel> {
        ContentConsoleApiClient::new(self.channel())
    }

    pub fn signed<T>(&self, principal: Principal, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            audience: xl_content::NAME.to_owned(),
            ..principal
        };
        let principals = &self.test.parts.principals;
        principals
            .attach(principal, request.metadata_mut())
            .expect("signed");
        request
    }

    /// As an anonymous caller.
    pub fn any<T>(&self, body: T) -> Request<T> {
        self.signed(Principal::default(), body)
    }

    /// As an operator who may do everything.
    pub fn of<T>(&self, operator: &str, body: T) -> Request<T> {
        let principal = Principal {
            operator: true,
            operator_id: operator.to_owned(),
            operator_name: operator.to_owned(),
            permissions: vec!["*".to_owned()],
            fresh_until_ms: i64::MAX,
            ..Default::default()
        };
        self.signed(principal, body)
    }

    pub async fn page(&self, path: &str, query: &str) -> PageReply {
        let request = PageRequest {
            path: path.to_owned(),
            query: query.to_owned(),
        };
        let mut internal = ContentInternalClient::new(self.channel());
        let page = internal.page(self.any(request)).await;
        page.expect("a page").into_inner()
    }

    pub async fn published(&self) -> BTreeSet<String> {
        let mut internal = ContentInternalClient::new(self.channel());
        let all = internal.published(self.any(PublishedRequest::default()));
        let all = all.await.expect("all").into_inner();
        all.pages.into_iter().map(|page| page.path).collect()
    }

    pub async fn detail(&self, kind: &str, slug: &str) -> Result<ContentArticle, Status> {
        let form = ContentDetailRequest {
            kind: kind.to_owned(),
            slug: slug.to_owned(),
            ..Default::default()
        };
        let found = self.public().content_detail(self.any(form)).await?;
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
        let saved = self.console().article_save(self.of("anna", form)).await?;
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
            .article_publish(self.of("anna", form))
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
            .article_archive(self.of("anna", form))
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
        Err(status) => business_error(&status).map_or(-1, |error| error.code),
    }
}
