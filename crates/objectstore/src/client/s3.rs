//! Any S3-compatible store over HTTP, path style.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::{Bytes, BytesMut};
use futures::TryStreamExt;
use http::{HeaderMap, Method, Response};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::{Rfc2822, Rfc3339};
use tokio::io::AsyncWriteExt;
use tokio_util::io::ReaderStream;

use super::http::{
    Call, Endpoint, RequestBody, error_from_body, header, next_chunk, read_answer, whole,
};
use super::presign::{Links, Presigner};
use super::{
    ByteRange, Connection, ListPage, MAX_RANGE_BYTES, ObjectMeta, ObjectStore, ObjectSummary,
    check_delete_prefix,
};
use crate::config::{ClientConfig, IssuerKind};
use crate::credential::{CredentialIssuer, EmbeddedIssuer, Grantee, RemoteRevoker, StsIssuer};
use crate::disk::joined;
use crate::error::{Result, StoreError};
use crate::name::check_key;
use crate::sign::{Signer, encode_path};

/// Attempts for a request that fails with a transient error.
const TRIES: u32 = 3;

/// Connects a client and its issuer; `endpoint` is scheme, host and port.
pub(super) fn connect(config: &ClientConfig, endpoint: &str) -> Result<Connection> {
    crate::name::check_bucket(&config.bucket)?;
    if config.access_key.is_empty() || config.secret_key.is_empty() {
        return Err(StoreError::Config(
            "an s3: store needs access_key and secret_key".into(),
        ));
    }
    let signer = Signer {
        access_key: config.access_key.clone(),
        secret_key: config.secret_key.clone(),
        session_token: None,
        region: config.region.clone(),
        service: "s3",
    };
    let endpoint = Endpoint::new(endpoint, signer.clone())?;
    let public = config.public_address.trim_end_matches('/');
    let base = if public.is_empty() {
        endpoint.base.clone()
    } else {
        public.to_owned()
    };
    crate::sign::host_of(&base)?;
    let (issuer, links): (Arc<dyn CredentialIssuer>, _) = match config.issuer {
        IssuerKind::Embedded => {
            let issuer = EmbeddedIssuer::new(&config.secret_key, &config.bucket)?;
            let revoker = Arc::new(RemoteRevoker(endpoint.clone()));
            let links = Links::OfSessions(issuer.clone());
            (Arc::new(issuer.revoking(revoker)), links)
        }
        IssuerKind::Sts => {
            let links = Links::Short(Duration::from_secs(config.link_seconds.max(1)));
            (Arc::new(StsIssuer::new(config, &endpoint.base)?), links)
        }
    };
    let presigner = Presigner {
        signer,
        base,
        bucket: config.bucket.clone(),
        links,
    };
    Ok(Connection {
        store: Arc::new(S3Store {
            endpoint,
            presigner,
        }),
        issuer,
    })
}

pub(super) struct S3Store {
    endpoint: Endpoint,
    pub(super) presigner: Presigner,
}

/// A request body that can be sent again.
pub(super) enum Content<'a> {
    Bytes(Bytes),
    File(&'a Path, u64),
}

impl Content<'_> {
    async fn open(&self) -> Result<(RequestBody, u64)> {
        match self {
            Self::Bytes(bytes) => Ok((whole(bytes.clone()), bytes.len() as u64)),
            Self::File(path, length) => {
                let file = tokio::fs::File::open(path).await?;
                let frames = ReaderStream::with_capacity(file, 256 * 1024).map_ok(Frame::data);
                Ok((BodyExt::boxed(StreamBody::new(frames)), *length))
            }
        }
    }
}

impl S3Store {
    fn path(&self, key: &str) -> Result<String> {
        check_key(key)?;
        Ok(format!("/{}/{key}", self.presigner.bucket))
    }

