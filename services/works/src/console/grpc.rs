//! The operators' calls: request → domain → reply.

use chassis::rpc::{Reply, called_by, reply};
use proto::common::v1::Empty;
use proto::works::v1::work_console_api_server::WorkConsoleApi;
use proto::works::v1::*;
use tonic::Request;

use crate::Works;

#[tonic::async_trait]
impl WorkConsoleApi for Works {
    async fn work_search(&self, request: Request<WorkSearchRequest>) -> Reply<WorkSearchReply> {
        reply(self.search_works(request.get_ref()).await)
    }

    async fn work_show(&self, request: Request<WorkShowRequest>) -> Reply<WorkShowReply> {
        reply(self.show_work(&request.get_ref().works_id).await)
    }

    async fn work_decide(&self, request: Request<WorkDecideRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let decided = self.decide(&caller, &form).await;
        reply(decided.map(|()| Empty {}))
    }

    async fn work_hide(&self, request: Request<WorkActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_work(&caller, &form, true).await;
        reply(done.map(|()| Empty {}))
    }

    async fn work_restore(&self, request: Request<WorkActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_work(&caller, &form, false).await;
        reply(done.map(|()| Empty {}))
    }

    async fn work_recommend(&self, request: Request<WorkRecommendRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.recommend(&caller, &form).await;
        reply(done.map(|()| Empty {}))
    }

    async fn work_category_list(
        &self,
        request: Request<WorkCategoryListRequest>,
    ) -> Reply<WorkCategoryListReply> {
        reply(self.list_categories(request.get_ref()).await)
    }

    async fn work_category_save(
        &self,
        request: Request<WorkCategorySaveRequest>,
    ) -> Reply<ManagedCategory> {
        let (caller, form) = called_by(request)?;
        reply(self.save_category(&caller, form).await)
    }

    async fn comment_search(
        &self,
        request: Request<CommentSearchRequest>,
    ) -> Reply<CommentSearchReply> {
        reply(self.search_comments(request.get_ref()).await)
    }

    async fn comment_hide(&self, request: Request<CommentActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_comment(&caller, &form, true).await;
        reply(done.map(|()| Empty {}))
    }

    async fn comment_restore(&self, request: Request<CommentActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_comment(&caller, &form, false).await;
        reply(done.map(|()| Empty {}))
    }

    async fn reports_dismiss(&self, request: Request<ReportsDismissRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.dismiss(&caller, &form).await;
        reply(done.map(|()| Empty {}))
    }
}
