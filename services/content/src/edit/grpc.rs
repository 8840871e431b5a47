//! The operators' calls: request → domain → reply.

use chassis::rpc::{Reply, called_by, reply};
use proto::common::v1::Empty;
use proto::content::v1::content_console_api_server::ContentConsoleApi;
use proto::content::v1::*;
use tonic::Request;

use crate::Library;
use crate::read::kind;

#[tonic::async_trait]
impl ContentConsoleApi for Library {
    async fn article_list(&self, request: Request<ArticleListRequest>) -> Reply<ArticleListReply> {
        reply(self.articles(request.get_ref()).await)
    }

    async fn article_show(&self, request: Request<ArticleShowRequest>) -> Reply<ArticleShowReply> {
        reply(self.show(&request.get_ref().id).await)
    }

    async fn article_revision_show(
        &self,
        request: Request<ArticleRevisionShowRequest>,
    ) -> Reply<ArticleRevisionShowReply> {
        reply(self.show_revision(request.get_ref()).await)
    }

    async fn article_save(&self, request: Request<ArticleSaveRequest>) -> Reply<ArticleSaveReply> {
        let (caller, form) = called_by(request)?;
        reply(self.save(&caller, form).await)
    }

    async fn article_review(
        &self,
        request: Request<ArticleReviewRequest>,
    ) -> Reply<ArticleStateReply> {
        let (caller, form) = called_by(request)?;
        reply(self.review(&caller, &form).await)
    }

    async fn article_publish(
        &self,
        request: Request<ArticlePublishRequest>,
    ) -> Reply<ArticleStateReply> {
        let (caller, form) = called_by(request)?;
        reply(self.publish(&caller, &form).await)
    }

    async fn article_archive(
        &self,
        request: Request<ArticleArchiveRequest>,
    ) -> Reply<ArticleStateReply> {
        let (caller, form) = called_by(request)?;
        reply(self.archive(&caller, &form).await)
    }

    async fn article_restore(
        &self,
        request: Request<ArticleRestoreRequest>,
    ) -> Reply<ArticleSaveReply> {
        let (caller, form) = called_by(request)?;
        reply(self.restore(&caller, &form).await)
    }

    async fn article_preview(
        &self,
        request: Request<ArticlePreviewRequest>,
    ) -> Reply<ArticlePreviewReply> {
        let (caller, form) = called_by(request)?;
        reply(self.make_preview(&caller, &form).await)
    }

    async fn content_category_list(
        &self,
        request: Request<ContentCategoryListRequest>,
    ) -> Reply<ContentCategoriesReply> {
        let kind = match request.get_ref().kind.as_str() {
            "" => Ok(None),
            name => kind(name).map(Some),
        };
        match kind {
            Ok(kind) => reply(self.categories(kind).await),
            Err(error) => reply(Err(error)),
        }
    }

    async fn content_category_save(
        &self,
        request: Request<ContentCategorySaveRequest>,
    ) -> Reply<ContentCategory> {
        let (caller, form) = called_by(request)?;
        reply(self.save_category(&caller, form).await)
    }

    async fn redirect_list(
        &self,
        request: Request<RedirectListRequest>,
    ) -> Reply<RedirectListReply> {
        reply(self.redirects(request.get_ref()).await)
    }

    async fn redirect_save(&self, request: Request<RedirectSaveRequest>) -> Reply<Redirect> {
        let (caller, form) = called_by(request)?;
        reply(self.save_redirect(&caller, &form).await)
    }

    async fn redirect_remove(&self, request: Request<RedirectRemoveRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        reply(
            self.remove_redirect(&caller, &form)
                .await
                .map(|()| Empty {}),
        )
    }
}
