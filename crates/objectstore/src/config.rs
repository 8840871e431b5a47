//! Configuration, for the services and the standalone server.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::{Result, StoreError};

/// Configuration of our own store: the directory, and the S3 endpoint in front of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoreConfig {
    /// Directory of the store; created if missing. Only one process at a time may open it.
    pub root: PathBuf,
    /// Address the S3 endpoint listens on, for example `127.0.0.1:9000`. Used by the code that binds the listener.
    pub listen: String,
    /// URL under which browsers reach the S3 endpoint: scheme, host and port, no path. Presigned URLs use it, and its
    /// host is part of what they sign. Empty: `http://` and `listen`.
    pub public_address: String,
    /// Region named in signatures.
    pub region: String,
    /// Bucket for all user data; created if missing. Clients see it as `privateBucket`.
    pub private_bucket: String,
    /// Further buckets to create if missing.
    pub buckets: Vec<String>,
    /// Root access key. Empty together with `root_secret`: a pair is generated once and kept under `root`.
    pub root_key: String,
    /// Root secret. Also the secret from which temporary credentials are derived.
    pub root_secret: String,
    /// Browser origins allowed by CORS, `*` for any. Access always needs a signature, whatever the origin.
    pub cors_origins: Vec<String>,
    /// Unfinished uploads, and leftovers of completed ones, are removed after this many hours.
    pub upload_expiry_hours: u64,
    /// Largest object in bytes (parts assembled included).
    pub max_object_bytes: u64,
    /// Most parts of an upload, at most 10,000.
    pub max_parts: u32,
    /// Minimum size in bytes of every part but the last. S3's own is 5 MiB.
    pub min_part_bytes: u64,
    /// Free bytes the disk must keep; writes that would go below are refused (`InsufficientStorage`). -1: 64 MB, of a disk
    /// below 256 MB a quarter.
    pub min_free_bytes: i64,
    /// Free inodes it must keep, on a file system that has a fixed number of them. An object needs four at most.
    pub min_free_files: u64,
    /// Most uploads one user (one `u/{userId}/` prefix) may have open at once.
    pub max_open_uploads_per_user: usize,
    /// Most objects below `u/{userId}/`, which no service has taken in yet, open uploads, parts below `min_part_bytes`, and
    /// uploads that were completed within `upload_expiry_hours`, of one user together.
    pub max_unclaimed_per_user: usize,
    /// Connections served at once. When all are taken, the one that has waited longest for a request is closed; when
    /// all are at work, new ones are refused with 503 `SlowDown`.
    pub max_connections: usize,
    /// Of these, connections of one address (an IPv6 /64 counts as one). A trusted proxy's connections are not counted;
    /// the requests under way of each address it forwards for are.
    pub max_connections_per_address: usize,
    /// Requests that one user's temporary credentials and links may have under way at once.
    pub max_requests_per_user: usize,
    /// Seconds in which the head of a request must arrive; also how long a connection may stay open between requests.
    pub head_wait_seconds: u64,
    /// Least rate, in bytes a second, of bodies being sent and of responses being read.
    pub min_bytes_per_second: u64,
    /// Seconds that a client may be slower than that, at the beginning and after a time at which it was faster.
    pub stall_seconds: u64,
    /// Addresses or networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<String>,
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self {
            root: PathBuf::from("data/objects"),
            listen: "127.0.0.1:9000".into(),
            public_address: String::new(),
            region: "us-east-1".into(),
            private_bucket: "xuanlan-private".into(),
            buckets: Vec::new(),
            root_key: String::new(),
            root_secret: String::new(),
            cors_origins: vec!["*".into()],
            upload_expiry_hours: 24,
            max_object_bytes: 5 * 1024 * 1024 * 1024,
            max_parts: 10_000,
            min_part_bytes: 5 * 1024 * 1024,
            min_free_bytes: -1,
            min_free_files: 256,
            max_open_uploads_per_user: 100,
            max_unclaimed_per_user: 10_000,
            max_connections: 1024,
            max_connections_per_address: 128,
            max_requests_per_user: 64,
            head_wait_seconds: 10,
            min_bytes_per_second: 4096,
            stall_seconds: 30,
            trusted_proxies: Vec::new(),
        }
    }
}

