//! What the tests share: a running service, callers, files that process releases, and pictures that it makes.

use std::sync::{Arc, Mutex};

use chassis::ServiceError;
use chassis::testing::{self, Shape, TestParts, eventually};
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::personal::v1::{
    Appearance, AppearancesReply, AppearancesRequest, PersonalCommandsHandler,
    PersonalCommandsServer, TermsReply, TermsRequest,
};
use proto::process::v1::{
    BundleReply, BundleRequest, FileReleased, ProcessCommandsHandler, ProcessCommandsServer,
    ShowcaseFinished, ShowcasePicture, ShowcaseReply, ShowcaseRequest,
};
use proto::transaction::v1::cart_api_client::CartApiClient;
use proto::transaction::v1::grant_api_client::GrantApiClient;
use proto::transaction::v1::listing_api_client::ListingApiClient;
use proto::transaction::v1::listing_console_api_client::ListingConsoleApiClient;
use proto::transaction::v1::modeler_api_client::ModelerApiClient;
use proto::transaction::v1::modeler_console_api_client::ModelerConsoleApiClient;
use proto::transaction::v1::*;
use sea_orm::{ActiveModelTrait, ConnectionTrait, EntityTrait, IntoActiveModel, Set, Statement};
use tonic::Status;
use tonic::transport::Channel;
use xl_transaction::entity::{listing, version};

/// Process: takes every file but `gone`.
#[derive(Clone, Default)]
pub struct Studio(pub Arc<Mutex<Vec<ShowcaseRequest>>>);

impl ProcessCommandsHandler<ServiceError> for Studio {
    async fn showcase(&self, request: ShowcaseRequest) -> Result<ShowcaseReply, ServiceError> {
        let gone = request.file_id == "gone";
        self.0.lock().expect("alone").push(request);
        Ok(ShowcaseReply {
            job_id: if gone { String::new() } else { "j".to_owned() },
            reason: if gone {
                "文件不存在或已被删除"
            } else {
                ""
            }
            .to_owned(),
        })
    }

