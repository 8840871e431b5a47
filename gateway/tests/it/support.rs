//! A gateway on a free port, in front of a fake `auth` that knows the tests' tokens and a fake `personal` that echoes
//! its calls.

use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use chassis::rpc::GuardedServices;
use chassis::testing::{PATIENCE, Shape, TestParts};
use chassis::{BusinessError, Caller, Principals, Service, Settings, rpc};
use gateway::client::SignedClient;
use gateway::{GatewayHandle, Options, Upstreams};
use proto::auth::v1::auth_internal_server::{AuthInternal, AuthInternalServer};
use proto::auth::v1::{
    IntrospectOperatorReply, IntrospectOperatorRequest, IntrospectReply, IntrospectRequest,
};
use proto::common::v1::Empty;
use proto::content::v1::content_internal_server::{ContentInternal, ContentInternalServer};
use proto::content::v1::{PageReply, PageRequest, PublishedPage, PublishedReply, PublishedRequest};
use proto::personal::v1::content_api_server::{ContentApi, ContentApiServer};
use proto::personal::v1::profile_api_server::{ProfileApi, ProfileApiServer};
use proto::personal::v1::site_api_server::{SiteApi, SiteApiServer};
use proto::personal::v1::upload_api_server::{UploadApi, UploadApiServer};
use proto::personal::v1::*;
use proto::works::v1::share_internal_server::{ShareInternal, ShareInternalServer};
use proto::works::v1::{OpenShareReply, OpenShareRequest, ShareLookedRequest};
use tonic::{Request, Response, Status};

pub const INFO: &str = "/api-personal/laozi/v3/personalInfo/queryInfo";
pub const READ: &str = "/api-personal/laozi/v3/personalInfo/getTheGuidePageReadingStatus";
pub const WRITE: &str = "/api-personal/laozi/v3/personalInfo/updateTheGuidePageReadingStatus";
pub const STORAGE: &str = "/api-personal/laozi/v3/common/unauth/getHuaweiParam";
pub const SCAN: &str = "/api-personal/laozi/v3/contentSecurity/textAntispamScan";

/// Where the services run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    InProcess,
    OverHttp2,
}

/// State shared by the fake services and the tests.
#[derive(Clone, Default)]
pub struct Fakes {
    sessions: Arc<Mutex<HashMap<String, IntrospectReply>>>,
    operators: Arc<Mutex<HashMap<String, IntrospectOperatorReply>>>,
    /// Calls `auth` has handled.
    pub lookups: Arc<AtomicUsize>,
    /// Calls that wrote.
    pub writes: Arc<AtomicUsize>,
    /// Calls with the text `flaky`.
    pub flaky: Arc<AtomicUsize>,
    /// What the fake `content` says, by path and query; of others it says nothing.
    pub pages: Arc<Mutex<HashMap<String, PageReply>>>,
    pub published: Arc<Mutex<Vec<PublishedPage>>>,
    /// What the fake `works` says of a share, and how it was last asked.
    pub share: Arc<Mutex<OpenShareReply>>,
    pub opened: Arc<Mutex<OpenShareRequest>>,
    pub looked: Arc<Mutex<ShareLookedRequest>>,
    /// How long the fake `content` takes, in milliseconds.
    pub slow_ms: Arc<AtomicUsize>,
}

impl Fakes {
    fn services(&self, principals: &Principals) -> [Service; 4] {
        let auth = GuardedServices::new("auth", principals)
            .with(AuthInternalServer::new(self.clone()))
            .finish();
        let personal = GuardedServices::new("personal", principals)
            .with(ContentApiServer::new(self.clone()))
            .with(ProfileApiServer::new(self.clone()))
            .with(SiteApiServer::new(self.clone()))
            .with(UploadApiServer::new(self.clone()))
            .finish();
        let content = GuardedServices::new("content", principals)
            .with(ContentInternalServer::new(self.clone()))
            .finish();
        let works = GuardedServices::new("works", principals)
            .with(ShareInternalServer::new(self.clone()))
            .finish();
        [auth, personal, content, works]
    }

