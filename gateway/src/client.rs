//! A client that signs its calls, for tests and tools. Browsers use frontend/src/api.

use chassis::Clock;
use d3sig::{ClientKey, Request};
use serde_json::Value;

/// Calls one gateway as one client, with or without a token.
#[derive(Debug, Clone)]
pub struct SignedClient {
    /// Scheme, host and port, without a trailing slash.
    pub base: String,
    pub client_id: String,
    pub secret: String,
    pub kid: String,
    /// Bearer token; empty if there is none.
    pub token: String,
    /// Added to each form as `userId` unless empty or already there.
    pub user_id: String,
    /// Dates the signatures. Defaults to this machine's clock.
    pub clock: Clock,
    http: reqwest::Client,
}

/// A response.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// HTTP status.
    pub status: u16,
    pub resp_code: i64,
    pub resp_msg: String,
    pub datas: Value,
}

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("gateway not reachable: {0}")]
    Http(#[from] reqwest::Error),
    #[error("request could not be signed: {0}")]
    Signature(#[from] d3sig::Error),
    #[error("response is not an envelope: {0}")]
    Answer(String),
}

impl SignedClient {
    /// A client that reads id, secret and key id from the gateway's `/config.json`.
    pub async fn connect(base: &str) -> Result<Self, ClientError> {
        let http = reqwest::Client::new();
        let base = base.trim_end_matches('/');
        let answer = http.get(format!("{base}/config.json")).send().await?;
        let config: Value = answer.json().await?;
        let text = |name: &str| config[name].as_str().unwrap_or_default().to_owned();
        let mut client = Self::new(base, &text("clientId"), &text("clientSecret"), &text("kid"));
        client.http = http;
        Ok(client)
    }

    pub fn new(base: &str, client_id: &str, secret: &str, kid: &str) -> Self {
        Self {
            base: base.trim_end_matches('/').to_owned(),
            client_id: client_id.to_owned(),
            secret: secret.to_owned(),
            kid: kid.to_owned(),
            token: String::new(),
            user_id: String::new(),
            clock: Clock::system(),
            http: reqwest::Client::new(),
        }
    }

    /// The same client with a token.
    pub fn signed_in(&self, token: &str, user_id: &str) -> Self {
        Self {
            token: token.to_owned(),
            user_id: user_id.to_owned(),
            ..self.clone()
        }
    }

    pub fn key(&self) -> ClientKey<'_> {
        ClientKey {
            client_id: &self.client_id,
            secret: &self.secret,
            kid: &self.kid,
        }
    }

    /// Posts a signed form.
    pub async fn call(&self, path: &str, form: &[(&str, &str)]) -> Result<Envelope, ClientError> {
        let mut pairs = owned(form);
        if !self.user_id.is_empty() && !form.iter().any(|(name, _)| *name == "userId") {
            pairs.push(("userId".to_owned(), self.user_id.clone()));
        }
        let d = self.sign("POST", path, &[], &pairs, self.clock.now_ms())?;
        pairs.push(("D".to_owned(), d));
        self.post_form(path, &pairs).await
    }

    /// Posts signed JSON.
    pub async fn call_json(&self, path: &str, body: &Value) -> Result<Envelope, ClientError> {
        let body = body.to_string();
        let none: [(&str, &str); 0] = [];
        let request = self.request("POST", path);
        let salt = d3sig::fresh_salt();
        let md5 = d3sig::sign_json(
            &self.key(),
            &request,
            &none,
            body.as_bytes(),
            self.clock.now_ms(),
            &salt,
        )?;
        let sent = self.headers(self.http.post(self.url(path)));
        let sent = sent
            .header("md5", md5)
            .header("content-type", "application/json")
            .body(body);
        read(sent.send().await?).await
    }

    /// Sends a signed GET.
    pub async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Envelope, ClientError> {
        let mut pairs = owned(query);
        let d = self.sign("GET", path, &pairs, &[], self.clock.now_ms())?;
        pairs.push(("D".to_owned(), d));
        let sent = self.headers(self.http.get(self.url(path)).query(&pairs));
        read(sent.send().await?).await
    }

    /// `D` for the parameters, at an explicit time.
    pub fn sign(
        &self,
        method: &str,
        path: &str,
        query: &[(String, String)],
        form: &[(String, String)],
        timestamp_ms: i64,
    ) -> Result<String, ClientError> {
        let request = self.request(method, path);
        let salt = d3sig::fresh_salt();
        Ok(d3sig::sign_pairs(
            &self.key(),
            &request,
            query,
            form,
            timestamp_ms,
            &salt,
        )?)
    }

    /// Posts a form unchanged, with the client's headers.
    pub async fn post_form(
        &self,
        path: &str,
        pairs: &[(String, String)],
    ) -> Result<Envelope, ClientError> {
        let sent = self.headers(self.http.post(self.url(path)).form(pairs));
        read(sent.send().await?).await
    }

    fn request<'a>(&'a self, method: &'a str, path: &'a str) -> Request<'a> {
        Request {
            method,
            path,
            token: &self.token,
        }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn headers(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        let request = request
            .header("client-id", &self.client_id)
            .header("client-secret", &self.secret);
        if self.token.is_empty() {
            return request;
        }
        request.header("authorization", format!("Bearer {}", self.token))
    }
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

async fn read(answer: reqwest::Response) -> Result<Envelope, ClientError> {
    let status = answer.status().as_u16();
    let text = answer.text().await?;
    let wrong = || ClientError::Answer(format!("HTTP {status}: {text}"));
    let json: Value = serde_json::from_str(&text).map_err(|_| wrong())?;
    Ok(Envelope {
        status,
        resp_code: json["resp_code"].as_i64().ok_or_else(wrong)?,
        resp_msg: json["resp_msg"].as_str().unwrap_or_default().to_owned(),
        datas: json["datas"].clone(),
    })
}
