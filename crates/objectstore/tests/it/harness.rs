//! A store on a free port, and a client with a signer of its own.

use std::time::Duration;

use objectstore::sign::{Signer, ToSign, UNSIGNED_PAYLOAD, encode_path, encode_query, sha256_hex};
use objectstore::{ClientConfig, Connection, EmbeddedStore, StoreConfig, TemporaryCredentials};
use reqwest::Method;
use tempfile::TempDir;
use time::OffsetDateTime;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub const BUCKET: &str = "xuanlan-private";
pub const ROOT_KEY: &str = "ROOTKEYOFTHETEST";
pub const ROOT_SECRET: &str = "root secret of the test, long enough";
/// Long enough for a loaded machine; limits under test are a second or so.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct TestStore {
    pub config: StoreConfig,
    pub embedded: EmbeddedStore,
    shutdown: CancellationToken,
    serving: JoinHandle<objectstore::Result<()>>,
    folder: TempDir,
}

pub fn config(folder: &TempDir) -> StoreConfig {
    StoreConfig {
        root: folder.path().join("store"),
        root_key: ROOT_KEY.into(),
        root_secret: ROOT_SECRET.into(),
        min_part_bytes: 64 * 1024,
        ..Default::default()
    }
}

/// A folder in memory where available: these tests are not about thousands of fsyncs.
pub fn folder() -> TempDir {
    TempDir::new_in("/dev/shm")
        .or_else(|_| TempDir::new())
        .unwrap()
}

impl TestStore {
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub async fn start_with(change: impl FnOnce(&mut StoreConfig)) -> Self {
        let folder = folder();
        let mut config = config(&folder);
        change(&mut config);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        config.listen = listener.local_addr().unwrap().to_string();
        Self::serve(folder, config, listener).await
    }

    /// The same folder and address, in a store that was opened anew.
    pub async fn restarted(self) -> Self {
        let Self {
            config,
            embedded,
            shutdown,
            serving,
            folder,
        } = self;
        shutdown.cancel();
        serving.await.unwrap().unwrap();
        drop(embedded);
        let listener = TcpListener::bind(&config.listen).await.unwrap();
        Self::serve(folder, config, listener).await
    }

    async fn serve(folder: TempDir, config: StoreConfig, listener: TcpListener) -> Self {
        let shutdown = CancellationToken::new();
        let embedded = EmbeddedStore::open(config.clone()).await.unwrap();
        let serving = tokio::spawn(objectstore::server::serve(
            config.clone(),
            listener,
            shutdown.clone(),
        ));
        Self {
            config,
            embedded,
            shutdown,
            serving,
            folder,
        }
    }

    pub fn base(&self) -> String {
        self.config.public_url()
    }

    /// A caller with the root key.
    pub fn root(&self) -> Caller {
        Caller::new(&self.base(), ROOT_KEY, ROOT_SECRET, None)
    }

    pub async fn credentials(&self, user: &str) -> TemporaryCredentials {
        let issuer = self.embedded.issuer();
        issuer
            .issue(user, &format!("u/{user}/"), Duration::from_secs(600))
            .await
            .unwrap()
    }

    /// A caller with a user's temporary credentials.
    pub async fn user(&self, user: &str) -> Caller {
        Caller::of(&self.base(), &self.credentials(user).await)
    }

    /// The client services use, over HTTP.
    pub async fn client(&self) -> Connection {
        let client = ClientConfig {
            url: format!("s3:{}", self.base()),
            access_key: ROOT_KEY.into(),
            secret_key: ROOT_SECRET.into(),
            ..Default::default()
        };
        objectstore::connect(&client, &self.config).await.unwrap()
    }

    pub async fn stop(self) {
        self.shutdown.cancel();
        self.serving.await.unwrap().unwrap();
    }
}

/// Signs and sends single requests.
#[derive(Clone)]
pub struct Caller {
    pub base: String,
    pub signer: Signer,
    pub http: reqwest::Client,
}

pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// Content of the first element with that name.
    pub fn element(&self, name: &str) -> Option<String> {
        elements(&self.text(), name).into_iter().next()
    }

    pub fn code(&self) -> String {
        self.element("Code").unwrap_or_default()
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    #[track_caller]
    pub fn refused(self, status: u16, code: &str) {
        assert_eq!(
            (self.status, self.code().as_str()),
            (status, code),
            "{}",
            self.text()
        );
    }
}

pub fn elements(text: &str, name: &str) -> Vec<String> {
    let open = format!("<{name}>");
    let close = format!("</{name}>");
    text.split(&open)
        .skip(1)
        .map(|rest| rest.split(&close).next().unwrap().replace("&quot;", "\""))
        .collect()
}

impl Caller {
    pub fn new(base: &str, key: &str, secret: &str, token: Option<String>) -> Self {
        let signer = Signer {
            access_key: key.into(),
            secret_key: secret.into(),
            session_token: token,
            region: "us-east-1".into(),
            service: "s3",
        };
        Self {
            base: base.to_owned(),
            signer,
            http: reqwest::Client::new(),
        }
    }

