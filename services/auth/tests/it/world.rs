//! A running auth, callers with addresses of their own, and the phone that gets the codes.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use chassis::error::business_error;
use chassis::testing::{Shape, TestParts, eventually};
use chassis::{Context, Service};
use proto::auth::v1::auth_api_client::AuthApiClient;
use proto::auth::v1::auth_internal_client::AuthInternalClient;
use proto::auth::v1::identity_api_client::IdentityApiClient;
use proto::auth::v1::security_api_client::SecurityApiClient;
use proto::auth::v1::session_api_client::SessionApiClient;
use proto::auth::v1::{
    GetAliyunAcsRequest, IntrospectReply, IntrospectRequest, RegisterPhoneRequest, SendSmsRequest,
    SliderChallengeReply, SliderChallengeRequest, TokenRequest,
};
use proto::common::v1::Principal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tonic::service::Routes;
use tonic::{Request, Status};

pub const PRIVATE: &str = "[site]\nenvironment = \"test\"\npublic_address = \"http://127.0.0.1:1\"\n\
                           [auth.sms]\nsender = \"sandbox\"\n[auth.mail]\nsender = \"sandbox\"\n[auth.slider]\nreveal = true\n";

/// User agent of all tests.
pub const AGENT: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

pub struct World {
    pub parts: TestParts,
    pub context: Context,
    service: Service,
    /// What was pushed: user id and message.
    pushed: Arc<Mutex<Vec<(String, Value)>>>,
    next_address: AtomicU32,
}

/// An account that was registered through the API.
pub struct Person {
    pub phone: String,
    pub login_id: String,
    pub token: String,
    /// Key of the device that signed in.
    pub device: String,
}

pub fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

/// resp_code and resp_msg of a refusal.
pub fn refusal(status: &Status) -> (i32, String) {
    let error =
        business_error(status).unwrap_or_else(|| panic!("not a business error: {status:?}"));
    (error.code, error.message)
}

impl World {
    pub async fn open(shape: Shape) -> Self {
        Self::with(shape, "").await
    }

    /// With further settings.
    pub async fn with(shape: Shape, over: &str) -> Self {
        let parts = TestParts::open(shape, &[xl_auth::DEFAULTS, PRIVATE, over], |_| {}).await;
        let context = parts.migrated::<xl_auth::Migrator>("auth").await;
        let pushed = Arc::new(Mutex::new(Vec::new()));
        let mut pushes = context.bus.pushes();
        let heard = pushed.clone();
        tokio::spawn(async move {
            while let Ok(push) = pushes.recv().await {
                let message = serde_json::from_str(&push.json).unwrap();
                heard.lock().unwrap().push((push.user_id, message));
            }
        });
        let service = xl_auth::start(context.clone()).await.unwrap();
        let world = Self {
            parts,
            context,
            service,
            pushed,
            next_address: AtomicU32::new(1),
        };
        world.wait_for_bus().await;
        world
    }

    /// On a broker the queue of pushes takes a moment to be created.
    async fn wait_for_bus(&self) {
        eventually("pushes arrive", || async {
            self.context.bus.push_text("#probe", "{}".into());
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            let heard = self.pushed.lock().unwrap();
            heard.iter().any(|(user, _)| user == "#probe").then_some(())
        })
        .await;
    }

    pub fn routes(&self) -> Routes {
        self.service.routes.clone()
    }

    pub fn security(&self) -> SecurityApiClient<Routes> {
        SecurityApiClient::new(self.service.routes.clone())
    }

    pub fn sessions(&self) -> SessionApiClient<Routes> {
        SessionApiClient::new(self.service.routes.clone())
    }

    pub fn client(&self) -> AuthApiClient<Routes> {
        AuthApiClient::new(self.service.routes.clone())
    }

    pub fn identities(&self) -> IdentityApiClient<Routes> {
        IdentityApiClient::new(self.service.routes.clone())
    }

