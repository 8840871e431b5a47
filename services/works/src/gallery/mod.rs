//! Published works, for all visitors.

mod card;
mod list;
pub(crate) mod mark;
pub(crate) mod view;

use chassis::{Caller, Grantee, Origin, ServiceError, SignedIn, grantee};
use proto::common::v1::Empty;
use proto::works::v1::{
    CountViewReply, CountViewRequest, GalleryCalls, HomepageRecommendRequest, MyCollectionReply,
    MyCollectionRequest, ReportWorkRequest, WorkCard, WorkCategory, WorkDetailReply,
    WorkDetailRequest, WorkListRequest, WorkMarks, WorkModel, WorkNeighboursRequest,
    WorkOperateRequest, WorkPage,
};

use self::view::is_robot;
use crate::Works;
use crate::entity::bundle as bundles;
use crate::entity::category::Kind;
use crate::entity::work::{Entity, Model, State};
use crate::work::no_such_work;

/// Weights of views, likes, collections and comments in the order `hot`.
pub(crate) const LOOK: i64 = 1;
pub(crate) const LIKE: i64 = 10;
pub(crate) const COLLECT: i64 = 15;
pub(crate) const COMMENT: i64 = 10;

impl Works {
    /// A work that the user, or an anonymous visitor, may view. Errors: none is found.
    pub(crate) async fn open_work(
        &self,
        db: &impl sea_orm::ConnectionTrait,
        viewer: &str,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let found = Entity::find_any_by_id(id).one(db).await?;
        found
            .filter(|work| work.open_to(viewer))
            .ok_or_else(no_such_work)
    }

    /// The model of a bundle for its author or, without one, for everybody; none until it is ready. `saved_as`: file name of the
    /// download, if allowed.
    pub(crate) fn model_view(
        &self,
        author: Option<&Grantee<'_>>,
        bundle: &bundles::Model,
        saved_as: Option<&str>,
    ) -> Option<WorkModel> {
        if bundle.state != bundles::State::Ready {
            return None;
        }
        let download_url = saved_as.map(|name| {
            let name: String = name.chars().filter(|c| !"/\\:".contains(*c)).collect();
            self.address_for(author, &bundle.model_key, Some(&format!("{name}.glb")))
        });
        Some(WorkModel {
            bundle: bundle.number,
            model_url: self.address_for(author, &bundle.model_key, None),
            proxy_url: self.address_for(author, &bundle.proxy_key, None),
            poster_url: self.address_for(author, &bundle.poster_key, None),
            bytes: bundle.bytes,
            triangles: bundle.triangles,
            animation: bundle.animation,
            format: bundle.format.clone(),
            download_url: download_url.unwrap_or_default(),
        })
    }
}

impl GalleryCalls<ServiceError> for Works {
    async fn label_cate(&self, _: &Origin, _: Empty) -> Result<Vec<WorkCategory>, ServiceError> {
        self.categories(Kind::Category).await
    }

    async fn case_industry(&self, _: &Origin, _: Empty) -> Result<Vec<WorkCategory>, ServiceError> {
        self.categories(Kind::Industry).await
    }

    async fn work_list(
        &self,
        caller: &Caller,
        form: WorkListRequest,
    ) -> Result<WorkPage, ServiceError> {
        let viewer = caller.user().unwrap_or_default();
        self.list(viewer, &form).await
    }

    async fn work_detail(
        &self,
        caller: &Caller,
        form: WorkDetailRequest,
    ) -> Result<WorkDetailReply, ServiceError> {
        let viewer = caller.user().unwrap_or_default();
        let id = match form.works_id.is_empty() {
            true => &form.id,
            false => &form.works_id,
        };
        let db = &self.context.db;
        let mut work = self.open_work(db, viewer, id).await?;
        let mine = work.owner == viewer;
        if work.bundle == 0 {
            // Only the owner gets here, for a work not published yet: show the draft.
            let content = work.content();
            work.name = content.name;
            work.description = content.description;
            work.category_id = content.category_id;
            work.industry_id = content.industry_id;
            work.labels = content.labels.join(",");
            work.work_type = content.work_type;
            work.scene = content.scene;
            work.bundle = content.bundle;
        }
        let bundle = self.bundle_of(db, id, work.bundle).await?;
        let saved_as = (work.download_allowed || mine).then_some(work.name.as_str());
        let own = grantee(caller);
        let author = mine.then_some(&own);
        let model = bundle.and_then(|one| self.model_view(author, &one, saved_as));
        let state = match work.state {
            State::Draft => work.told_state(),
            state => state.name(),
        };
        let mut cards = self.cards(viewer, std::slice::from_ref(&work)).await?;
        Ok(WorkDetailReply {
            card: cards.pop(),
            model,
            state: state.to_owned(),
            scene: work.scene,
            visibility: work.visibility.name().to_owned(),
            comments_allowed: work.comments_allowed,
            download_allowed: work.download_allowed,
            mine,
            updated_time: work.updated_at,
        })
    }

    async fn detail_page_recommend(
        &self,
        caller: &Caller,
        form: WorkNeighboursRequest,
    ) -> Result<Vec<WorkCard>, ServiceError> {
        let viewer = caller.user().unwrap_or_default();
        self.alike(viewer, &form.works_id, form.size).await
    }

    async fn other_works(
        &self,
        caller: &Caller,
        form: WorkNeighboursRequest,
    ) -> Result<Vec<WorkCard>, ServiceError> {
        let viewer = caller.user().unwrap_or_default();
        self.others(viewer, &form.works_id, form.size).await
    }

    async fn homepage_recommend(
        &self,
        caller: &Caller,
        form: HomepageRecommendRequest,
    ) -> Result<Vec<WorkCard>, ServiceError> {
        let viewer = caller.user().unwrap_or_default();
        self.recommended(viewer, form.size).await
    }

    async fn collect_work(
        &self,
        caller: &SignedIn,
        form: WorkOperateRequest,
    ) -> Result<WorkMarks, ServiceError> {
        self.collect(caller.login_id(), &form).await
    }

    async fn like_work(
        &self,
        caller: &SignedIn,
        form: WorkOperateRequest,
    ) -> Result<WorkMarks, ServiceError> {
        self.like(caller.login_id(), &form).await
    }

    async fn count_view(
        &self,
        caller: &Caller,
        form: CountViewRequest,
    ) -> Result<CountViewReply, ServiceError> {
        let viewer = caller.user().unwrap_or_default();
        let robot = is_robot(caller.user_agent());
        self.look(viewer, &form, robot).await
    }

    async fn my_collection(
        &self,
        caller: &SignedIn,
        form: MyCollectionRequest,
    ) -> Result<MyCollectionReply, ServiceError> {
        self.collection(caller.login_id(), &form).await
    }

    async fn report_work(
        &self,
        caller: &SignedIn,
        form: ReportWorkRequest,
    ) -> Result<(), ServiceError> {
        self.report_work(caller.login_id(), &form).await
    }
}