    pub fn of(base: &str, credentials: &TemporaryCredentials) -> Self {
        let token = Some(credentials.session_token.clone());
        Self::new(
            base,
            &credentials.access_key,
            &credentials.secret_key,
            token,
        )
    }

    pub async fn call(
        &self,
        method: Method,
        key: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Answer {
        let payload = sha256_hex(&body);
        self.call_at(
            OffsetDateTime::now_utc(),
            method,
            key,
            query,
            headers,
            (&payload, body),
        )
        .await
    }

    /// With an explicit payload hash and time.
    pub async fn call_at(
        &self,
        now: OffsetDateTime,
        method: Method,
        key: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        (payload, body): (&str, Vec<u8>),
    ) -> Answer {
        let path = if key.is_empty() {
            format!("/{BUCKET}")
        } else {
            format!("/{BUCKET}/{key}")
        };
        let host = self.base.strip_prefix("http://").unwrap();
        let to_sign = ToSign {
            method: method.as_str(),
            host,
            path: &path,
            query,
            headers,
            payload,
        };
        let added = self.signer.sign(&to_sign, now).unwrap();
        let mut url = format!("{}{}", self.base, encode_path(&path));
        if !query.is_empty() {
            url = format!("{url}?{}", encode_query(query));
        }
        let mut request = self.http.request(method, url).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        for (name, value) in added {
            request = request.header(name, value);
        }
        answer(request).await
    }

    pub async fn put(&self, key: &str, body: impl Into<Vec<u8>>) -> Answer {
        self.call(Method::PUT, key, &[], &[], body.into()).await
    }

    pub async fn get(&self, key: &str) -> Answer {
        self.call(Method::GET, key, &[], &[], Vec::new()).await
    }

    pub async fn list(&self, query: &[(&str, &str)]) -> Answer {
        let mut all = vec![("list-type", "2")];
        all.extend(query);
        self.call(Method::GET, "", &all, &[], Vec::new()).await
    }

    pub async fn begin(&self, key: &str) -> String {
        let answer = self
            .call(Method::POST, key, &[("uploads", "")], &[], Vec::new())
            .await
            .expect(200);
        answer.element("UploadId").unwrap()
    }

    pub async fn part(&self, key: &str, id: &str, number: u32, body: Vec<u8>) -> Answer {
        let number = number.to_string();
        self.call(
            Method::PUT,
            key,
            &[("partNumber", &number), ("uploadId", id)],
            &[],
            body,
        )
        .await
    }

    pub async fn complete(&self, key: &str, id: &str, parts: &[(u32, String)]) -> Answer {
        self.call(
            Method::POST,
            key,
            &[("uploadId", id)],
            &[],
            completion(parts),
        )
        .await
    }

    pub async fn list_parts(&self, key: &str, id: &str, query: &[(&str, &str)]) -> Answer {
        let mut all = vec![("uploadId", id)];
        all.extend(query);
        self.call(Method::GET, key, &all, &[], Vec::new()).await
    }

    pub async fn abort(&self, key: &str, id: &str) -> Answer {
        self.call(Method::DELETE, key, &[("uploadId", id)], &[], Vec::new())
            .await
    }
}

pub fn completion(parts: &[(u32, String)]) -> Vec<u8> {
    let mut xml = String::from("<CompleteMultipartUpload>");
    for (number, etag) in parts {
        xml += &format!("<Part><PartNumber>{number}</PartNumber><ETag>{etag}</ETag></Part>");
    }
    (xml + "</CompleteMultipartUpload>").into_bytes()
}

pub async fn answer(request: reqwest::RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Answer {
        status,
        headers,
        body: response.bytes().await.unwrap().to_vec(),
    }
}

/// Pseudo-random bytes, different for each seed.
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(length);
    bytes
}

/// The head of a signed request, as it goes over the wire.
pub fn head(caller: &Caller, method: &str, key: &str, more: &[(&str, &str)]) -> String {
    let path = format!("/{BUCKET}/{key}");
    let host = caller.base.strip_prefix("http://").unwrap();
    let to_sign = ToSign {
        method,
        host,
        path: &path,
        query: &[],
        headers: &[],
        payload: UNSIGNED_PAYLOAD,
    };
    let signed = caller
        .signer
        .sign(&to_sign, OffsetDateTime::now_utc())
        .unwrap();
    let mut text = format!(
        "{method} {} HTTP/1.1\r\nhost: {host}\r\n",
        encode_path(&path)
    );
    for (name, value) in signed {
        text += &format!("{name}: {value}\r\n");
    }
    for (name, value) in more {
        text += &format!("{name}: {value}\r\n");
    }
    text + "\r\n"
}

/// Everything until the end of the connection, however it ends.
pub async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    let mut piece = vec![0; 64 * 1024];
    let read = async {
        while let Ok(length @ 1..) = stream.read(&mut piece).await {
            all.extend_from_slice(&piece[..length]);
        }
    };
    tokio::time::timeout(PATIENCE, read)
        .await
        .expect("the store ends the connection");
    all
}
