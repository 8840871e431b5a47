//! A gateway on a free port, in front of a fake `auth` that knows the tests' tokens and a fake `personal` that echoes
//! its calls.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use chassis::rpc::GuardedServices;
use chassis::testing::{Shape, TestParts};
use chassis::{BusinessError, Caller, Settings, rpc};
use gateway::client::SignedClient;
use gateway::{GatewayHandle, Options, Upstreams};
use proto::auth::v1::auth_internal_server::{AuthInternal, AuthInternalServer};
use proto::auth::v1::{IntrospectReply, IntrospectRequest};
use proto::common::v1::Empty;
use proto::personal::v1::content_api_server::{ContentApi, ContentApiServer};
use proto::personal::v1::profile_api_server::{ProfileApi, ProfileApiServer};
use proto::personal::v1::site_api_server::{SiteApi, SiteApiServer};
use proto::personal::v1::upload_api_server::{UploadApi, UploadApiServer};
use proto::personal::v1::*;
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
    /// Calls `auth` has handled.
    pub lookups: Arc<AtomicUsize>,
    /// Calls that wrote.
    pub writes: Arc<AtomicUsize>,
    /// Calls with the text `flaky`.
    pub flaky: Arc<AtomicUsize>,
}

impl Fakes {
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

/// A running gateway and what is needed to call it.
pub struct Running {
    pub test: TestParts,
    pub fakes: Fakes,
    pub gateway: GatewayHandle,
    /// An anonymous client.
    pub client: SignedClient,
}

impl Running {
    pub async fn embedded() -> Self {
        Self::start(Shape::Embedded, Place::InProcess, |_| {}).await
    }

    pub async fn start(shape: Shape, place: Place, change: impl FnOnce(&mut Settings)) -> Self {
        let test = TestParts::open(shape, &[gateway::DEFAULTS], change).await;
        Self::on(test, place, Options::default()).await
    }

    pub async fn on(test: TestParts, place: Place, mut options: Options) -> Self {
        let fakes = Fakes::default();
        let principals = &test.parts.principals;
        let auth = GuardedServices::new("auth", principals)
            .with(AuthInternalServer::new(fakes.clone()))
            .finish();
        let personal = GuardedServices::new("personal", principals)
            .with(ContentApiServer::new(fakes.clone()))
            .with(ProfileApiServer::new(fakes.clone()))
            .with(SiteApiServer::new(fakes.clone()))
            .with(UploadApiServer::new(fakes.clone()))
            .finish();
        let mut upstreams = Upstreams::new();
        for service in [auth, personal] {
            let name = service.name;
            upstreams = match place {
                Place::InProcess => upstreams.local(service),
                Place::OverHttp2 => {
                    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                    let target = listener.local_addr().unwrap().to_string();
                    let shutdown = test.parts.shutdown.clone();
                    test.parts.shutdown.spawn(async move {
                        rpc::serve_on(service, listener, shutdown).await.unwrap();
                    });
                    upstreams.remote(name, &target)
                }
            };
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        options.listener = Some(listener);
        let gateway = gateway::start(test.parts.clone(), upstreams, options)
            .await
            .unwrap();
        let base = format!("http://{}", gateway.address);
        let client = SignedClient::connect(&base).await.unwrap();
        let running = Self {
            test,
            fakes,
            gateway,
            client,
        };
        running.wait_until_ready().await;
        running
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
