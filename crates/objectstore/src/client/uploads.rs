//! Open multipart uploads of an external store. Some stores expire them by themselves, others only on request.

use bytes::Bytes;
use http::Method;
use serde::Deserialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::ObjectStore;
use super::http::read_answer;
use super::s3::{Content, EMPTY_SHA256, S3Store};
use crate::error::{Result, StoreError};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Answer {
    upload: Vec<Line>,
    is_truncated: bool,
    next_key_marker: String,
    next_upload_id_marker: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Line {
    key: String,
    upload_id: String,
    initiated: String,
}

impl S3Store {
    /// Aborts what was begun below `prefix` before that time. Returns the number.
    pub(super) async fn abort_below(&self, prefix: &str, before: i64) -> Result<u64> {
        let path = format!("/{}", self.bucket());
        let mut marker = (String::new(), String::new());
        let mut aborted = 0;
        loop {
            let mut query = vec![("uploads", ""), ("max-uploads", "1000"), ("prefix", prefix)];
            if !marker.0.is_empty() {
                query.push(("key-marker", &marker.0));
                query.push(("upload-id-marker", &marker.1));
            }
            let answer = self
                .send((Method::GET, &path), &query, &[], nothing())
                .await?;
            let page = read(&read_answer(answer).await?)?;
            for line in page.upload.iter().filter(|line| line.is_older(before)) {
                let path = format!("{path}/{}", line.key);
                let query = [("uploadId", line.upload_id.as_str())];
                match self
                    .send((Method::DELETE, &path), &query, &[], nothing())
                    .await
                {
                    // Completed or aborted meanwhile.
                    Ok(_) | Err(StoreError::Remote { status: 404, .. }) => aborted += 1,
                    Err(error) => return Err(error),
                }
            }
            marker = (page.next_key_marker, page.next_upload_id_marker);
            if !page.is_truncated || marker.0.is_empty() {
                return Ok(aborted);
            }
        }
    }
}

fn nothing<'a>() -> (&'static str, Content<'a>) {
    (EMPTY_SHA256, Content::Bytes(Bytes::new()))
}

fn read(answer: &[u8]) -> Result<Answer> {
    let text = std::str::from_utf8(answer).map_err(|e| StoreError::Connection(e.to_string()))?;
    quick_xml::de::from_str(text).map_err(|e| StoreError::Connection(e.to_string()))
}

impl Line {
    fn is_older(&self, before: i64) -> bool {
        let begun = OffsetDateTime::parse(&self.initiated, &Rfc3339);
        begun.is_ok_and(|begun| begun.unix_timestamp() < before)
    }
}
