//! Presigned URLs for one bucket, the same for our own store and external ones.

use std::time::Duration;

use time::OffsetDateTime;

use crate::credential::{EmbeddedIssuer, Grantee, MAX_LINK_LIFE};
use crate::error::{Result, StoreError};
use crate::sign::{Signer, attachment};

/// How a link for a signed-in user is signed.
pub(super) enum Links {
    /// By a grant of its own, which our own store refuses once the session has ended.
    OfSessions(EmbeddedIssuer),
    /// By the store's key: an external store does not know sessions, so the link is good for so long at most.
    Short(Duration),
}

pub(super) struct Presigner {
    pub signer: Signer,
    /// Scheme, host and port as browsers use them.
    pub base: String,
    pub bucket: String,
    pub links: Links,
}

impl Presigner {
    fn presign(
        &self,
        method: &str,
        key: &str,
        query: &[(&str, &str)],
        lifetime: Duration,
    ) -> Result<String> {
        self.presign_by(&self.signer, method, key, query, lifetime)
    }

    fn presign_by(
        &self,
        signer: &Signer,
        method: &str,
        key: &str,
        query: &[(&str, &str)],
        lifetime: Duration,
    ) -> Result<String> {
        crate::name::check_key(key)?;
        let path = format!("/{}/{key}", self.bucket);
        signer.presign(
            (method, &self.base, &path),
            query,
            lifetime,
            OffsetDateTime::now_utc(),
        )
    }

    pub(super) fn get(
        &self,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String> {
        self.get_by(&self.signer, key, lifetime, file_name, content_type)
    }

    pub(super) fn get_for(
        &self,
        to: &Grantee<'_>,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String> {
        let life = to.life(lifetime.min(MAX_LINK_LIFE));
        match &self.links {
            // Nothing would end it sooner.
            Links::OfSessions(_) if to.session.is_empty() => {
                self.get(key, life, file_name, content_type)
            }
            Links::OfSessions(issuer) => {
                let grant = issuer.link(to, key, life)?;
                let signer = Signer {
                    access_key: grant.access_key,
                    secret_key: grant.secret_key,
                    session_token: Some(grant.session_token),
                    ..self.signer.clone()
                };
                self.get_by(&signer, key, life, file_name, content_type)
            }
            Links::Short(most) => self.get(key, life.min(*most), file_name, content_type),
        }
    }

    fn get_by(
        &self,
        signer: &Signer,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String> {
        let disposition = file_name.map(attachment);
        let mut query = Vec::new();
        if let Some(disposition) = &disposition {
            query.push(("response-content-disposition", disposition.as_str()));
        }
        if let Some(content_type) = content_type {
            query.push(("response-content-type", content_type));
        }
        self.presign_by(signer, "GET", key, &query, lifetime)
    }

    pub(super) fn put(&self, key: &str, lifetime: Duration) -> Result<String> {
        self.presign("PUT", key, &[], lifetime)
    }

    pub(super) fn part(
        &self,
        key: &str,
        upload_id: &str,
        part_number: u32,
        lifetime: Duration,
    ) -> Result<String> {
        if !(1..=10_000).contains(&part_number) {
            return Err(StoreError::InvalidArgument(
                "part numbers go from 1 to 10000".into(),
            ));
        }
        let number = part_number.to_string();
        self.presign(
            "PUT",
            key,
            &[("partNumber", &number), ("uploadId", upload_id)],
            lifetime,
        )
    }
}