    /// Creates a token of a user in the fake `auth`.
    pub fn sign_in(&self, login_id: &str, expires_at_ms: i64) -> String {
        let token = format!("token-{}", uuid::Uuid::new_v4().simple());
        let session = IntrospectReply {
            login_id: login_id.to_owned(),
            session_id: format!("s-{login_id}"),
            expires_at_ms,
            operator: false,
        };
        let hash = d3sig::token_hash(&token);
        self.sessions.lock().unwrap().insert(hash, session);
        token
    }

    /// Creates a token of an operator in the fake `auth`.
    pub fn operator(&self, permission: &str, fresh_until_ms: i64) -> String {
        let token = format!("token-{}", uuid::Uuid::new_v4().simple());
        let session = IntrospectOperatorReply {
            operator_id: "o1".to_owned(),
            name: "anna".to_owned(),
            session_id: "s-o1".to_owned(),
            expires_at_ms: i64::MAX,
            permissions: vec![permission.to_owned()],
            fresh_until_ms,
        };
        let hash = d3sig::token_hash(&token);
        self.operators.lock().unwrap().insert(hash, session);
        token
    }

    /// Removes a token from the fake `auth`.
    pub fn sign_out(&self, token: &str) {
        let hash = d3sig::token_hash(token);
        self.sessions.lock().unwrap().remove(&hash);
    }
}

#[async_trait::async_trait]
impl AuthInternal for Fakes {
    async fn introspect(
        &self,
        request: Request<IntrospectRequest>,
    ) -> Result<Response<IntrospectReply>, Status> {
        Caller::of(&request)?;
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let hash = request.into_inner().token_hash;
        let session = self.sessions.lock().unwrap().get(&hash).cloned();
        session
            .map(Response::new)
            .ok_or(Status::not_found("no such session"))
    }

    async fn introspect_operator(
        &self,
        request: Request<IntrospectOperatorRequest>,
    ) -> Result<Response<IntrospectOperatorReply>, Status> {
        let hash = request.into_inner().token_hash;
        let session = self.operators.lock().unwrap().get(&hash).cloned();
        session
            .map(Response::new)
            .ok_or(Status::not_found("no such session"))
    }
}

#[async_trait::async_trait]
impl ContentInternal for Fakes {
    async fn page(&self, request: Request<PageRequest>) -> Result<Response<PageReply>, Status> {
        Caller::of(&request)?;
        let slow = self.slow_ms.load(Ordering::SeqCst) as u64;
        tokio::time::sleep(std::time::Duration::from_millis(slow)).await;
        let asked = request.into_inner();
        let address = format!("{}?{}", asked.path, asked.query);
        let known = self.pages.lock().unwrap().get(&address).cloned();
        Ok(Response::new(known.unwrap_or_default()))
    }

    async fn published(
        &self,
        request: Request<PublishedRequest>,
    ) -> Result<Response<PublishedReply>, Status> {
        let kind = request.into_inner().kind;
        let mut pages = self.published.lock().unwrap().clone();
        pages.retain(|page| kind.is_empty() || page.kind == kind);
        Ok(Response::new(PublishedReply { pages }))
    }
}

#[async_trait::async_trait]
impl ShareInternal for Fakes {
    async fn open_share(
        &self,
        request: Request<OpenShareRequest>,
    ) -> Result<Response<OpenShareReply>, Status> {
        Caller::of(&request)?;
        *self.opened.lock().unwrap() = request.into_inner();
        Ok(Response::new(self.share.lock().unwrap().clone()))
    }

    async fn share_looked(
        &self,
        request: Request<ShareLookedRequest>,
    ) -> Result<Response<Empty>, Status> {
        *self.looked.lock().unwrap() = request.into_inner();
        Ok(Response::new(Empty {}))
    }
}

fn not_here<T>() -> Result<Response<T>, Status> {
    Err(Status::unimplemented("not in this test"))
}

