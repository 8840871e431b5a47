//! Shared by the tests: a running service, callers, and a process with files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use chassis::messaging::Event;
use chassis::testing::{Shape, TestParts, eventually};
use chassis::{Context, ServiceError};
use proto::common::v1::{ExportPage, ExportPageRequest, Principal};
use proto::events::Published;
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
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

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
    pub test: TestParts,
    pub studio: Studio,
    pub members: Members,
    pub db: DatabaseConnection,
    channel: Channel,
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
        let context = test.migrated::<xl_works::Migrator>(xl_works::NAME).await;
        let db = context.db.clone();
        let service = xl_works::start(context).await.expect("it starts");
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
            studio,
            members,
            db,
            channel,
        }
    }

    pub fn channel(&self) -> Channel {
        self.channel.clone()
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

    pub fn signed<T>(&self, principal: Principal, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            audience: xl_works::NAME.to_owned(),
            ..principal
        };
        let principals = &self.test.parts.principals;
        principals
            .attach(principal, request.metadata_mut())
            .expect("signed");
        request
    }

    pub fn by<T>(&self, user: &str, body: T) -> Request<T> {
        let principal = Principal {
            login_id: user.to_owned(),
            ..Default::default()
        };
        self.signed(principal, body)
    }

    /// Signs a request as an operator with all permissions and a fresh second factor.
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

    pub async fn publish<E: Published>(&self, id: &str, body: &E) {
        let event = Event {
            id: id.to_owned(),
            key: E::KEY.to_owned(),
            aggregate: id.to_owned(),
            version: 1,
            time_ms: 1,
            traceparent: String::new(),
            body: body.encode_to_vec(),
        };
        let published = self.test.parts.bus.publish(vec![event]).await;
        published.expect("published");
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
        let shown = self.console().work_show(self.of("anna", form)).await?;
        let form = WorkDecideRequest {
            works_id: id.to_owned(),
            revision: shown.into_inner().item.expect("an item").revision,
            decision: decision.to_owned(),
            reason: "封面看不清".to_owned(),
        };
        let decided = self.console().work_decide(self.of("anna", form)).await;
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

    pub async fn number(&self, sql: &str) -> i64 {
        let backend = self.db.get_database_backend();
        let row = self
            .db
            .query_one_raw(Statement::from_string(backend, sql.to_owned()))
            .await
            .expect("a query");
        row.expect("a row").try_get_by_index(0).expect("a number")
    }

    pub async fn becomes(&self, sql: &str, number: i64) {
        eventually(sql, || async {
            (self.number(sql).await == number).then_some(())
        })
        .await;
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

pub fn code_of(status: &Status) -> i32 {
    chassis::error::business_error(status).map_or(0, |reply| reply.code)
}

pub fn message_of(status: &Status) -> String {
    chassis::error::business_error(status).map_or_else(String::new, |reply| reply.message)
}
