//! A gateway on a free port, in front of a fake `auth` that knows the tests' tokens and a fake `personal` that echoes
//! its calls.

use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use chassis::rpc::{self, Calls};
use chassis::testing::{PATIENCE, Shape, TestParts};
use chassis::{
    BusinessError, Caller, Origin, Principals, Service, ServiceError, Settings, SignedIn,
};
use gateway::client::SignedClient;
use gateway::{GatewayHandle, Options, Upstreams};
use proto::auth::v1::{
    AuthInternalCalls, AuthInternalCallsServer, EndOtherSessionsRequest, EndSessionRequest,
    IntrospectOperatorReply, IntrospectOperatorRequest, IntrospectReply, IntrospectRequest,
    ListSessionsRequest, ListSignInsRequest, SessionCalls, SessionCallsServer, SessionList,
    SessionsEnded, SignInList,
};
use proto::content::v1::{
    ContentInternalCalls, ContentInternalCallsServer, PageReply, PageRequest, PublishedPage,
    PublishedReply, PublishedRequest,
};
use proto::personal::v1::*;
use proto::works::v1::{
    OpenShareReply, OpenShareRequest, ShareInternalCalls, ShareInternalCallsServer,
    ShareLookedRequest,
};

pub const INFO: &str = "/api-personal/laozi/v3/personalInfo/queryInfo";
pub const READ: &str = "/api-personal/laozi/v3/personalInfo/getTheGuidePageReadingStatus";
pub const WRITE: &str = "/api-personal/laozi/v3/personalInfo/updateTheGuidePageReadingStatus";
pub const END_OTHERS: &str = "/api-auth/oauth/session/endOthers";
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
    /// Replies of the fake `content`, by path and query; it has none for other pages.
    pub pages: Arc<Mutex<HashMap<String, PageReply>>>,
    pub published: Arc<Mutex<Vec<PublishedPage>>>,
    /// Reply of the fake `works` about a share, and its last request.
    pub share: Arc<Mutex<OpenShareReply>>,
    pub opened: Arc<Mutex<OpenShareRequest>>,
    pub looked: Arc<Mutex<ShareLookedRequest>>,
    /// Delay of the fake `content` in milliseconds.
    pub slow_ms: Arc<AtomicUsize>,
}

impl Fakes {
    fn services(&self, principals: &Principals) -> [Service; 4] {
        let auth = Calls::of("auth", principals)
            .with(AuthInternalCallsServer(self.clone()))
            .with(SessionCallsServer(self.clone()))
            .finish();
        let personal = Calls::of("personal", principals)
            .with(ContentCallsServer(self.clone()))
            .with(ProfileCallsServer(self.clone()))
            .with(SiteCallsServer(self.clone()))
            .with(UploadCallsServer(self.clone()))
            .finish();
        let content = Calls::of("content", principals)
            .with(ContentInternalCallsServer(self.clone()))
            .finish();
        let works = Calls::of("works", principals)
            .with(ShareInternalCallsServer(self.clone()))
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

impl AuthInternalCalls<ServiceError> for Fakes {
    async fn introspect(&self, _: &Origin, request: IntrospectRequest) -> Answer<IntrospectReply> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let session = self
            .sessions
            .lock()
            .unwrap()
            .get(&request.token_hash)
            .cloned();
        session.ok_or(ServiceError::Absent("no such session"))
    }

    async fn introspect_operator(
        &self,
        _: &Origin,
        request: IntrospectOperatorRequest,
    ) -> Answer<IntrospectOperatorReply> {
        let session = self
            .operators
            .lock()
            .unwrap()
            .get(&request.token_hash)
            .cloned();
        session.ok_or(ServiceError::Absent("no such session"))
    }
}

impl SessionCalls<ServiceError> for Fakes {
    async fn end_other_sessions(
        &self,
        caller: &SignedIn,
        _: EndOtherSessionsRequest,
    ) -> Answer<SessionsEnded> {
        let mut sessions = self.sessions.lock().unwrap();
        sessions.retain(|hash, session| {
            hash == caller.token_hash() || session.login_id != caller.login_id()
        });
        Ok(SessionsEnded::default())
    }

    async fn list_sessions(&self, _: &SignedIn, _: ListSessionsRequest) -> Answer<SessionList> {
        not_here()
    }
    async fn end_session(&self, _: &SignedIn, _: EndSessionRequest) -> Answer<SessionsEnded> {
        not_here()
    }
    async fn list_sign_ins(&self, _: &SignedIn, _: ListSignInsRequest) -> Answer<SignInList> {
        not_here()
    }
}

impl ContentInternalCalls<ServiceError> for Fakes {
    async fn page(&self, _: &Origin, asked: PageRequest) -> Answer<PageReply> {
        let slow = self.slow_ms.load(Ordering::SeqCst) as u64;
        tokio::time::sleep(std::time::Duration::from_millis(slow)).await;
        let address = format!("{}?{}", asked.path, asked.query);
        let known = self.pages.lock().unwrap().get(&address).cloned();
        Ok(known.unwrap_or_default())
    }