impl StoreConfig {
    /// The public address without a trailing slash.
    pub fn public_url(&self) -> String {
        if self.public_address.is_empty() {
            return format!("http://{}", self.listen);
        }
        self.public_address.trim_end_matches('/').to_owned()
    }

    /// The trusted proxies.
    pub(crate) fn trusted(&self) -> Result<peers::Networks> {
        peers::Networks::read(&self.trusted_proxies)
            .map_err(|error| StoreError::Config(format!("trusted_proxies: {error:#}")))
    }

    /// Rejects values that cannot work.
    pub fn validate(&self) -> Result<()> {
        if self.root.as_os_str().is_empty() {
            return Err(StoreError::Config("objectstore.root is empty".into()));
        }
        if self.root_key.is_empty() != self.root_secret.is_empty() {
            return Err(StoreError::Config(
                "root_key and root_secret are set together or not at all".into(),
            ));
        }
        if !self.root_secret.is_empty() && self.root_secret.len() < 16 {
            return Err(StoreError::Config(
                "root_secret has fewer than 16 characters".into(),
            ));
        }
        if self
            .root_key
            .starts_with(crate::credential::TEMPORARY_KEY_PREFIX)
        {
            return Err(StoreError::Config(
                "root_key must not start like a temporary key".into(),
            ));
        }
        if self.min_free_bytes < -1 {
            return Err(StoreError::Config(
                "min_free_bytes is a number of bytes, or -1".into(),
            ));
        }
        if !(1..=10_000).contains(&self.max_parts) {
            return Err(StoreError::Config(
                "max_parts is between 1 and 10000".into(),
            ));
        }
        if self.max_object_bytes == 0 || self.upload_expiry_hours == 0 {
            return Err(StoreError::Config(
                "max_object_bytes and upload_expiry_hours are positive".into(),
            ));
        }
        let at_least_one = [
            self.max_connections as u64,
            self.max_connections_per_address as u64,
            self.max_requests_per_user as u64,
            self.head_wait_seconds,
            self.min_bytes_per_second,
            self.stall_seconds,
        ];
        if at_least_one.contains(&0) {
            return Err(StoreError::Config(
                "limits of connections, requests, waits and rates are positive".into(),
            ));
        }
        self.trusted()?;
        if self.region.is_empty()
            || !self
                .region
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        {
            return Err(StoreError::Config(
                "region has letters, digits and hyphens".into(),
            ));
        }
        for bucket in std::iter::once(&self.private_bucket).chain(&self.buckets) {
            crate::name::check_bucket(bucket)?;
        }
        Ok(())
    }
}

/// Configuration of the client side: which store a service talks to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClientConfig {
    /// `file:/path` for our own store in this process (the rest then comes from [`StoreConfig`]), or `s3:http://host:port` /
    /// `s3:https://host` for any S3-compatible store, addressed path style.
    pub url: String,
    /// URL under which browsers reach the same store; empty: the one in `url`. Presigned URLs use it.
    pub public_address: String,
    /// Region named in signatures.
    pub region: String,
    /// Bucket this client works in.
    pub bucket: String,
    /// Access key.
    pub access_key: String,
    /// Secret of the access key.
    pub secret_key: String,
    /// Issuer of temporary credentials for users.
    pub issuer: IssuerKind,
    /// URL of the STS endpoint when `issuer` is `sts`; empty: the store's own URL.
    pub sts_endpoint: String,
    /// `RoleArn` sent to STS; MinIO ignores it, AWS and Ceph require it.
    pub sts_role_arn: String,
    /// Longest life in seconds of a link for a signed-in user when `issuer` is `sts`: an external store cannot end it with the
    /// session.
    pub link_seconds: u64,
}

impl Default for ClientConfig {
    fn default() -> Self {
        let store = StoreConfig::default();
        Self {
            url: "file:data/objects".into(),
            public_address: String::new(),
            region: store.region,
            bucket: store.private_bucket,
            access_key: String::new(),
            secret_key: String::new(),
            issuer: IssuerKind::Embedded,
            sts_endpoint: String::new(),
            sts_role_arn: String::new(),
            link_seconds: 60,
        }
    }
}

/// Which issuer makes temporary credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IssuerKind {
    /// Tokens signed with the root secret: for our own store, in this process or another one.
    Embedded,
    /// STS `AssumeRole` with an inline policy: MinIO, Ceph, AWS.
    Sts,
}