type Answer<T> = Result<Response<T>, Status>;

#[async_trait::async_trait]
impl ProfileApi for Fakes {
    /// Returns the caller's identity as the service received it.
    async fn query_info(&self, request: Request<UserRequest>) -> Answer<UserInfo> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(UserInfo {
            user_id: caller.login_id().map_err(Status::from)?.to_owned(),
            account_number: caller.token_hash().to_owned(),
            mobile_num: caller.remote_addr().to_owned(),
            profession_code: request.into_inner().user_id,
            ..UserInfo::default()
        }))
    }

    async fn avatar_information(&self, _: Request<UserRequest>) -> Answer<AvatarInfo> {
        not_here()
    }
    async fn modify_user_info(&self, _: Request<ModifyUserInfoRequest>) -> Answer<KeptUserInfo> {
        not_here()
    }
    async fn get_personal_statistics_by_user_id(
        &self,
        _: Request<UserRequest>,
    ) -> Answer<StatisticsInfo> {
        not_here()
    }
}

#[async_trait::async_trait]
impl SiteApi for Fakes {
    async fn get_the_guide_page_reading_status(
        &self,
        request: Request<GuideRequest>,
    ) -> Answer<GuideReply> {
        let read = request.into_inner().location == 1;
        Ok(Response::new(GuideReply { read }))
    }

    async fn update_the_guide_page_reading_status(
        &self,
        request: Request<GuideRequest>,
    ) -> Answer<Empty> {
        Caller::of(&request)?.login_id().map_err(Status::from)?;
        self.writes.fetch_add(1, Ordering::SeqCst);
        Ok(Response::new(Empty {}))
    }

    async fn get_popup_settings(&self, _: Request<PopupRequest>) -> Answer<PopupSettings> {
        not_here()
    }
    async fn get_latest_client_version(&self, _: Request<UserRequest>) -> Answer<ClientVersion> {
        not_here()
    }
    async fn friendlink_list(&self, _: Request<UserRequest>) -> Answer<FriendLinks> {
        not_here()
    }
}

#[async_trait::async_trait]
impl UploadApi for Fakes {
    async fn get_huawei_param(&self, request: Request<UserRequest>) -> Answer<StorageParam> {
        let caller = Caller::of(&request)?;
        let mut param = StorageParam {
            server: "https://store.example.test".into(),
            ..StorageParam::default()
        };
        if caller.signed_in().is_some() {
            param.ak = Some("temporary-ak".into());
            param.sk = Some("temporary-sk".into());
            param.expiration = Some(1_795_219_200_000);
        }
        Ok(Response::new(param))
    }

    async fn get_object_model_file_upload_settings(
        &self,
        _: Request<UploadSettingsRequest>,
    ) -> Answer<UploadSettings> {
        not_here()
    }
    async fn get_scene_model_file_upload_settings(
        &self,
        _: Request<UploadSettingsRequest>,
    ) -> Answer<UploadSettings> {
        not_here()
    }
}

#[async_trait::async_trait]
impl ContentApi for Fakes {
    /// Fails in the way its text requests.
    async fn text_antispam_scan(&self, request: Request<TextScanRequest>) -> Answer<Empty> {
        match request.into_inner().content.as_str() {
            "bad" => Err(BusinessError::new(60102, "内容含有敏感词")
                .with_datas(&serde_json::json!({ "word": "x" }))
                .into()),
            "boom" => Err(Status::internal("secret detail")),
            "never" => std::future::pending().await,
            "away" => Err(Status::unavailable("away")),
            "flaky" if self.flaky.fetch_add(1, Ordering::SeqCst) < 2 => {
                Err(Status::unavailable("not yet"))
            }
            _ => Ok(Response::new(Empty {})),
        }
    }
}

async fn serve(service: Service, test: &TestParts) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = test.parts.shutdown.clone();
    test.parts.shutdown.spawn(async move {
        rpc::serve_on(service, listener, shutdown).await.unwrap();
    });
    address
}

