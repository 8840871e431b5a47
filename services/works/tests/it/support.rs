//! Shared by the tests: a running service, callers, and a process with files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use chassis::testing::{self, Shape, TestParts};
use chassis::{Context, ServiceError};
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::personal::v1::{
    Appearance, AppearancesReply, AppearancesRequest, CountedTerm, PersonalCommandsHandler,
    PersonalCommandsServer, TermsReply, TermsRequest,
};
use proto::process::v1::{
    BundleReply, BundleRequest, ProcessCommandsHandler, ProcessCommandsServer, ShowcaseReply,
    ShowcaseRequest,
};
use proto::works::v1::comment_api_client::CommentApiClient;
use proto::works::v1::gallery_api_client::GalleryApiClient;
use proto::works::v1::work_api_client::WorkApiClient;
use proto::works::v1::work_console_api_client::WorkConsoleApiClient;
use proto::works::v1::*;
use tonic::Status;
use tonic::transport::Channel;

/// Fake process: files of users, each with the state process reports.
#[derive(Clone)]
pub struct Studio {
    context: Context,
    /// State of the bundle by owner and file.
    pub files: Arc<Mutex<HashMap<(String, String), &'static str>>>,
}

impl Studio {
    pub fn has(&self, owner: &str, file: &str, state: &'static str) {
        let key = (owner.to_owned(), file.to_owned());
        self.files.lock().expect("alone").insert(key, state);
    }
}

impl ProcessCommandsHandler<ServiceError> for Studio {
    async fn showcase(&self, _: ShowcaseRequest) -> Result<ShowcaseReply, ServiceError> {
        Ok(ShowcaseReply::default())
    }