    /// An address not used before.
    pub fn fresh_address(&self) -> String {
        let number = self.next_address.fetch_add(1, Ordering::Relaxed);
        format!(
            "10.{}.{}.{}",
            number >> 16 & 255,
            number >> 8 & 255,
            number & 255
        )
    }

    /// An anonymous call from an address.
    pub fn from<T>(&self, address: &str, body: T) -> Request<T> {
        self.request(address, "", "", body)
    }

    /// A call with a user's token, as the gateway passes it on.
    pub fn signed<T>(&self, person: &Person, body: T) -> Request<T> {
        self.request("10.255.0.1", &person.login_id, &hash(&person.token), body)
    }

    fn request<T>(&self, address: &str, login_id: &str, token_hash: &str, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            login_id: login_id.to_owned(),
            token_hash: token_hash.to_owned(),
            audience: "auth".to_owned(),
            remote_addr: address.to_owned(),
            user_agent: AGENT.to_owned(),
            ..Principal::default()
        };
        let attached = self
            .context
            .principals
            .attach(principal, request.metadata_mut());
        attached.unwrap();
        request
    }

    pub fn advance_seconds(&self, seconds: i64) {
        self.context.clock.advance_ms(seconds * 1000);
    }

    /// Messages pushed to a topic for which `holds`.
    pub fn pushed(&self, topic: &str, holds: impl Fn(&Value) -> bool) -> Vec<Value> {
        let heard = self.pushed.lock().unwrap();
        let wanted = heard
            .iter()
            .filter(|(user, message)| user == topic && holds(message));
        wanted.map(|(_, message)| message.clone()).collect()
    }

    /// The newest code that reached the phone, once there are `count`.
    pub async fn code(&self, phone: &str, count: usize) -> String {
        eventually("the code arrives", || async {
            let texts = self.pushed("#sandbox", |m| m["type"] == "SMS" && m["phone"] == phone);
            let code = texts.get(count - 1)?["code"].as_str()?.to_owned();
            Some(code)
        })
        .await
    }

    pub async fn send(&self, phone: &str, purpose: &str, address: &str) -> Result<String, Status> {
        self.send_with(phone, purpose, "", address).await
    }

    pub async fn send_with(
        &self,
        phone: &str,
        purpose: &str,
        ticket: &str,
        address: &str,
    ) -> Result<String, Status> {
        self.send_on("", phone, purpose, ticket, address).await
    }

    /// Requests a code on a device that has a key.
    pub async fn send_on(
        &self,
        device: &str,
        phone: &str,
        purpose: &str,
        ticket: &str,
        address: &str,
    ) -> Result<String, Status> {
        let body = SendSmsRequest {
            phone: phone.to_owned(),
            r#type: purpose.to_owned(),
            nvc_ticket: ticket.to_owned(),
            device: device.to_owned(),
            password: String::new(),
        };
        self.send_sms(body, address).await
    }

    pub async fn send_sms(&self, body: SendSmsRequest, address: &str) -> Result<String, Status> {
        let reply = self.client().send_sms(self.from(address, body)).await?;
        Ok(reply.into_inner().sms_key)
    }

    /// The first code of a number.
    pub async fn first_code(&self, phone: &str, purpose: &str) -> (String, String) {
        let key = self
            .send(phone, purpose, &self.fresh_address())
            .await
            .unwrap();
        (key, self.code(phone, 1).await)
    }

    pub async fn register(&self, phone: &str, password: &str) -> Person {
        let (sms_key, verifycode) = self.first_code(phone, "register").await;
        let body = RegisterPhoneRequest {
            phoneno: phone.to_owned(),
            verifycode,
            password: password.to_owned(),
            sms_key,
            profession_code: "modeler".to_owned(),
            device: String::new(),
        };
        let request = self.from(&self.fresh_address(), body);
        let reply = self.client().register_phone(request).await.unwrap();
        person(phone, &reply.into_inner().token)
    }

    /// Signs in by password.
    pub async fn sign_in(
        &self,
        username: &str,
        password: &str,
        ticket: &str,
        address: &str,
    ) -> Result<Person, Status> {
        self.sign_in_on("", username, password, ticket, address)
            .await
    }

    /// Signs in by password on a device that has a key.
    pub async fn sign_in_on(
        &self,
        device: &str,
        username: &str,
        password: &str,
        ticket: &str,
        address: &str,
    ) -> Result<Person, Status> {
        let body = TokenRequest {
            username: username.to_owned(),
            password: password.to_owned(),
            nvc_ticket: ticket.to_owned(),
            device: device.to_owned(),
            ..Default::default()
        };
        let reply = self.client().token(self.from(address, body)).await?;
        Ok(person(username, &reply.into_inner().token))
    }

    pub async fn introspect(&self, token: &str) -> Result<IntrospectReply, Status> {
        let mut client = AuthInternalClient::new(self.service.routes.clone());
        let body = IntrospectRequest {
            token_hash: hash(token),
        };
        let reply = client.introspect(self.from("", body)).await?;
        Ok(reply.into_inner())
    }

    pub async fn challenge(&self, kind: &str, address: &str) -> SliderChallengeReply {
        let body = SliderChallengeRequest {
            kind: kind.to_owned(),
        };
        let reply = self
            .client()
            .slider_challenge(self.from(address, body))
            .await;
        reply.unwrap().into_inner()
    }

    /// What the sandbox receives of a puzzle.
    pub async fn answer(&self, id: &str) -> Value {
        eventually("the answer arrives", || async {
            self.pushed("#sandbox", |m| m["type"] == "SLIDER" && m["id"] == id)
                .pop()
        })
        .await
    }

    /// The strokes that pass, as a page sends them: samples of `[x, y, ms]`.
    pub async fn strokes(&self, id: &str) -> Value {
        let strokes = self.answer(id).await["strokes"].clone();
        let samples = |stroke: &Value| {
            let points = stroke["points"].as_array().unwrap().iter();
            points
                .map(|point| json!([point["x"], point["y"], point["at"]]))
                .collect::<Value>()
        };
        strokes.as_array().unwrap().iter().map(samples).collect()
    }

    pub async fn verify(&self, solution: &Value, address: &str) -> i32 {
        self.send_solution(solution, address).await.unwrap()
    }

    /// The reply of `getAliyunAcs`.
    pub async fn send_solution(&self, nvcdata: &Value, address: &str) -> Result<i32, Status> {
        let body = GetAliyunAcsRequest {
            nvcdata: nvcdata.to_string(),
        };
        let reply = self
            .client()
            .get_aliyun_acs(self.from(address, body))
            .await?;
        Ok(reply.into_inner().code)
    }

    /// Solves a puzzle and returns the ticket.
    pub async fn pass(&self, address: &str) -> String {
        let puzzle = self.challenge("", address).await;
        let x = self.answer(&puzzle.id).await["x"].as_f64().unwrap();
        let solution = json!({"id": puzzle.id, "x": x, "track": hand(x)});
        assert_eq!(self.verify(&solution, address).await, 100);
        puzzle.id
    }

    pub async fn finish(self) {
        self.parts.finish().await;
    }
}

pub fn person(phone: &str, datas: &str) -> Person {
    let datas: Value = serde_json::from_str(datas).unwrap();
    assert_eq!(datas["token_type"], "bearer");
    assert_eq!(datas["expires_in"], 15 * 24 * 3600);
    let text = |name: &str| datas[name].as_str().unwrap().to_owned();
    Person {
        phone: phone.to_owned(),
        login_id: text("loginId"),
        token: text("access_token"),
        device: datas["device"].as_str().unwrap_or_default().to_owned(),
    }
}

/// A movement that speeds up, slows down and strays a little.
pub fn hand(x: f64) -> Vec<(f64, f64, f64)> {
    let mut track = Vec::new();
    for step in 0..=30 {
        let share = f64::from(step) / 30.0;
        let eased = share * share * (3.0 - 2.0 * share);
        track.push((
            (x * eased).round(),
            f64::from(step % 3),
            f64::from(step * 25),
        ));
    }
    track
}