/// A running gateway and what is needed to call it.
pub struct Running {
    pub test: TestParts,
    pub fakes: Fakes,
    pub gateway: GatewayHandle,
    /// Of services over HTTP/2, by name.
    pub addresses: HashMap<String, SocketAddr>,
    /// An anonymous client.
    pub client: SignedClient,
}

impl Running {
    pub async fn embedded() -> Self {
        Self::start(Shape::Embedded, Place::InProcess, |_| {}).await
    }

    pub async fn start(shape: Shape, place: Place, change: impl FnOnce(&mut Settings)) -> Self {
        let patient = |settings: &mut Settings| {
            settings.set("gateway", "call_wait_ms", PATIENCE.as_millis() as i64);
            change(settings);
        };
        let test = TestParts::open(shape, &[gateway::DEFAULTS], patient).await;
        Self::on(test, place, Options::default()).await
    }

    pub async fn on(test: TestParts, place: Place, options: Options) -> Self {
        Self::beside(test, place, &[], options).await
    }

    /// Like [`Running::on`], with further replicas of its services.
    pub async fn beside(
        test: TestParts,
        place: Place,
        others: &[(&str, SocketAddr)],
        mut options: Options,
    ) -> Self {
        let fakes = Fakes::default();
        let mut addresses = HashMap::new();
        let mut upstreams = Upstreams::new();
        for service in fakes.services(&test.parts.principals) {
            let name = service.name;
            upstreams = match place {
                Place::InProcess => upstreams.local(service),
                Place::OverHttp2 => {
                    let own = serve(service, &test).await;
                    addresses.insert(name.to_owned(), own);
                    let further = others.iter().filter(|(of, _)| *of == name);
                    let all = further.map(|(_, address)| address).chain([&own]);
                    let all: Vec<String> = all.map(ToString::to_string).collect();
                    upstreams.remote(name, &all.join(","))
                }
            };
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        options.listener = Some(listener);
        let gateway = gateway::start(test.parts.clone(), upstreams, options)
            .await
            .unwrap();
        let base = format!("http://{}", gateway.address);
        let mut client = SignedClient::connect(&base).await.unwrap();
        client.clock = test.parts.clock.clone();
        let running = Self {
            test,
            fakes,
            gateway,
            addresses,
            client,
        };
        running.wait_until_ready().await;
        running
    }

    /// The URL of a second gateway of the same installation, in front of the same services.
    pub async fn second_gateway(&self) -> String {
        let mut upstreams = Upstreams::new();
        for service in self.fakes.services(&self.test.parts.principals) {
            upstreams = upstreams.local(service);
        }
        let options = Options {
            listener: Some(TcpListener::bind("127.0.0.1:0").unwrap()),
            ..Options::default()
        };
        let gateway = gateway::start(self.test.parts.clone(), upstreams, options).await;
        format!("http://{}", gateway.unwrap().address)
    }

    async fn wait_until_ready(&self) {
        let url = format!("{}/readyz", self.client.base);
        chassis::testing::eventually("the gateway is ready", || async {
            let answer = reqwest::get(&url).await.ok()?;
            answer.status().is_success().then_some(())
        })
        .await;
        // Pushes are ephemeral: those before the listener is registered are lost.
        let bus = &self.test.parts.bus;
        let pushes = Mutex::new(bus.pushes());
        chassis::testing::eventually("pushes arrive", || async {
            bus.push("#probe", "{}".to_owned());
            pushes.lock().unwrap().try_recv().ok()
        })
        .await;
    }

    /// A client with a fresh token of a user, valid for an hour.
    pub fn user(&self, login_id: &str) -> SignedClient {
        let now_ms = self.test.parts.clock.now_ms();
        let token = self.fakes.sign_in(login_id, now_ms + 3_600_000);
        self.client.signed_in(&token, login_id)
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.client.base)
    }

    pub async fn finish(self) {
        self.test.finish().await;
    }
}