    async fn bundle(&self, _: BundleRequest) -> Result<BundleReply, ServiceError> {
        Ok(BundleReply::default())
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

/// Personal: every user but "nobody" is known, certified, and named after the login id.
struct People;

impl PersonalCommandsHandler<ServiceError> for People {
    async fn appearances(
        &self,
        request: AppearancesRequest,
    ) -> Result<AppearancesReply, ServiceError> {
        let known = request.login_ids.into_iter().filter(|id| id != "nobody");
        let people = known.map(|login_id| Appearance {
            nickname: format!("模型师{login_id}"),
            check_status: 1,
            real_name: "张*".to_owned(),
            login_id,
            ..Default::default()
        });
        Ok(AppearancesReply {
            people: people.collect(),
        })
    }

    async fn terms(&self, _: TermsRequest) -> Result<TermsReply, ServiceError> {
        Ok(TermsReply::default())
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

pub struct Running {
    base: testing::Running,
    pub studio: Studio,
}

impl std::ops::Deref for Running {
    type Target = testing::Running;

    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl Running {
    pub async fn start(shape: Shape, review: bool) -> Self {
        let test = TestParts::open(shape, &[xl_transaction::DEFAULTS], |settings| {
            settings.set("transaction", "review", review);
            settings.set("transaction", "compare_seconds", 1);
        });
        Self::on(test.await).await
    }

    pub async fn on(test: TestParts) -> Self {
        let studio = Studio::default();
        let process = test.context("process").await;
        process.bus.serve(ProcessCommandsServer(studio.clone()));
        let personal = test.context("personal").await;
        personal.bus.serve(PersonalCommandsServer(People));
        let service = &xl_transaction::Module;
        let base = testing::Running::on::<xl_transaction::Migrator>(service, test).await;
        Self { base, studio }
    }

    pub fn maker(&self) -> ListingApiClient<Channel> {
        ListingApiClient::new(self.channel())
    }

    pub fn carts(&self) -> CartApiClient<Channel> {
        CartApiClient::new(self.channel())
    }

    pub fn grants(&self) -> GrantApiClient<Channel> {
        GrantApiClient::new(self.channel())
    }

    pub fn console(&self) -> ListingConsoleApiClient<Channel> {
        ListingConsoleApiClient::new(self.channel())
    }

    pub fn modelers(&self) -> ModelerApiClient<Channel> {
        ModelerApiClient::new(self.channel())
    }

    pub fn modeler_console(&self) -> ModelerConsoleApiClient<Channel> {
        ModelerConsoleApiClient::new(self.channel())
    }

    pub fn released(&self, user: &str, file: &str) -> FileReleased {
        FileReleased {
            file_id: file.to_owned(),
            login_id: user.to_owned(),
            model_name: format!("齿轮 {file}"),
            format: "glb".to_owned(),
            file_size: 4096,
            sha256: "ab".repeat(32),
            triangles: 1200,
            score: 91,
            label_ids: vec!["2001".to_owned()],
            thumb_key: format!("d/{user}/{file}/thumb.png"),
            released_at_ms: 1,
            ..Default::default()
        }
    }

    /// Releases a file; answers the draft made of it.
    pub async fn draft(&self, user: &str, file: &str) -> MakerListing {
        let event = self.released(user, file);
        self.publish(&format!("release-{file}"), &event).await;
        eventually("the draft", || async {
            let page = self.page(user, "", "").await;
            page.results.into_iter().find(|one| one.file_id == file)
        })
        .await
    }

    pub async fn page(&self, user: &str, released: &str, state: &str) -> MyListingsReply {
        let form = MyListingsRequest {
            is_relase: released.to_owned(),
            state: state.to_owned(),
            ..Default::default()
        };
        let page = self.maker().my_listings(self.by(user, form)).await;
        page.expect("a page").into_inner()
    }

    pub async fn detail(&self, user: &str, id: &str) -> Result<MakerListing, Status> {
        let form = MyListingRequest {
            listing_id: id.to_owned(),
            ..Default::default()
        };
        let answer = self.maker().my_listing(self.by(user, form)).await;
        answer.map(|reply| reply.into_inner())
    }

    pub async fn save(&self, user: &str, form: SaveListingRequest) -> Result<MakerListing, Status> {
        let answer = self.maker().save_listing(self.by(user, form)).await;
        answer.map(|reply| reply.into_inner())
    }

    /// All that has to be said.
    pub async fn fill_in(&self, user: &str, id: &str) -> MakerListing {
        let form = SaveListingRequest {
            listing_id: id.to_owned(),
            name: Some("直齿轮".to_owned()),
            category_id: Some("c1001".to_owned()),
            intro: Some("模数 2，二十四齿".to_owned()),
            price: Some(1_990),
            ..Default::default()
        };
        self.save(user, form).await.expect("saved")
    }

    /// What of the one listing the call says: its state, or why nothing was done.
    pub async fn submit(&self, user: &str, id: &str) -> String {
        let answer = self.maker().submit_listings(self.by(user, ids(id))).await;
        one(answer)
    }

    pub async fn withdraw(&self, user: &str, id: &str) -> String {
        one(self.maker().withdraw_listings(self.by(user, ids(id))).await)
    }

    pub async fn relist(&self, user: &str, id: &str) -> String {
        one(self.maker().relist_listings(self.by(user, ids(id))).await)
    }

    /// Process has made the pictures, or could not.
    pub async fn pictured(&self, id: &str, version: i32, status: &str) {
        let key = |name: &str| format!("m/{id}/{version}/{name}");
        let picture = |kind: &str, name: &str| ShowcasePicture {
            kind: kind.to_owned(),
            key: key(name),
            title: String::new(),
        };
        let event = ShowcaseFinished {
            listing_id: id.to_owned(),
            version,
            status: status.to_owned(),
            reason: if status == "ready" {
                ""
            } else {
                "模型没有可以显示的面"
            }
            .to_owned(),
            source_key: key("source.glb"),
            proxy_key: key("proxy.glb"),
            pictures: vec![picture("beauty", "1.webp"), picture("turntable", "t.webp")],
            facts: r#"{"triangles": 1200}"#.to_owned(),
            descriptor: (0..64).collect(),
            sha256: "cd".repeat(32),
            bytes: 4096,
        };
        self.publish(&format!("made-{id}-{version}-{status}"), &event)
            .await;
    }

    pub async fn in_state(&self, user: &str, id: &str, state: &str) -> MakerListing {
        eventually(state, || async {
            let found = self.detail(user, id).await.expect("own");
            (found.state == state).then_some(found)
        })
        .await
    }

    /// A listing that the mall shows.
    pub async fn listed(&self, user: &str, file: &str) -> String {
        let draft = self.draft(user, file).await;
        let id = draft.listing.expect("shown").listing_id;
        self.fill_in(user, &id).await;
        assert_eq!(self.submit(user, &id).await, "making");
        self.pictured(&id, 1, "ready").await;
        self.in_state(user, &id, "submitted").await;
        self.decide(&id, 1, "approve").await.expect("approved");
        id
    }

    pub async fn decide(&self, id: &str, version: i32, decision: &str) -> Result<(), Status> {
        let form = ListingDecideRequest {
            listing_id: id.to_owned(),
            version,
            decision: decision.to_owned(),
            reason: "贴图缺失，请补齐".to_owned(),
        };
        // Later than whatever was decided before.
        self.test.parts.clock.advance_ms(1);
        let answer = self
            .console()
            .listing_decide(self.by_operator("anna", form))
            .await;
        answer.map(|_| ())
    }

    pub async fn price(&self, user: &str, id: &str, cents: i64) {
        let form = SaveListingRequest {
            listing_id: id.to_owned(),
            price: Some(cents),
            ..Default::default()
        };
        self.save(user, form).await.expect("saved");
    }

    pub async fn take_down(&self, id: &str) {
        let form = ListingActRequest {
            unfounded: false,
            listing_id: id.to_owned(),
            reason: "有人投诉".to_owned(),
        };
        let done = self
            .console()
            .listing_take_down(self.by_operator("anna", form))
            .await;
        done.expect("taken down");
    }

    /// Listings like this one, with its current version and the objects of that.
    pub async fn copies(&self, id: &str, count: usize) -> Vec<String> {
        let found = listing::Entity::find_any_by_id(id).one(&self.db).await;
        let model = found.expect("a query").expect("a listing");
        let found = version::Entity::find_by_id((id.to_owned(), model.current_version))
            .one(&self.db)
            .await;
        let sold = found.expect("a query").expect("a version");
        let ids: Vec<String> = (0..count).map(|_| chassis::ids::new_id()).collect();
        for copy in &ids {
            let mut row = model.clone().into_active_model().reset_all();
            row.id = Set(copy.clone());
            row.insert(&self.db).await.expect("inserted");
            let mut row = sold.clone().into_active_model().reset_all();
            row.listing_id = Set(copy.clone());
            row.insert(&self.db).await.expect("inserted");
        }
        ids
    }

    /// Puts the file of a version, as process does.
    pub async fn put_source(&self, id: &str, version: i32) -> Vec<u8> {
        let bytes = format!("glTF {id} {version}").into_bytes();
        let key = format!("m/{id}/{version}/source.glb");
        let objects = &self.test.parts.objects;
        let put = objects.put_bytes(&key, bytes.clone().into(), "model/gltf-binary");
        put.await.expect("put");
        bytes
    }

    /// Who was told this so far, and why, in order.
    pub async fn told(&self, what: &str) -> Vec<(String, String)> {
        let sql = "SELECT body FROM outbox WHERE event_key = 'transaction.person.told' ORDER BY created_at, id";
        let backend = self.db.get_database_backend();
        let rows = self
            .db
            .query_all_raw(Statement::from_string(backend, sql.to_owned()))
            .await
            .expect("a query");
        let bodies = rows
            .iter()
            .map(|row| -> Vec<u8> { row.try_get_by_index(0).expect("bytes") });
        let events =
            bodies.map(|body| <PersonTold as prost::Message>::decode(&body[..]).expect("an event"));
        events
            .filter(|event| event.what == what)
            .map(|event| (event.login_id, event.reason))
            .collect()
    }

    /// Takes changes out of review, or gives them up; the refusal's words.
    pub async fn take_back(
        &self,
        user: &str,
        id: &str,
        discard: bool,
    ) -> Result<MakerListing, String> {
        let form = TakeBackRequest {
            listing_id: id.to_owned(),
            discard,
            ..Default::default()
        };
        let answer = self.maker().take_back(self.by(user, form)).await;
        answer.map(|reply| reply.into_inner()).map_err(|status| {
            chassis::error::business_error(&status)
                .expect("for people")
                .message
        })
    }

    /// Another file as the next version; its state.
    pub async fn add_version(&self, user: &str, id: &str, file: &str) -> Result<String, Status> {
        let form = AddVersionRequest {
            listing_id: id.to_owned(),
            file_id: file.to_owned(),
            notes: "齿形修正".to_owned(),
            ..Default::default()
        };
        let answer = self.maker().add_version(self.by(user, form)).await;
        answer.map(|reply| reply.into_inner().version_state)
    }

    /// The first cell of the first row; none without one.
    pub async fn bytes(&self, sql: &str) -> Option<Vec<u8>> {
        let backend = self.db.get_database_backend();
        let row = self
            .db
            .query_one_raw(Statement::from_string(backend, sql.to_owned()))
            .await
            .expect("a query");
        row.map(|row| row.try_get_by_index(0).expect("bytes"))
    }
}

pub fn ids(id: &str) -> ListingIdsRequest {
    ListingIdsRequest {
        listing_ids: id.to_owned(),
        ..Default::default()
    }
}

fn one(answer: Result<tonic::Response<ListingResults>, Status>) -> String {
    let results = answer.expect("answered").into_inner().results;
    assert_eq!(results.len(), 1);
    let one = &results[0];
    if one.message.is_empty() {
        one.state.clone()
    } else {
        one.message.clone()
    }
}
