//! Valid names of buckets, keys and prefixes. Every name is untrusted until it has been checked here.

use crate::error::{Result, StoreError};

/// Longest key in bytes of UTF-8, as in S3.
pub const MAX_KEY_BYTES: usize = 1024;

/// Buckets: 3 to 63 of `a-z 0-9 -`, first and last a letter or digit. The names are used as folder names.
pub fn check_bucket(bucket: &str) -> Result<()> {
    let bytes = bucket.as_bytes();
    let ok = (3..=63).contains(&bytes.len())
        && bytes
            .iter()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-')
        && bytes.first() != Some(&b'-')
        && bytes.last() != Some(&b'-');
    if ok {
        return Ok(());
    }
    Err(StoreError::InvalidArgument(
        "bucket names have 3 to 63 lower-case letters, digits and hyphens".into(),
    ))
}

/// Keys: 1 to 1024 bytes, no control characters, no `.` or `..` segments, no leading slash. Keys never become file
/// names (folders are named by the key's hash); `..` is rejected all the same, because browsers and proxies normalise
/// it and would then sign another key than they request.
pub fn check_key(key: &str) -> Result<()> {
    if key.is_empty() || key.len() > MAX_KEY_BYTES {
        return Err(StoreError::InvalidArgument(
            "keys have 1 to 1024 bytes".into(),
        ));
    }
    if key.starts_with('/') || key.chars().any(char::is_control) {
        return Err(StoreError::InvalidArgument(
            "keys have no leading slash and no control characters".into(),
        ));
    }
    if key
        .split('/')
        .any(|segment| segment == "." || segment == "..")
    {
        return Err(StoreError::InvalidArgument(
            "keys have no . or .. segment".into(),
        ));
    }
    Ok(())
}
