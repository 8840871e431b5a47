//! The request by which a service reports ended sessions: of the root key only.

use std::sync::Arc;

use http::{Extensions, HeaderMap, Method, Uri};
use s3s::route::S3Route;
use s3s::{Body, S3Request, S3Response, S3Result, s3_error};

use super::service::on_disk;
use crate::credential::{REVOCATION, Revocation};
use crate::disk::Revoked;

/// Largest body in bytes; a thousand sessions take 40 KB.
const MAX_BODY: usize = 1024 * 1024;

pub(super) struct Revocations {
    pub(super) root_key: String,
    pub(super) revoked: Arc<Revoked>,
}

#[async_trait::async_trait]
impl S3Route for Revocations {
    fn is_match(&self, method: &Method, uri: &Uri, _: &HeaderMap, _: &mut Extensions) -> bool {
        let query = uri.query().unwrap_or_default();
        method == Method::POST
            && uri.path() == "/"
            && form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == REVOCATION)
    }

    async fn check_access(&self, req: &mut S3Request<Body>) -> S3Result<()> {
        let signer = req.credentials.as_ref();
        match signer.is_some_and(|signer| signer.access_key == self.root_key) {
            true => Ok(()),
            false => Err(s3_error!(AccessDenied, "for the root key only")),
        }
    }

    async fn call(&self, mut req: S3Request<Body>) -> S3Result<S3Response<Body>> {
        let body = req.input.store_all_limited(MAX_BODY).await;
        let body = body.map_err(|error| s3_error!(IncompleteBody, "{error}"))?;
        let Revocation { sessions } =
            serde_json::from_slice(&body).map_err(|error| s3_error!(error, InvalidArgument))?;
        let revoked = self.revoked.clone();
        on_disk(move || revoked.add(sessions)).await?;
        Ok(S3Response::new(Body::empty()))
    }
}