    async fn bundle(&self, request: BundleRequest) -> Result<BundleReply, ServiceError> {
        let key = (request.owner, request.file_id.clone());
        let known = self.files.lock().expect("alone").get(&key).copied();
        let state = known.unwrap_or("none");
        if state != "ready" {
            return Ok(BundleReply {
                state: state.to_owned(),
                ..Default::default()
            });
        }
        let key = |name: &str| format!("w/{}/{}/{name}", request.work_id, request.number);
        for name in ["model.glb", "poster"] {
            let bytes = format!("{} {name}", request.file_id).into_bytes();
            let objects = &self.context.objects;
            objects
                .put_bytes(&key(name), bytes.into(), "model/gltf-binary")
                .await
                .map_err(|error| ServiceError::Internal(error.into()))?;
        }
        Ok(BundleReply {
            state: state.to_owned(),
            model_key: key("model.glb"),
            poster_key: key("poster"),
            name: format!("模型 {}", request.file_id),
            format: "glb".to_owned(),
            bytes: 4096,
            triangles: 1200,
            ..Default::default()
        })
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

/// Fake personal: each user's name is the login id.
struct People {
    /// Users and the end of their membership.
    members: Members,
}

pub type Members = Arc<Mutex<HashMap<String, i64>>>;

impl PersonalCommandsHandler<ServiceError> for People {
    async fn appearances(
        &self,
        request: AppearancesRequest,
    ) -> Result<AppearancesReply, ServiceError> {
        let people = request.login_ids.into_iter().map(|login_id| Appearance {
            nickname: format!("作者{login_id}"),
            avatar: format!("http://store/{login_id}.png"),
            check_status: 1,
            company_name: format!("{login_id}有限公司"),
            login_id,
            ..Default::default()
        });
        Ok(AppearancesReply {
            people: people.collect(),
        })
    }

    async fn terms(&self, request: TermsRequest) -> Result<TermsReply, ServiceError> {
        let known = self.members.lock().unwrap();
        let term = |ends_at_ms: &i64| CountedTerm {
            starts_at_ms: 1,
            ends_at_ms: *ends_at_ms,
            ..Default::default()
        };
        Ok(TermsReply {
            terms: known.get(&request.login_id).map(term).into_iter().collect(),
        })
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

pub struct Running {
    base: testing::Running,
    pub studio: Studio,
    pub members: Members,
}

impl std::ops::Deref for Running {
    type Target = testing::Running;

    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl Running {
    pub async fn start(shape: Shape, review: bool) -> Self {
        let test = TestParts::open(shape, &[xl_works::DEFAULTS], |settings| {
            settings.set("works", "review", review);
        })
        .await;
        let process = test.context("process").await;
        let studio = Studio {
            context: process.clone(),
            files: Arc::default(),
        };
        process.bus.serve(ProcessCommandsServer(studio.clone()));
        let personal = test.context("personal").await;
        let members = Members::default();
        let people = People {
            members: members.clone(),
        };
        personal.bus.serve(PersonalCommandsServer(people));
        let service = &xl_works::Module;
        let base = testing::Running::on::<xl_works::Migrator>(service, test).await;
        Self {
            base,
            studio,
            members,
        }
    }

    pub fn authors(&self) -> WorkApiClient<Channel> {
        WorkApiClient::new(self.channel())
    }

    pub fn gallery(&self) -> GalleryApiClient<Channel> {
        GalleryApiClient::new(self.channel())
    }

    pub fn talk(&self) -> CommentApiClient<Channel> {
        CommentApiClient::new(self.channel())
    }

    pub fn console(&self) -> WorkConsoleApiClient<Channel> {
        WorkConsoleApiClient::new(self.channel())
    }

    pub async fn create(&self, user: &str, file: &str) -> Result<MyWork, Status> {
        let form = CreateWorkRequest {
            file_id: file.to_owned(),
            ..Default::default()
        };
        let made = self.authors().create_work(self.by(user, form)).await?;
        Ok(made.into_inner())
    }

    pub async fn save(&self, user: &str, form: SaveWorkRequest) -> Result<MyWork, Status> {
        let saved = self.authors().save_work(self.by(user, form)).await?;
        Ok(saved.into_inner())
    }

    pub async fn mine(&self, user: &str, id: &str) -> Result<MyWork, Status> {
        let found = self
            .authors()
            .my_work_detail(self.by(user, own(id)))
            .await?;
        Ok(found.into_inner())
    }

    pub async fn submit(&self, user: &str, id: &str) -> Result<MyWork, Status> {
        let done = self.authors().submit_work(self.by(user, own(id))).await?;
        Ok(done.into_inner())
    }

    pub async fn decide(&self, id: &str, decision: &str) -> Result<(), Status> {
        let form = WorkShowRequest {
            works_id: id.to_owned(),
        };
        let shown = self
            .console()
            .work_show(self.by_operator("anna", form))
            .await?;
        let form = WorkDecideRequest {
            works_id: id.to_owned(),
            revision: shown.into_inner().item.expect("an item").revision,
            decision: decision.to_owned(),
            reason: "封面看不清".to_owned(),
        };
        let decided = self
            .console()
            .work_decide(self.by_operator("anna", form))
            .await;
        decided.map(|_| ())
    }

    /// Creates a draft with all required fields.
    pub async fn draft(&self, user: &str, file: &str, change: SaveWorkRequest) -> String {
        self.studio.has(user, file, "ready");
        let made = self.create(user, file).await.expect("a draft");
        let id = made.card.expect("a card").id;
        let form = SaveWorkRequest {
            works_id: id.clone(),
            category_id: change.category_id.clone().or(Some("wc01".to_owned())),
            ..change
        };
        self.save(user, form).await.expect("saved");
        id
    }

    /// Creates a published work.
    pub async fn work(&self, user: &str, file: &str, change: SaveWorkRequest) -> String {
        let id = self.draft(user, file, change).await;
        self.submit(user, &id).await.expect("handed in");
        self.decide(&id, "approve").await.expect("approved");
        id
    }

    pub async fn detail(&self, user: &str, id: &str) -> Result<WorkDetailReply, Status> {
        let form = WorkDetailRequest {
            works_id: id.to_owned(),
            ..Default::default()
        };
        let found = self.gallery().work_detail(self.by(user, form)).await?;
        Ok(found.into_inner())
    }

    pub async fn card(&self, user: &str, id: &str) -> WorkCard {
        let found = self.detail(user, id).await.expect("a work");
        found.card.expect("a card")
    }

    pub async fn list(&self, user: &str, form: WorkListRequest) -> WorkPage {
        let page = self.gallery().work_list(self.by(user, form)).await;
        page.expect("a page").into_inner()
    }

    /// Number of notifications published so far.
    pub async fn notifications(&self) -> i64 {
        self.number("SELECT COUNT(*) FROM outbox WHERE event_key = 'works.person.told'")
            .await
    }

    pub async fn object(&self, key: &str) -> bool {
        let objects = &self.test.parts.objects;
        objects.head(key).await.expect("a store").is_some()
    }
}

pub fn own(id: &str) -> MyWorkRequest {
    MyWorkRequest {
        works_id: id.to_owned(),
        ..Default::default()
    }
}

pub fn named(name: &str) -> SaveWorkRequest {
    SaveWorkRequest {
        name: Some(name.to_owned()),
        ..Default::default()
    }
}
