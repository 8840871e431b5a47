//! Access control.

use std::sync::Arc;

use s3s::access::{S3Access, S3AccessContext};
use s3s::auth::{S3Auth, SecretKey};
use s3s::dto::{ListMultipartUploadsInput, ListObjectsInput, ListObjectsV2Input};
use s3s::path::S3Path;
use s3s::{S3Error, S3Request, S3Result, s3_error};
use time::OffsetDateTime;

use super::admission::{Counts, Living, Refusal, SESSION_ENDED, UserSlot};
use super::connection::TOO_MANY;
use crate::credential::{EmbeddedIssuer, Grant, GrantError, PUBLIC_PREFIX, TEMPORARY_KEY_PREFIX};
use crate::disk::{Revoked, Share};

/// Operations on one object that temporary credentials permit below their prefix. No delete, no copy: deletions go
/// through the services, which account for the space.
const OBJECT_OPERATIONS: [&str; 8] = [
    "PutObject",
    "GetObject",
    "HeadObject",
    "CreateMultipartUpload",
    "UploadPart",
    "ListParts",
    "CompleteMultipartUpload",
    "AbortMultipartUpload",
];

/// Bucket operations they permit, restricted to the prefix below.
const LIST_OPERATIONS: [&str; 3] = ["ListObjectsV2", "ListObjects", "ListMultipartUploads"];

/// Operations that a link permits on its one object.
const LINK_OPERATIONS: [&str; 2] = ["GetObject", "HeadObject"];

/// Headers that cannot change the operation and so need not be signed. The session token authenticates itself and names
/// its key.
const UNSIGNED_ALLOWED: [&str; 3] = [
    "x-amz-content-sha256",
    "x-amz-user-agent",
    "x-amz-security-token",
];

/// The root key pair and the temporary ones.
#[derive(Clone)]
pub(super) struct Gate {
    pub root_key: String,
    pub root_secret: String,
    pub issuer: EmbeddedIssuer,
    pub users: Arc<Counts<String>>,
    pub revoked: Arc<Revoked>,
}

#[async_trait::async_trait]
impl S3Auth for Gate {
    async fn get_secret_key(&self, access_key: &str) -> S3Result<SecretKey> {
        if access_key == self.root_key {
            return Ok(SecretKey::from(self.root_secret.as_str()));
        }
        if access_key.starts_with(TEMPORARY_KEY_PREFIX) {
            return Ok(SecretKey::from(self.issuer.secret_of(access_key)));
        }
        Err(s3_error!(InvalidAccessKeyId))
    }
}

#[async_trait::async_trait]
impl S3Access for Gate {
    async fn check(&self, cx: &mut S3AccessContext<'_>) -> S3Result<()> {
        let Some(credentials) = cx.credentials() else {
            if is_public(cx.s3_op().name(), cx.s3_path()) {
                return Ok(());
            }
            return Err(s3_error!(AccessDenied, "a signature is required"));
        };
        let access_key = credentials.access_key.clone();
        refuse_unsigned_headers(cx)?;
        // Browser form posts carry their policy in the body; no client of ours uses them.
        if cx.s3_op().name() == "PostObject" {
            return Err(s3_error!(NotImplemented, "form posts are not supported"));
        }
        if access_key == self.root_key {
            return Ok(());
        }
        let grant = self.grant(cx, &access_key)?;
        self.count(cx, &grant)?;
        check_scope(&grant, cx.s3_op().name(), cx.s3_path())?;
        cx.extensions_mut().insert(grant);
        Ok(())
    }

    async fn list_objects_v2(&self, req: &mut S3Request<ListObjectsV2Input>) -> S3Result<()> {
        let prefix = req.input.prefix.as_deref();
        check_list_prefix(req.extensions.get::<Grant>(), prefix)
    }

    async fn list_objects(&self, req: &mut S3Request<ListObjectsInput>) -> S3Result<()> {
        let prefix = req.input.prefix.as_deref();
        check_list_prefix(req.extensions.get::<Grant>(), prefix)
    }

    async fn list_multipart_uploads(
        &self,
        req: &mut S3Request<ListMultipartUploadsInput>,
    ) -> S3Result<()> {
        let prefix = req.input.prefix.as_deref();
        check_list_prefix(req.extensions.get::<Grant>(), prefix)
    }
}

impl Gate {
    /// Counts the request to its user until the response has been read.
    fn count(&self, cx: &mut S3AccessContext<'_>, grant: &Grant) -> S3Result<()> {
        let Some(held) = self.users.take(grant.u.clone()) else {
            Refusal::User.count();
            return Err(s3_error!(SlowDown, "{TOO_MANY}"));
        };
        let living = Living {
            revoked: self.revoked.clone(),
            session: grant.s.clone(),
        };
        if let Some(slot) = cx.extensions_mut().get::<UserSlot>() {
            slot.fill(held, living);
        }
        Ok(())
    }

