//! Temporary credentials of an external store, from its STS: `AssumeRole` with an inline policy, as AWS, MinIO and Ceph
//! implement it. Source: <https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html>

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::Method;
use serde::Deserialize;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::{CredentialIssuer, Grantee, Quota, TemporaryCredentials, check_request};
use crate::client::http::{Call, Endpoint, read_answer, whole};
use crate::config::ClientConfig;
use crate::error::{Result, StoreError};
use crate::sign::{Signer, sha256_hex};

/// Shortest lifetime STS issues.
const LEAST_SECONDS: u64 = 900;

/// STS `AssumeRole` with an inline policy. What it issues cannot be taken back when a session ends, so it lives for the STS
/// minimum, 15 minutes, whatever is asked for.
pub struct StsIssuer {
    endpoint: Endpoint,
    role_arn: String,
    bucket: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    assume_role_result: AnswerResult,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct AnswerResult {
    credentials: AnswerCredentials,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct AnswerCredentials {
    access_key_id: String,
    secret_access_key: String,
    session_token: String,
    expiration: String,
}

impl StsIssuer {
    /// Takes role, region, keys and bucket from the configuration; `store` is the store's URL, used when no STS
    /// endpoint is configured.
    pub fn new(config: &ClientConfig, store: &str) -> Result<Self> {
        let address = if config.sts_endpoint.is_empty() {
            store
        } else {
            &config.sts_endpoint
        };
        let signer = Signer {
            access_key: config.access_key.clone(),
            secret_key: config.secret_key.clone(),
            session_token: None,
            region: config.region.clone(),
            service: "sts",
        };
        Ok(Self {
            endpoint: Endpoint::new(address, signer)?,
            role_arn: config.sts_role_arn.clone(),
            bucket: config.bucket.clone(),
        })
    }

    fn form(&self, user_id: &str, prefix: &str) -> String {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("Action", "AssumeRole")
            .append_pair("Version", "2011-06-15")
            .append_pair("DurationSeconds", &LEAST_SECONDS.to_string())
            .append_pair(
                "RoleSessionName",
                &format!("xuanlan-{user_id}")
                    .chars()
                    .take(64)
                    .collect::<String>(),
            )
            .append_pair("Policy", &self.policy(prefix));
        if !self.role_arn.is_empty() {
            form.append_pair("RoleArn", &self.role_arn);
        }
        form.finish()
    }

    /// What the credentials permit: the same as those of our own store.
    fn policy(&self, prefix: &str) -> String {
        let bucket = format!("arn:aws:s3:::{}", self.bucket);
        let below = format!("{prefix}*");
        json!({
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": ["s3:PutObject", "s3:GetObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"],
                    "Resource": [format!("{bucket}/{below}")],
                },
                {
                    "Effect": "Allow",
                    "Action": ["s3:ListBucket", "s3:ListBucketMultipartUploads"],
                    "Resource": [bucket],
                    "Condition": { "StringLike": { "s3:prefix": [below] } },
                },
            ],
        })
        .to_string()
    }
}

#[async_trait]
impl CredentialIssuer for StsIssuer {
    /// A policy cannot limit sizes: `quota` does not bind here.
    async fn issue_within(
        &self,
        to: &Grantee<'_>,
        prefix: &str,
        lifetime: Duration,
        _quota: &Quota,
    ) -> Result<TemporaryCredentials> {
        check_request(to.user, prefix, lifetime)?;
        let body = Bytes::from(self.form(to.user, prefix));
        let call = Call {
            method: Method::POST,
            path: "/",
            query: &[],
            headers: &[("content-type", "application/x-www-form-urlencoded")],
            payload: &sha256_hex(&body),
            moves: 0,
            length: body.len() as u64,
            body: whole(body),
        };
        let answer = read_answer(self.endpoint.send(call).await?).await?;
        let text =
            std::str::from_utf8(&answer).map_err(|e| StoreError::Connection(e.to_string()))?;
        let answer: Answer = quick_xml::de::from_str(text)
            .map_err(|e| StoreError::Connection(format!("STS: {e}")))?;
        let made = answer.assume_role_result.credentials;
        let expiration = OffsetDateTime::parse(&made.expiration, &Rfc3339)
            .map_err(|e| StoreError::Connection(format!("STS expiration: {e}")))?;
        Ok(TemporaryCredentials {
            access_key: made.access_key_id,
            secret_key: made.secret_access_key,
            session_token: made.session_token,
            expiration,
        })
    }

    async fn revoke(&self, _: &[String]) -> Result<()> {
        Ok(())
    }

    fn bucket(&self) -> &str {
        &self.bucket
    }
}