    async fn published(&self, _: &Origin, request: PublishedRequest) -> Answer<PublishedReply> {
        let kind = request.kind;
        let mut pages = self.published.lock().unwrap().clone();
        pages.retain(|page| kind.is_empty() || page.kind == kind);
        Ok(PublishedReply { pages })
    }
}

impl ShareInternalCalls<ServiceError> for Fakes {
    async fn open_share(&self, _: &Origin, request: OpenShareRequest) -> Answer<OpenShareReply> {
        *self.opened.lock().unwrap() = request;
        Ok(self.share.lock().unwrap().clone())
    }

    async fn share_looked(&self, _: &Origin, request: ShareLookedRequest) -> Answer<()> {
        *self.looked.lock().unwrap() = request;
        Ok(())
    }
}

type Answer<T> = Result<T, ServiceError>;

fn not_here<T>() -> Answer<T> {
    Err(ServiceError::Unimplemented)
}

impl ProfileCalls<ServiceError> for Fakes {
    /// Returns the caller's identity as the service received it.
    async fn query_info(&self, caller: &SignedIn, request: UserRequest) -> Answer<UserInfo> {
        Ok(UserInfo {
            user_id: caller.login_id().to_owned(),
            account_number: caller.token_hash().to_owned(),
            mobile_num: caller.remote_addr().to_owned(),
            profession_code: request.user_id,
            introduce: caller
                .session_left()
                .map(|left| format!("{} for {left:?}", caller.session_id())),
            ..UserInfo::default()
        })
    }

    async fn avatar_information(&self, _: &SignedIn, _: UserRequest) -> Answer<AvatarInfo> {
        not_here()
    }
    async fn modify_user_info(
        &self,
        _: &SignedIn,
        _: ModifyUserInfoRequest,
    ) -> Answer<KeptUserInfo> {
        not_here()
    }
    async fn get_personal_statistics_by_user_id(
        &self,
        _: &SignedIn,
        _: UserRequest,
    ) -> Answer<StatisticsInfo> {
        not_here()
    }
}

impl SiteCalls<ServiceError> for Fakes {
    async fn get_the_guide_page_reading_status(
        &self,
        _: &SignedIn,
        request: GuideRequest,
    ) -> Answer<bool> {
        Ok(request.location == 1)
    }

    async fn update_the_guide_page_reading_status(
        &self,
        _: &SignedIn,
        _: GuideRequest,
    ) -> Answer<()> {
        self.writes.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    async fn get_popup_settings(&self, _: &Caller, _: PopupRequest) -> Answer<PopupSettings> {
        not_here()
    }
    async fn get_latest_client_version(&self, _: &Caller, _: UserRequest) -> Answer<ClientVersion> {
        not_here()
    }
    async fn friendlink_list(&self, _: &Caller, _: UserRequest) -> Answer<Vec<FriendLink>> {
        not_here()
    }
}

impl UploadCalls<ServiceError> for Fakes {
    async fn get_huawei_param(&self, caller: &Caller, _: UserRequest) -> Answer<StorageParam> {
        let mut param = StorageParam {
            server: "https://store.example.test".into(),
            ..StorageParam::default()
        };
        if caller.user().is_some() {
            param.ak = Some("temporary-ak".into());
            param.sk = Some("temporary-sk".into());
            param.expiration = Some(1_795_219_200_000);
        }
        Ok(param)
    }

    async fn get_object_model_file_upload_settings(
        &self,
        _: &SignedIn,
        _: UploadSettingsRequest,
    ) -> Answer<Vec<UploadSetting>> {
        not_here()
    }
    async fn get_scene_model_file_upload_settings(
        &self,
        _: &SignedIn,
        _: UploadSettingsRequest,
    ) -> Answer<Vec<UploadSetting>> {
        not_here()
    }
}

impl ContentCalls<ServiceError> for Fakes {
    /// Fails in the way its text requests.
    async fn text_antispam_scan(&self, _: &SignedIn, request: TextScanRequest) -> Answer<()> {
        match request.content.as_str() {
            "bad" => Err(BusinessError::new(60102, "内容含有敏感词")
                .with_datas(&serde_json::json!({ "word": "x" }))
                .into()),
            "boom" => Err(anyhow::anyhow!("secret detail").into()),
            "never" => std::future::pending().await,
            "away" => Err(ServiceError::Unavailable("away")),
            "flaky" if self.flaky.fetch_add(1, Ordering::SeqCst) < 2 => {
                Err(ServiceError::Unavailable("not yet"))
            }
            _ => Ok(()),
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

/// A running gateway, with all that is needed to call it.
pub struct Running {
    pub test: TestParts,
    pub fakes: Fakes,
    pub gateway: GatewayHandle,
    /// Addresses of services over HTTP/2, by name.
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
            bus.push_text("#probe", "{}".to_owned());
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