    fn grant(&self, cx: &S3AccessContext<'_>, access_key: &str) -> S3Result<Grant> {
        let token = security_token(cx)
            .ok_or_else(|| s3_error!(InvalidToken, "x-amz-security-token is missing"))?;
        let grant = self
            .issuer
            .verify(access_key, &token, OffsetDateTime::now_utc())
            .map_err(|error| match error {
                GrantError::Expired => s3_error!(ExpiredToken, "the credentials have expired"),
                GrantError::Invalid => {
                    s3_error!(InvalidToken, "the session token is not valid for this key")
                }
            })?;
        if self.revoked.contains(&grant.s) {
            return Err(session_ended());
        }
        Ok(grant)
    }
}

/// What was issued to a session that has ended. The code tells clients to fetch new credentials, which only a session gets;
/// the status is that of a link whose time is over.
fn session_ended() -> S3Error {
    let mut error = s3_error!(ExpiredToken, "{SESSION_ENDED}");
    error.set_status_code(http::StatusCode::FORBIDDEN);
    error
}

/// The share of the user whose temporary credentials signed a request; none for the root key.
pub(super) fn share(extensions: &http::Extensions) -> S3Result<Option<Share>> {
    let grant = extensions.get::<Grant>();
    Ok(grant
        .map(|grant| Share::new(&grant.u, &grant.q))
        .transpose()?)
}

fn security_token(cx: &S3AccessContext<'_>) -> Option<String> {
    if let Some(value) = cx.headers().get("x-amz-security-token") {
        return value.to_str().ok().map(str::to_owned);
    }
    query_value(cx, "X-Amz-Security-Token")
}

fn query_value(cx: &S3AccessContext<'_>, name: &str) -> Option<String> {
    let query = cx.uri().query()?;
    form_urlencoded::parse(query.as_bytes())
        .find(|(k, _)| k == name)
        .map(|(_, v)| v.into_owned())
}

/// Every `x-amz-*` header must be signed. Otherwise the holder of a presigned URL for one `PUT` could add
/// `x-amz-copy-source` and read any object with the signer's rights.
fn refuse_unsigned_headers(cx: &S3AccessContext<'_>) -> S3Result<()> {
    // The same precedence as in signature verification: a signature in the query wins over one in a header, so a forged
    // `Authorization` cannot cover headers sent with a presigned URL.
    let signed = if query_value(cx, "X-Amz-Signature").is_some() {
        query_value(cx, "X-Amz-SignedHeaders")
    } else {
        let authorization = cx
            .headers()
            .get(http::header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let list =
            authorization.and_then(|value| value.split("SignedHeaders=").nth(1)?.split(',').next());
        list.map(str::to_owned)
    };
    // Version 2 signatures cover too little; version 4 always lists its headers.
    let Some(signed) = signed else {
        return Err(s3_error!(
            AccessDenied,
            "only AWS4-HMAC-SHA256 signatures are accepted"
        ));
    };
    for name in cx.headers().keys() {
        let name = name.as_str();
        if !name.starts_with("x-amz-") || UNSIGNED_ALLOWED.contains(&name) {
            continue;
        }
        if !signed
            .trim()
            .split(';')
            .any(|other| other.eq_ignore_ascii_case(name))
        {
            return Err(s3_error!(
                AccessDenied,
                "there were headers present which were not signed: {name}"
            ));
        }
    }
    Ok(())
}

/// Reading one public object needs no signature; listing them, and everything else, does.
fn is_public(operation: &str, path: &S3Path) -> bool {
    let reads = matches!(operation, "GetObject" | "HeadObject");
    match path {
        S3Path::Object { key, .. } => reads && key.starts_with(PUBLIC_PREFIX),
        _ => false,
    }
}

fn check_scope(grant: &Grant, operation: &str, path: &S3Path) -> S3Result<()> {
    let denied = || s3_error!(AccessDenied, "outside the scope of these credentials");
    match path {
        S3Path::Object { bucket, key } => {
            let below = key.strip_prefix(grant.p.as_str()).unwrap_or_default();
            let (inside, permitted) = match grant.o.as_str() {
                "" => (!below.is_empty(), &OBJECT_OPERATIONS[..]),
                object => (below == object, &LINK_OPERATIONS[..]),
            };
            if **bucket == *grant.b && inside && permitted.contains(&operation) {
                Ok(())
            } else {
                Err(denied())
            }
        }
        S3Path::Bucket { bucket } => {
            if **bucket == *grant.b && grant.o.is_empty() && LIST_OPERATIONS.contains(&operation) {
                Ok(())
            } else {
                Err(denied())
            }
        }
        S3Path::Root => Err(denied()),
    }
}

fn check_list_prefix(grant: Option<&Grant>, prefix: Option<&str>) -> S3Result<()> {
    // No grant: the root key, which `check` has accepted.
    let Some(grant) = grant else { return Ok(()) };
    if prefix.unwrap_or_default().starts_with(&grant.p) {
        return Ok(());
    }
    Err(s3_error!(
        AccessDenied,
        "outside the scope of these credentials"
    ))
}
