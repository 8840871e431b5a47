//! Operators with their apps, and their calls as the gateway passes them on.

use super::*;

pub(super) const PASSWORD: &str = "a long enough phrase";
pub(super) const ADDRESS: &str = "10.9.0.1";

/// An operator with his app.
pub(super) struct Agent {
    pub(super) name: String,
    pub(super) app: Totp,
    pub(super) recovery: Vec<String>,
    pub(super) token: String,
}

pub(super) fn refused(status: &Status) -> i32 {
    business_error(status).map_or(0, |error| error.code)
}

impl World {
    pub(super) fn operators(&self) -> OperatorApiClient<Routes> {
        OperatorApiClient::new(self.routes())
    }

    pub(super) fn as_nobody<T>(&self, body: T) -> Request<T> {
        self.vouched(Principal::default(), body)
    }

    pub(super) fn vouched<T>(&self, principal: Principal, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            audience: "auth".to_owned(),
            remote_addr: ADDRESS.to_owned(),
            ..principal
        };
        let principals = &self.context.principals;
        principals
            .attach(principal, request.metadata_mut())
            .unwrap();
        request
    }

    /// A call of an operator, as the gateway passes it on.
    pub(super) async fn by<T>(&self, agent: &Agent, body: T) -> Request<T> {
        let known = self.known(&agent.token, ADDRESS).await.unwrap();
        let principal = Principal {
            operator: true,
            operator_id: known.operator_id,
            operator_name: known.name,
            session_id: known.session_id,
            permissions: known.permissions,
            fresh_until_ms: known.fresh_until_ms,
            token_hash: hash(&agent.token),
            ..Principal::default()
        };
        self.vouched(principal, body)
    }

    pub(super) async fn known(
        &self,
        token: &str,
        address: &str,
    ) -> Result<IntrospectOperatorReply, Status> {
        let body = IntrospectOperatorRequest {
            token_hash: hash(token),
            remote_addr: address.to_owned(),
        };
        let mut client = AuthInternalClient::new(self.routes());
        let reply = client.introspect_operator(self.as_nobody(body)).await?;
        Ok(reply.into_inner())
    }

    /// The code that an app shows; never one that it has shown before.
    pub(super) fn code_of(&self, app: &Totp) -> String {
        self.advance_seconds(30);
        app.generate((self.context.clock.now_ms() / 1000) as u64)
            .to_string()
    }

    /// Enrols by a link and signs in.
    pub(super) async fn enrolled(&self, link: &str) -> Agent {
        let body = OperatorEnrolmentRequest {
            link: link.to_owned(),
        };
        let mut client = self.operators();
        let shown = client.operator_enrolment(self.as_nobody(body)).await;
        let shown = shown.unwrap().into_inner();
        let app = Builder::new()
            .with_secret(base32(&shown.secret))
            .with_skew(1)
            .with_step_duration(30_u64)
            .with_account_name(shown.name.clone())
            .build()
            .unwrap();
        let body = OperatorEnrolRequest {
            link: link.to_owned(),
            password: PASSWORD.to_owned(),
            code: self.code_of(&app),
        };
        let done = client.operator_enrol(self.as_nobody(body.clone())).await;
        let again = client.operator_enrol(self.as_nobody(body)).await;
        assert_eq!(
            refused(&again.unwrap_err()),
            code::CONFLICT,
            "a link serves once"
        );
        let mut agent = Agent {
            name: shown.name,
            recovery: done.unwrap().into_inner().recovery_codes,
            app,
            token: String::new(),
        };
        let code = self.code_of(&agent.app);
        agent.token = self
            .signed_in_as(&agent.name, PASSWORD, &code)
            .await
            .unwrap();
        agent
    }

    pub(super) async fn signed_in_as(
        &self,
        name: &str,
        password: &str,
        code: &str,
    ) -> Result<String, Status> {
        let body = OperatorSignInRequest {
            name: name.to_owned(),
            password: password.to_owned(),
            code: code.to_owned(),
            device: String::new(),
        };
        Ok(self.signed_in_from(ADDRESS, body).await?.token)
    }

    pub(super) async fn signed_in_from(
        &self,
        address: &str,
        body: OperatorSignInRequest,
    ) -> Result<OperatorSignInReply, Status> {
        let mut request = Request::new(body);
        let principal = Principal {
            audience: "auth".to_owned(),
            remote_addr: address.to_owned(),
            ..Principal::default()
        };
        let principals = &self.context.principals;
        principals
            .attach(principal, request.metadata_mut())
            .unwrap();
        let mut client = self.operators();
        Ok(client.operator_sign_in(request).await?.into_inner())
    }

    pub(super) async fn admin(&self) -> Agent {
        let operators = Operators::open(&self.context).unwrap();
        let roles = [ADMIN.to_owned()];
        let link = operators.add_by_command("anna", &roles).await.unwrap();
        self.enrolled(&link).await
    }

    /// An entry of another service.
    pub(super) async fn elsewhere(&self, id: &str) {
        let entry = proto::common::v1::AuditEntry {
            id: id.to_owned(),
            service: "personal".to_owned(),
            ..Default::default()
        };
        let recorded = proto::personal::v1::AuditRecorded { entry: Some(entry) };
        self.publish(id, "elsewhere", &recorded).await;
    }

    pub async fn rows(&self, table: &str) -> i64 {
        let db = &self.context.db;
        let sql = format!("SELECT COUNT(*) AS n FROM {table}");
        let statement = Statement::from_string(db.get_database_backend(), sql);
        let row = db.query_one_raw(statement).await.unwrap().unwrap();
        row.try_get("", "n").unwrap()
    }
}

pub(super) fn base32(text: &str) -> Vec<u8> {
    let (mut bits, mut held, mut bytes) = (0_u32, 0, Vec::new());
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            _ => letter - b'2' + 26,
        };
        bits = bits << 5 | u32::from(value);
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
