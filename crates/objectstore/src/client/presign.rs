//! Presigned URLs for one bucket, the same for our own store and external ones.

use std::time::Duration;

use time::OffsetDateTime;

use crate::error::{Result, StoreError};
use crate::sign::{Signer, attachment};

pub(super) struct Presigner {
    pub signer: Signer,
    /// Scheme, host and port as browsers use them.
    pub base: String,
    pub bucket: String,
}

impl Presigner {
    fn presign(
        &self,
        method: &str,
        key: &str,
        query: &[(&str, &str)],
        lifetime: Duration,
    ) -> Result<String> {
        crate::name::check_key(key)?;
        let path = format!("/{}/{key}", self.bucket);
        self.signer.presign(
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
        let disposition = file_name.map(attachment);
        let mut query = Vec::new();
        if let Some(disposition) = &disposition {
            query.push(("response-content-disposition", disposition.as_str()));
        }
        if let Some(content_type) = content_type {
            query.push(("response-content-type", content_type));
        }
        self.presign("GET", key, &query, lifetime)
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