    /// Sends, with retries on transient errors: every request made here is idempotent.
    pub(super) async fn send(
        &self,
        request: (Method, &str),
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        content: (&str, Content<'_>),
    ) -> Result<Response<Incoming>> {
        self.send_moving(0, request, query, headers, content).await
    }

    /// As [`S3Store::send`], for a request before whose answer the store moves so many bytes.
    async fn send_moving(
        &self,
        moves: u64,
        (method, path): (Method, &str),
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        (payload, content): (&str, Content<'_>),
    ) -> Result<Response<Incoming>> {
        let mut tried = 0;
        loop {
            let (body, length) = content.open().await?;
            let call = Call {
                method: method.clone(),
                path,
                query,
                headers,
                payload,
                body,
                length,
                moves,
            };
            tried += 1;
            match self.endpoint.send(call).await {
                Err(error) if error.is_transient() && tried < TRIES => {
                    tracing::debug!(%error, tried, "the store failed; trying again");
                    tokio::time::sleep(Duration::from_millis(100 << (2 * tried))).await;
                }
                result => return result,
            }
        }
    }

    async fn get(
        &self,
        method: Method,
        key: &str,
        headers: &[(&str, &str)],
    ) -> Result<Response<Incoming>> {
        let path = self.path(key)?;
        let nothing = (EMPTY_SHA256, Content::Bytes(Bytes::new()));
        self.send((method, &path), &[], headers, nothing)
            .await
            .map_err(|error| not_found(error, key))
    }

    async fn put(
        &self,
        key: &str,
        sha256: &[u8],
        content: Content<'_>,
        content_type: &str,
    ) -> Result<ObjectMeta> {
        let path = self.path(key)?;
        let checksum = STANDARD.encode(sha256);
        let payload = hex::encode(sha256);
        // The store verifies and keeps the checksum, and `head` reads it back.
        let mut headers = vec![("x-amz-checksum-sha256", checksum.as_str())];
        if !content_type.is_empty() {
            headers.push(("content-type", content_type));
        }
        self.send((Method::PUT, &path), &[], &headers, (&payload, content))
            .await?;
        self.head(key)
            .await?
            .ok_or_else(|| StoreError::NoSuchKey(key.to_owned()))
    }
}

impl S3Store {
    async fn copied(
        &self,
        from: &str,
        original: Option<&ObjectMeta>,
        to: &str,
    ) -> Result<ObjectMeta> {
        let (source, target) = (encode_path(&self.path(from)?), self.path(to)?);
        let etag = original.map(|original| format!("\"{}\"", original.etag));
        let mut headers = vec![("x-amz-copy-source", source.as_str())];
        if let Some(etag) = &etag {
            headers.push(("x-amz-copy-source-if-match", etag));
        }
        let moves = original.map_or(0, |original| original.size);
        let nothing = (EMPTY_SHA256, Content::Bytes(Bytes::new()));
        let response = self
            .send_moving(moves, (Method::PUT, &target), &[], &headers, nothing)
            .await;
        let answer = read_answer(response.map_err(|error| not_found(error, from))?).await?;
        // S3 may report an error in the body after sending status 200.
        if String::from_utf8_lossy(&answer).contains("<Error>") {
            return Err(error_from_body(500, &answer));
        }
        self.head(to)
            .await?
            .ok_or_else(|| StoreError::NoSuchKey(to.to_owned()))
    }
}

pub(super) const EMPTY_SHA256: &str =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn not_found(error: StoreError, key: &str) -> StoreError {
    match error {
        // A response to HEAD has no body, hence no error code.
        StoreError::Remote {
            status: 404, code, ..
        } if code.is_empty() || code == "NoSuchKey" => StoreError::NoSuchKey(key.to_owned()),
        StoreError::Remote { status: 416, .. } => StoreError::InvalidRange,
        StoreError::Remote { status: 412, .. } => StoreError::PreconditionFailed,
        other => other,
    }
}

fn meta(headers: &HeaderMap) -> Result<ObjectMeta> {
    let size = header(headers, "content-length").and_then(|value| value.parse().ok());
    let size =
        size.ok_or_else(|| StoreError::Connection("the store did not tell the size".into()))?;
    let modified = header(headers, "last-modified")
        .and_then(|value| OffsetDateTime::parse(&value, &Rfc2822).ok());
    Ok(ObjectMeta {
        size,
        etag: header(headers, "etag")
            .unwrap_or_default()
            .trim_matches('"')
            .to_owned(),
        sha256: sha256_of_store(headers),
        content_type: header(headers, "content-type"),
        modified: modified.map_or(0, OffsetDateTime::unix_timestamp),
    })
}

/// The checksum the store itself computed over the whole object. A composite one (over parts) ends with `-N` and does
/// not decode; `x-amz-meta-sha256` of an external store is the uploader's claim and is ignored.
fn sha256_of_store(headers: &HeaderMap) -> Option<String> {
    let bytes = STANDARD
        .decode(header(headers, "x-amz-checksum-sha256")?)
        .ok()?;
    (bytes.len() == 32).then(|| hex::encode(bytes))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct ListAnswer {
    contents: Vec<ListLine>,
    is_truncated: bool,
    next_continuation_token: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct ListLine {
    key: String,
    size: u64,
    #[serde(rename = "ETag")]
    etag: String,
    last_modified: String,
}

impl From<ListLine> for ObjectSummary {
    fn from(line: ListLine) -> Self {
        let modified = OffsetDateTime::parse(&line.last_modified, &Rfc3339);
        Self {
            key: line.key,
            size: line.size,
            etag: line.etag.trim_matches('"').to_owned(),
            modified: modified.map_or(0, OffsetDateTime::unix_timestamp),
        }
    }
}

#[async_trait]
impl ObjectStore for S3Store {
    fn bucket(&self) -> &str {
        &self.presigner.bucket
    }

    fn public_address(&self) -> &str {
        &self.presigner.base
    }

    async fn ping(&self) -> Result<()> {
        let path = format!("/{}", self.presigner.bucket);
        let nothing = (EMPTY_SHA256, Content::Bytes(Bytes::new()));
        self.send((Method::HEAD, &path), &[], &[], nothing).await?;
        Ok(())
    }

    async fn head(&self, key: &str) -> Result<Option<ObjectMeta>> {
        match self
            .get(Method::HEAD, key, &[("x-amz-checksum-mode", "ENABLED")])
            .await
        {
            Ok(response) => Ok(Some(meta(response.headers())?)),
            Err(StoreError::NoSuchKey(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn get_to_file(&self, key: &str, path: &Path) -> Result<ObjectMeta> {
        let response = self
            .get(Method::GET, key, &[("x-amz-checksum-mode", "ENABLED")])
            .await?;
        let meta = meta(response.headers())?;
        let folder = path
            .parent()
            .filter(|p| !p.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let temp = tempfile::NamedTempFile::new_in(folder)?;
        let mut file = tokio::fs::File::from_std(temp.reopen()?);
        let mut body = response.into_body();
        let mut sha256 = Sha256::new();
        let mut size = 0u64;
        while let Some(chunk) = next_chunk(&mut body).await? {
            size += chunk.len() as u64;
            sha256.update(&chunk);
            file.write_all(&chunk).await?;
        }
        file.flush().await?;
        if size != meta.size {
            return Err(StoreError::WrongLength {
                expected: meta.size,
                got: size,
            });
        }
        if meta
            .sha256
            .as_ref()
            .is_some_and(|wanted| *wanted != hex::encode(sha256.finalize()))
        {
            return Err(StoreError::BadDigest("x-amz-checksum-sha256"));
        }
        temp.persist(path).map_err(|e| e.error)?;
        Ok(meta)
    }

    async fn get_range(&self, key: &str, range: ByteRange) -> Result<Bytes> {
        // Requests no more than may be kept in memory; `within` then checks that this was the whole range.
        let size = self
            .head(key)
            .await?
            .ok_or_else(|| StoreError::NoSuchKey(key.to_owned()))?
            .size;
        let wanted = range.within(size)?;
        if wanted.is_empty() {
            return Ok(Bytes::new());
        }
        let value = format!("bytes={}-{}", wanted.start, wanted.end - 1);
        let mut body = self
            .get(Method::GET, key, &[("range", &value)])
            .await?
            .into_body();
        let length = wanted.end - wanted.start;
        let mut content = BytesMut::with_capacity(length.min(MAX_RANGE_BYTES) as usize);
        while let Some(chunk) = next_chunk(&mut body).await? {
            content.extend_from_slice(&chunk);
            if content.len() as u64 > length {
                break;
            }
        }
        if content.len() as u64 != length {
            return Err(StoreError::WrongLength {
                expected: length,
                got: content.len() as u64,
            });
        }
        Ok(content.freeze())
    }

    async fn put_file(&self, key: &str, path: &Path, content_type: &str) -> Result<ObjectMeta> {
        let owned = path.to_owned();
        let (length, sha256) =
            joined(tokio::task::spawn_blocking(move || hash_file(&owned))).await?;
        self.put(key, &sha256, Content::File(path, length), content_type)
            .await
    }

    async fn put_bytes(&self, key: &str, content: Bytes, content_type: &str) -> Result<ObjectMeta> {
        let sha256 = Sha256::digest(&content);
        self.put(key, &sha256, Content::Bytes(content), content_type)
            .await
    }

    async fn delete(&self, key: &str) -> Result<()> {
        let path = self.path(key)?;
        let nothing = (EMPTY_SHA256, Content::Bytes(Bytes::new()));
        self.send((Method::DELETE, &path), &[], &[], nothing)
            .await?;
        Ok(())
    }

    async fn delete_prefix(&self, prefix: &str) -> Result<u64> {
        check_delete_prefix(prefix)?;
        let mut removed = 0;
        loop {
            let page = self.list(prefix, None).await?;
            if page.objects.is_empty() {
                return Ok(removed);
            }
            removed += page.objects.len() as u64;
            for object in page.objects {
                self.delete(&object.key).await?;
            }
        }
    }

    async fn list(&self, prefix: &str, continuation: Option<&str>) -> Result<ListPage> {
        let path = format!("/{}", self.presigner.bucket);
        let mut query = vec![("list-type", "2"), ("max-keys", "1000"), ("prefix", prefix)];
        if let Some(token) = continuation {
            query.push(("continuation-token", token));
        }
        let nothing = (EMPTY_SHA256, Content::Bytes(Bytes::new()));
        let answer = read_answer(
            self.send((Method::GET, &path), &query, &[], nothing)
                .await?,
        )
        .await?;
        let text =
            std::str::from_utf8(&answer).map_err(|e| StoreError::Connection(e.to_string()))?;
        let answer: ListAnswer =
            quick_xml::de::from_str(text).map_err(|e| StoreError::Connection(e.to_string()))?;
        Ok(ListPage {
            objects: answer
                .contents
                .into_iter()
                .map(ObjectSummary::from)
                .collect(),
            continuation: answer
                .next_continuation_token
                .filter(|_| answer.is_truncated),
        })
    }

    async fn copy(&self, from: &str, to: &str) -> Result<ObjectMeta> {
        self.copied(from, None, to).await
    }

    async fn copy_if(&self, from: &str, original: &ObjectMeta, to: &str) -> Result<ObjectMeta> {
        self.copied(from, Some(original), to).await
    }

    async fn abort_uploads(&self, prefix: &str, before: i64) -> Result<u64> {
        self.abort_below(prefix, before).await
    }

    fn presign_get(
        &self,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String> {
        self.presigner.get(key, lifetime, file_name, content_type)
    }

    fn presign_get_for(
        &self,
        to: &Grantee<'_>,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String> {
        self.presigner
            .get_for(to, key, lifetime, file_name, content_type)
    }

    fn presign_put(&self, key: &str, lifetime: Duration) -> Result<String> {
        self.presigner.put(key, lifetime)
    }

    fn presign_part(
        &self,
        key: &str,
        upload_id: &str,
        part_number: u32,
        lifetime: Duration,
    ) -> Result<String> {
        self.presigner.part(key, upload_id, part_number, lifetime)
    }
}

fn hash_file(path: &Path) -> Result<(u64, Vec<u8>)> {
    let mut file = std::fs::File::open(path)?;
    let mut sha256 = Sha256::new();
    let mut buffer = vec![0u8; 1024 * 1024];
    let mut length = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((length, sha256.finalize().to_vec()));
        }
        length += read as u64;
        sha256.update(&buffer[..read]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sign::sha256_hex;

    #[test]
    fn the_hash_of_nothing() {
        assert_eq!(sha256_hex(b""), EMPTY_SHA256);
    }

    #[test]
    fn a_listing_is_read_with_its_entities() {
        let xml = "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
            <Name>b</Name><IsTruncated>true</IsTruncated><NextContinuationToken>t&amp;1</NextContinuationToken>\
            <Contents><Key>u/1/模型&amp;&lt;a&gt;.glb</Key><LastModified>2026-11-21T00:00:00.000Z</LastModified>\
            <ETag>&quot;abc&quot;</ETag><Size>7</Size></Contents></ListBucketResult>";
        let answer: ListAnswer = quick_xml::de::from_str(xml).unwrap();
        assert_eq!(answer.next_continuation_token.as_deref(), Some("t&1"));
        let line = ObjectSummary::from(answer.contents.into_iter().next().unwrap());
        assert_eq!(
            (line.key.as_str(), line.size, line.etag.as_str()),
            ("u/1/模型&<a>.glb", 7, "abc")
        );
        assert_eq!(line.modified, 1_795_219_200);
    }
}
