//! The calls that everybody makes: request → domain → reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::works::v1::gallery_api_server::GalleryApi;
use proto::works::v1::*;
use tonic::Request;

use super::view::is_robot;
use crate::Works;
use crate::entity::category::Kind;
use crate::state::anybody;

#[tonic::async_trait]
impl GalleryApi for Works {
    async fn label_cate(&self, _: Request<Empty>) -> Reply<WorkCategories> {
        reply(self.categories(Kind::Category).await)
    }

    async fn case_industry(&self, _: Request<Empty>) -> Reply<WorkCategories> {
        reply(self.categories(Kind::Industry).await)
    }

    async fn work_list(&self, request: Request<WorkListRequest>) -> Reply<WorkPage> {
        let (viewer, form) = anybody(request)?;
        reply(self.list(&viewer, &form).await)
    }

    async fn work_detail(&self, request: Request<WorkDetailRequest>) -> Reply<WorkDetailReply> {
        let (viewer, form) = anybody(request)?;
        let id = match form.works_id.is_empty() {
            true => &form.id,
            false => &form.works_id,
        };
        reply(self.detail(&viewer, id).await)
    }

    async fn detail_page_recommend(
        &self,
        request: Request<WorkNeighboursRequest>,
    ) -> Reply<WorkCards> {
        let (viewer, form) = anybody(request)?;
        reply(self.alike(&viewer, &form.works_id, form.size).await)
    }

    async fn other_works(&self, request: Request<WorkNeighboursRequest>) -> Reply<WorkCards> {
        let (viewer, form) = anybody(request)?;
        reply(self.others(&viewer, &form.works_id, form.size).await)
    }

    async fn homepage_recommend(
        &self,
        request: Request<HomepageRecommendRequest>,
    ) -> Reply<WorkCards> {
        let (viewer, form) = anybody(request)?;
        reply(self.recommended(&viewer, form.size).await)
    }

    async fn collect_work(&self, request: Request<WorkOperateRequest>) -> Reply<WorkMarks> {
        let (owner, form) = signed_in(request)?;
        reply(self.collect(&owner, &form).await)
    }

    async fn like_work(&self, request: Request<WorkOperateRequest>) -> Reply<WorkMarks> {
        let (owner, form) = signed_in(request)?;
        reply(self.like(&owner, &form).await)
    }

    async fn count_view(&self, request: Request<CountViewRequest>) -> Reply<CountViewReply> {
        let robot = is_robot(Caller::of(&request)?.user_agent());
        let (viewer, form) = anybody(request)?;
        reply(self.look(&viewer, &form, robot).await)
    }

    async fn my_collection(
        &self,
        request: Request<MyCollectionRequest>,
    ) -> Reply<MyCollectionReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.collection(&owner, &form).await)
    }

    async fn report_work(&self, request: Request<ReportWorkRequest>) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let reported = Works::report_work(self, &owner, &form).await;
        reply(reported.map(|()| Empty {}))
    }
}
