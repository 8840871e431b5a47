//! auth beside a sandbox that simulates the providers, and users who sign in there.

use super::*;

pub(super) const ORIGIN: &str = "https://www.xuanlan.test";
pub(super) const VERIFIER: &str = "a-verifier-of-more-than-32-characters";
pub(super) const GONE: &str = "第三方登录已失效，请重新发起";

/// auth beside a sandbox that simulates the providers.
pub(super) struct Site {
    pub(super) world: World,
    pub(super) sandbox: Sandbox,
    pub(super) shutdown: Shutdown,
    pub(super) http: reqwest::Client,
}

impl Site {
    pub(super) async fn open(shape: Shape) -> Self {
        let shutdown = Shutdown::new();
        let variables = [
            ("XUANLAN__SITE__PUBLIC_ADDRESS", "http://127.0.0.1:1"),
            ("XUANLAN__SANDBOX__ENABLED", "true"),
            ("XUANLAN__SANDBOX__LISTEN", "127.0.0.1:0"),
            ("XUANLAN__SANDBOX__PAY__ENABLED", "false"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let settings = Settings::load_from(&[sandbox::DEFAULTS], None, variables).unwrap();
        let bus = Bus::within_process(&shutdown);
        let clock = Clock::system();
        clock.stop_at(chassis::testing::NOW_MS);
        let sandbox = sandbox::start(&settings, &bus, clock, &shutdown);
        let sandbox = sandbox.await.unwrap().unwrap();
        let address = &sandbox.public_address;
        let over = json!({"auth": {
            "third_party": {"site_origins": [ORIGIN], "wait_ms": 800},
            "wechat": social::wechat(address),
            "qq": social::qq(address),
            "sms": {"sender": "sandbox", "aliyun": {
                "endpoint": address,
                "access_key_id": aliyun::KEY_ID,
                "access_key_secret": aliyun::KEY_SECRET,
                "sign_name": "玄览云",
                "template": "SMS_1",
                "templates": {"register": "SMS_2"},
            }},
        }});
        let over = toml::to_string(&over).unwrap();
        Self {
            world: World::with(shape, &over).await,
            sandbox,
            shutdown,
            http: reqwest::Client::new(),
        }
    }

    pub(super) async fn finish(self) {
        self.world.finish().await;
        self.shutdown.finish(Duration::from_secs(5)).await;
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Value {
        let address = format!("{}{path}", self.sandbox.public_address);
        let answer = self.http.post(address).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path} {body}");
        answer.json().await.unwrap()
    }

    /// Injects faults into the next sign-in at a provider.
    pub(super) async fn misbehave(&self, faults: Value) {
        self.post("/api/social/misbehave", json!({"faults": faults}))
            .await;
    }

    /// Address of the provider's page, and its state.
    pub(super) async fn begin(&self, kind: &str, owner: Option<&Person>) -> (reqwest::Url, String) {
        let (challenge, origin) = (hash(VERIFIER), ORIGIN.to_owned());
        let r#type = kind.to_owned();
        let mut client = self.world.identities();
        let reply = match owner {
            None => {
                let body = ThirdPartyAuthorizeRequest {
                    r#type,
                    challenge,
                    origin,
                };
                client
                    .third_party_authorize(self.world.from("10.0.0.1", body))
                    .await
            }
            Some(owner) => {
                let user_id = owner.login_id.clone();
                let body = LinkAuthorizeRequest {
                    user_id,
                    r#type,
                    challenge,
                    origin,
                };
                client.link_authorize(self.world.signed(owner, body)).await
            }
        };
        let reply = reply.unwrap().into_inner();
        (reply.url.parse().unwrap(), reply.state)
    }

    /// Agrees on the provider's page; returns the code and state that come back.
    pub(super) async fn agree(
        &self,
        kind: &str,
        name: &str,
        page: &reqwest::Url,
    ) -> (String, String) {
        let field = |name: &str| {
            let found = page.query_pairs().find(|(key, _)| key == name);
            found.unwrap().1.into_owned()
        };
        let body = json!({"provider": kind, "name": name, "redirect_uri": field("redirect_uri"), "state": field("state")});
        let agreed = self.post("/api/social/agree", body).await;
        let back: reqwest::Url = agreed["location"].as_str().unwrap().parse().unwrap();
        assert!(
            back.as_str()
                .starts_with(&format!("{ORIGIN}/login?provider={kind}&")),
            "{back}"
        );
        let of = |name: &str| {
            back.query_pairs()
                .find(|(key, _)| key == name)
                .unwrap()
                .1
                .into_owned()
        };
        (of("code"), of("state"))
    }

    pub(super) async fn callback(
        &self,
        kind: &str,
        code: &str,
        state: &str,
        verifier: &str,
    ) -> Result<ThirdPartyCallbackReply, Status> {
        let body = ThirdPartyCallbackRequest {
            r#type: kind.to_owned(),
            code: code.to_owned(),
            state: state.to_owned(),
            verifier: verifier.to_owned(),
            ..Default::default()
        };
        let request = self.world.from(&self.world.fresh_address(), body);
        let reply = self.world.identities().third_party_callback(request).await;
        reply.map(|reply| reply.into_inner())
    }

    /// Signs in as the person of this name.
    pub(super) async fn come(
        &self,
        kind: &str,
        name: &str,
    ) -> Result<ThirdPartyCallbackReply, Status> {
        let (page, _) = self.begin(kind, None).await;
        let (code, state) = self.agree(kind, name, &page).await;
        self.callback(kind, &code, &state, VERIFIER).await
    }

    pub(super) async fn bind(
        &self,
        phone: &str,
        key: &str,
        code: &str,
        ticket: &str,
    ) -> Result<Person, Status> {
        let body = RelatedPhoneRequest {
            phoneno: phone.to_owned(),
            verifycode: code.to_owned(),
            sms_key: key.to_owned(),
            bind_ticket: ticket.to_owned(),
            device: String::new(),
        };
        let request = self.world.from(&self.world.fresh_address(), body);
        let reply = self.world.identities().related_phone(request).await?;
        Ok(person(phone, &reply.into_inner().token))
    }

    pub(super) async fn link(&self, owner: &Person, kind: &str, name: &str) -> Result<(), Status> {
        let (page, _) = self.begin(kind, Some(owner)).await;
        let (code, state) = self.agree(kind, name, &page).await;
        self.link_with(owner, kind, code, state).await
    }

    pub(super) async fn link_with(
        &self,
        owner: &Person,
        kind: &str,
        code: String,
        state: String,
    ) -> Result<(), Status> {
        let body = BindThirdPartyAccountRequest {
            user_id: owner.login_id.clone(),
            r#type: kind.to_owned(),
            code,
            state,
            verifier: VERIFIER.to_owned(),
        };
        let request = self.world.signed(owner, body);
        self.world
            .identities()
            .bind_third_party_account(request)
            .await
            .map(|_| ())
    }

    pub(super) async fn linked(&self, owner: &Person) -> Vec<ThirdPartyAccount> {
        let user_id = owner.login_id.clone();
        let request = self
            .world
            .signed(owner, GetMyThirdPartyAccountRequest { user_id });
        let reply = self
            .world
            .identities()
            .get_my_third_party_account(request)
            .await;
        reply.unwrap().into_inner().accounts
    }

    pub(super) async fn unlink(&self, owner: &Person, id: &str) -> Result<(), Status> {
        let body = RemoveThirdPartyAccountByIdRequest {
            user_id: owner.login_id.clone(),
            id: id.to_owned(),
        };
        let request = self.world.signed(owner, body);
        self.world
            .identities()
            .remove_third_party_account_by_id(request)
            .await
            .map(|_| ())
    }
}
