//! Conversions between S3's types and ours.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use s3s::checksum::ChecksumHasher;
use s3s::crypto::{Checksum as _, Crc32, Crc32c, Crc64Nvme, Sha1, Sha256};
use s3s::dto::{Checksum, ETag, ETagCondition, EncodingType, Metadata, Timestamp};
use s3s::{S3Result, TrailingHeaders, s3_error};
use time::OffsetDateTime;

use crate::disk::{Condition, Headers, ObjectRecord};
use crate::error::{Result, StoreError};

/// Converts a stored time in milliseconds.
pub(super) fn timestamp(ms: i64) -> Timestamp {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
        .into()
}

pub(super) fn strong(etag: &str) -> ETag {
    ETag::Strong(etag.to_owned())
}

/// A requested page size, clamped to 0…1000.
pub(super) fn page_size(wanted: Option<i32>) -> S3Result<usize> {
    match wanted {
        None => Ok(1000),
        Some(n) if n < 0 => Err(s3_error!(InvalidArgument, "a page has 0 to 1000 entries")),
        Some(n) => Ok((n as usize).min(1000)),
    }
}

/// A key as shown in a listing with `encoding-type=url`.
pub(super) fn shown(name: &str, encoding: Option<&EncodingType>) -> String {
    const KEPT: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'~');
    match encoding {
        Some(encoding) if encoding.as_str() == EncodingType::URL => {
            utf8_percent_encode(name, KEPT).to_string()
        }
        _ => name.to_owned(),
    }
}

/// The headers of an upload that are stored.
pub(super) fn headers(
    content_type: Option<String>,
    content_disposition: Option<String>,
    content_encoding: Option<String>,
    cache_control: Option<String>,
    metadata: Option<Metadata>,
) -> Headers {
    Headers {
        content_type,
        content_disposition,
        // Encodings added for the transport are not part of the object.
        content_encoding: content_encoding
            .map(|value| {
                let kept: Vec<&str> = value
                    .split(',')
                    .map(str::trim)
                    .filter(|v| *v != "aws-chunked")
                    .collect();
                kept.join(",")
            })
            .filter(|value| !value.is_empty()),
        cache_control,
        metadata: metadata.unwrap_or_default().into_iter().collect(),
    }
}

/// User metadata of an object; the store's own `sha256` replaces any the uploader claimed.
pub(super) fn metadata(record: &ObjectRecord) -> Metadata {
    let mut metadata: Metadata = record.headers.metadata.clone().into_iter().collect();
    metadata.insert("sha256".into(), record.sha256.clone());
    metadata
}

/// SHA-256 of an object as S3 shows it in `x-amz-checksum-sha256`.
pub(super) fn sha256_base64(record: &ObjectRecord) -> Option<String> {
    hex::decode(&record.sha256)
        .ok()
        .map(|bytes| STANDARD.encode(bytes))
}

pub(super) fn content_md5(value: Option<&str>) -> S3Result<Option<[u8; 16]>> {
    let Some(value) = value else { return Ok(None) };
    let bytes = STANDARD
        .decode(value)
        .ok()
        .and_then(|bytes| <[u8; 16]>::try_from(bytes).ok());
    bytes
        .map(Some)
        .ok_or_else(|| s3_error!(InvalidDigest, "Content-MD5 is not 16 bytes in base64"))
}

pub(super) fn length(value: Option<i64>) -> S3Result<Option<u64>> {
    value
        .map(|n| u64::try_from(n).map_err(|_| s3_error!(InvalidArgument, "negative length")))
        .transpose()
}

/// `If-Match` and `If-None-Match` of a write.
pub(super) fn condition(
    if_match: Option<ETagCondition>,
    if_none_match: Option<ETagCondition>,
) -> S3Result<Option<Condition>> {
    match (if_match, if_none_match) {
        (None, None) => Ok(None),
        (None, Some(ETagCondition::Any)) => Ok(Some(Condition::Absent)),
        (Some(ETagCondition::ETag(etag)), None) => Ok(Some(Condition::Is(etag.value().to_owned()))),
        _ => Err(s3_error!(
            NotImplemented,
            "only If-Match: etag and If-None-Match: * are supported here"
        )),
    }
}

/// Checksums announced by a sender, in headers or to follow in trailers.
pub(super) struct Announced {
    headers: Checksum,
    trailers: Option<TrailingHeaders>,
    trailer_names: Vec<String>,
}

const ALGORITHMS: [&str; 5] = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"];

impl Announced {
    pub(super) fn new(
        headers: Checksum,
        trailers: Option<TrailingHeaders>,
        request: &http::HeaderMap,
    ) -> Self {
        let names = request
            .get("x-amz-trailer")
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let trailer_names = names
            .split(',')
            .map(|name| name.trim().to_ascii_lowercase())
            .collect();
        Self {
            headers,
            trailers,
            trailer_names,
        }
    }

    fn header(&self, algorithm: &str) -> Option<&str> {
        field(&self.headers, algorithm)
    }

    fn wants(&self, algorithm: &str) -> bool {
        let trailer = format!("x-amz-checksum-{algorithm}");
        self.header(algorithm).is_some() || self.trailer_names.contains(&trailer)
    }

    /// A hasher for exactly the algorithms that were announced.
    pub(super) fn hasher(&self) -> ChecksumHasher {
        ChecksumHasher {
            crc32: self.wants("crc32").then(Crc32::new),
            crc32c: self.wants("crc32c").then(Crc32c::new),
            crc64nvme: self.wants("crc64nvme").then(Crc64Nvme::new),
            sha1: self.wants("sha1").then(Sha1::new),
            sha256: self.wants("sha256").then(Sha256::new),
        }
    }

    /// Compares the computed checksums with the announced ones; a missing announced trailer is an error.
    pub(super) fn verify(&self, computed: &Checksum) -> Result<()> {
        for algorithm in ALGORITHMS {
            if !self.wants(algorithm) {
                continue;
            }
            let trailer = format!("x-amz-checksum-{algorithm}");
            let from_trailer = self.trailers.as_ref().and_then(|trailers| {
                trailers
                    .read(|map| {
                        map.get(&trailer)
                            .and_then(|v| v.to_str().ok())
                            .map(str::to_owned)
                    })
                    .flatten()
            });
            let announced = self.header(algorithm).map(str::to_owned).or(from_trailer);
            if announced.is_none() || announced.as_deref() != field(computed, algorithm) {
                return Err(StoreError::BadDigest("x-amz-checksum"));
            }
        }
        Ok(())
    }
}

fn field<'a>(checksum: &'a Checksum, algorithm: &str) -> Option<&'a str> {
    match algorithm {
        "crc32" => checksum.checksum_crc32.as_deref(),
        "crc32c" => checksum.checksum_crc32c.as_deref(),
        "crc64nvme" => checksum.checksum_crc64nvme.as_deref(),
        "sha1" => checksum.checksum_sha1.as_deref(),
        _ => checksum.checksum_sha256.as_deref(),
    }
}
