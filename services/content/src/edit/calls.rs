//! The operators' calls; each is implemented in the module of its subject.

use chassis::{Operator, ServiceError};
use proto::content::v1::*;

use crate::Library;
use crate::read::kind;

impl ContentConsoleCalls<ServiceError> for Library {
    async fn article_list(
        &self,
        _: &Operator,
        form: ArticleListRequest,
    ) -> Result<ArticleListReply, ServiceError> {
        self.articles(&form).await
    }

    async fn article_show(
        &self,
        _: &Operator,
        form: ArticleShowRequest,
    ) -> Result<ArticleShowReply, ServiceError> {
        self.show(&form.id).await
    }

    async fn article_revision_show(
        &self,
        _: &Operator,
        form: ArticleRevisionShowRequest,
    ) -> Result<ArticleRevisionShowReply, ServiceError> {
        self.show_revision(&form).await
    }

    async fn article_save(
        &self,
        operator: &Operator,
        form: ArticleSaveRequest,
    ) -> Result<ArticleSaveReply, ServiceError> {
        self.save(operator, form).await
    }

    async fn article_review(
        &self,
        operator: &Operator,
        form: ArticleReviewRequest,
    ) -> Result<ArticleStateReply, ServiceError> {
        self.review(operator, &form).await
    }

    async fn article_publish(
        &self,
        operator: &Operator,
        form: ArticlePublishRequest,
    ) -> Result<ArticleStateReply, ServiceError> {
        self.publish(operator, &form).await
    }

    async fn article_archive(
        &self,
        operator: &Operator,
        form: ArticleArchiveRequest,
    ) -> Result<ArticleStateReply, ServiceError> {
        self.archive(operator, &form).await
    }

    async fn article_restore(
        &self,
        operator: &Operator,
        form: ArticleRestoreRequest,
    ) -> Result<ArticleSaveReply, ServiceError> {
        self.restore(operator, &form).await
    }

    async fn article_preview(
        &self,
        operator: &Operator,
        form: ArticlePreviewRequest,
    ) -> Result<ArticlePreviewReply, ServiceError> {
        self.make_preview(operator, &form).await
    }

    async fn content_category_list(
        &self,
        _: &Operator,
        form: ContentCategoryListRequest,
    ) -> Result<ContentCategoriesReply, ServiceError> {
        let kind = match form.kind.as_str() {
            "" => None,
            name => Some(kind(name)?),
        };
        self.categories(kind).await
    }

    async fn content_category_save(
        &self,
        operator: &Operator,
        form: ContentCategorySaveRequest,
    ) -> Result<ContentCategory, ServiceError> {
        self.save_category(operator, form).await
    }

    async fn redirect_list(
        &self,
        _: &Operator,
        form: RedirectListRequest,
    ) -> Result<RedirectListReply, ServiceError> {
        self.redirects(&form).await
    }

    async fn redirect_save(
        &self,
        operator: &Operator,
        form: RedirectSaveRequest,
    ) -> Result<Redirect, ServiceError> {
        self.save_redirect(operator, &form).await
    }

    async fn redirect_remove(
        &self,
        operator: &Operator,
        form: RedirectRemoveRequest,
    ) -> Result<(), ServiceError> {
        self.remove_redirect(operator, &form).await
    }
}
