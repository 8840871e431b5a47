//! S3's two listings of objects.

use s3s::dto::*;
use s3s::{S3Request, S3Response, S3Result, s3_error};

use super::convert::{self, shown, strong, timestamp};
use super::service::Service;

pub(super) async fn version_2(
    service: &Service,
    req: S3Request<ListObjectsV2Input>,
) -> S3Result<S3Response<ListObjectsV2Output>> {
    let bucket = service.bucket(&req.input.bucket)?;
    let input = req.input;
    let limit = convert::page_size(input.max_keys)?;
    let prefix = input.prefix.clone().unwrap_or_default();
    let after = match &input.continuation_token {
        Some(token) => Some(read_token(token)?),
        None => input.start_after.clone(),
    };
    let page = bucket
        .list(&prefix, input.delimiter.as_deref(), after.as_deref(), limit)
        .await;
    let encoding = input.encoding_type.as_ref();
    let contents: Vec<Object> = page
        .objects
        .iter()
        .map(|entry| object_line(entry, encoding))
        .collect();
    let prefixes = common_prefixes(&page.prefixes, encoding);
    Ok(S3Response::new(ListObjectsV2Output {
        name: Some(input.bucket),
        prefix: Some(shown(&prefix, encoding)),
        max_keys: Some(limit as i32),
        key_count: Some((contents.len() + prefixes.len()) as i32),
        is_truncated: Some(page.next.is_some()),
        next_continuation_token: page.next.map(hex::encode),
        continuation_token: input.continuation_token,
        contents: Some(contents),
        common_prefixes: Some(prefixes),
        delimiter: input.delimiter.map(|d| shown(&d, encoding)),
        start_after: input.start_after.map(|s| shown(&s, encoding)),
        encoding_type: input.encoding_type.clone(),
        ..Default::default()
    }))
}

pub(super) async fn version_1(
    service: &Service,
    req: S3Request<ListObjectsInput>,
) -> S3Result<S3Response<ListObjectsOutput>> {
    let bucket = service.bucket(&req.input.bucket)?;
    let input = req.input;
    let limit = convert::page_size(input.max_keys)?;
    let prefix = input.prefix.clone().unwrap_or_default();
    let page = bucket
        .list(
            &prefix,
            input.delimiter.as_deref(),
            input.marker.as_deref(),
            limit,
        )
        .await;
    let encoding = input.encoding_type.as_ref();
    Ok(S3Response::new(ListObjectsOutput {
        name: Some(input.bucket),
        prefix: Some(shown(&prefix, encoding)),
        marker: input.marker.map(|m| shown(&m, encoding)),
        max_keys: Some(limit as i32),
        is_truncated: Some(page.next.is_some()),
        next_marker: page.next.map(|next| shown(&next, encoding)),
        contents: Some(
            page.objects
                .iter()
                .map(|entry| object_line(entry, encoding))
                .collect(),
        ),
        common_prefixes: Some(common_prefixes(&page.prefixes, encoding)),
        delimiter: input.delimiter.map(|d| shown(&d, encoding)),
        encoding_type: input.encoding_type.clone(),
        ..Default::default()
    }))
}

fn object_line(
    (key, entry): &(String, crate::disk::Entry),
    encoding: Option<&EncodingType>,
) -> Object {
    Object {
        key: Some(shown(key, encoding)),
        size: Some(entry.size as i64),
        e_tag: Some(strong(&entry.etag)),
        last_modified: Some(timestamp(entry.modified)),
        ..Default::default()
    }
}

fn common_prefixes(prefixes: &[String], encoding: Option<&EncodingType>) -> Vec<CommonPrefix> {
    prefixes
        .iter()
        .map(|prefix| CommonPrefix {
            prefix: Some(shown(prefix, encoding)),
        })
        .collect()
}

/// A continuation token is the last key of the previous page, in hex: safe in a query for any key.
fn read_token(token: &str) -> S3Result<String> {
    let key = hex::decode(token)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    key.ok_or_else(|| s3_error!(InvalidArgument, "the continuation token is not one of ours"))
}
