//! S3's multipart operations.

use s3s::dto::*;
use s3s::{S3Request, S3Response, S3Result, s3_error};

use super::access;
use super::convert::{self, Announced, shown, strong, timestamp};
use super::service::{Service, on_disk};
use crate::disk::Expectation;

pub(super) async fn create(
    service: &Service,
    req: S3Request<CreateMultipartUploadInput>,
) -> S3Result<S3Response<CreateMultipartUploadOutput>> {
    let bucket = service.bucket(&req.input.bucket)?;
    let share = access::share(&req.extensions)?;
    let input = req.input;
    let headers = convert::headers(
        input.content_type,
        input.content_disposition,
        input.content_encoding,
        input.cache_control,
        input.metadata,
    );
    let key = input.key.clone();
    let id = on_disk(move || bucket.create_upload(&key, share, headers)).await?;
    Ok(S3Response::new(CreateMultipartUploadOutput {
        bucket: Some(input.bucket),
        key: Some(input.key),
        upload_id: Some(id),
        checksum_algorithm: input.checksum_algorithm,
        checksum_type: input.checksum_type,
        ..Default::default()
    }))
}

pub(super) async fn put_part(
    service: &Service,
    req: S3Request<UploadPartInput>,
) -> S3Result<S3Response<UploadPartOutput>> {
    let bucket = service.bucket(&req.input.bucket)?;
    let share = access::share(&req.extensions)?;
    let input = req.input;
    let announced = Announced::new(
        Checksum {
            checksum_crc32: input.checksum_crc32,
            checksum_crc32c: input.checksum_crc32c,
            checksum_crc64nvme: input.checksum_crc64nvme,
            checksum_sha1: input.checksum_sha1,
            checksum_sha256: input.checksum_sha256,
            checksum_type: None,
        },
        req.trailing_headers,
        &req.headers,
    );
    let expectation = Expectation {
        length: convert::length(input.content_length)?,
        md5: convert::content_md5(input.content_md5.as_deref())?,
        checksums: announced.hasher(),
        ..Default::default()
    };
    let number = u32::try_from(input.part_number).unwrap_or(0);
    let body = input
        .body
        .ok_or_else(|| s3_error!(IncompleteBody, "a body is missing"))?;
    let place = (input.key.as_str(), input.upload_id.as_str(), number);
    let (part, checksum) = bucket
        .put_part(place, share, body, expectation, move |computed| {
            announced.verify(computed)
        })
        .await?;
    Ok(S3Response::new(UploadPartOutput {
        e_tag: Some(strong(&part.etag)),
        checksum_crc32: checksum.checksum_crc32,
        checksum_crc32c: checksum.checksum_crc32c,
        checksum_crc64nvme: checksum.checksum_crc64nvme,
        checksum_sha1: checksum.checksum_sha1,
        checksum_sha256: checksum.checksum_sha256,
        ..Default::default()
    }))
}

pub(super) async fn list_parts(
    service: &Service,
    req: S3Request<ListPartsInput>,
) -> S3Result<S3Response<ListPartsOutput>> {
    let bucket = service.bucket(&req.input.bucket)?;
    let input = req.input;
    let limit = convert::page_size(input.max_parts)?;
    let after = u32::try_from(input.part_number_marker.unwrap_or(0)).unwrap_or(0);
    let (key, id) = (input.key.clone(), input.upload_id.clone());
    let (parts, more) = on_disk(move || bucket.list_parts(&key, &id, after, limit)).await?;
    let last = parts.last().map(|part| part.number as i32);
    let line = |part: crate::disk::PartInfo| Part {
        part_number: Some(part.number as i32),
        e_tag: Some(strong(&part.etag)),
        size: Some(part.size as i64),
        last_modified: Some(timestamp(part.modified)),
        ..Default::default()
    };
    Ok(S3Response::new(ListPartsOutput {
        bucket: Some(input.bucket),
        key: Some(input.key),
        upload_id: Some(input.upload_id),
        max_parts: Some(limit as i32),
        part_number_marker: Some(after as i32),
        next_part_number_marker: last,
        is_truncated: Some(more),
        parts: Some(parts.into_iter().map(line).collect()),
        ..Default::default()
    }))
}

pub(super) async fn list_uploads(
    service: &Service,
    req: S3Request<ListMultipartUploadsInput>,
) -> S3Result<S3Response<ListMultipartUploadsOutput>> {
    let bucket = service.bucket(&req.input.bucket)?;
    let input = req.input;
    if input.delimiter.as_deref().is_some_and(|d| !d.is_empty()) {
        return Err(s3_error!(
            NotImplemented,
            "uploads are listed without a delimiter"
        ));
    }
    let limit = convert::page_size(input.max_uploads)?;
    let prefix = input.prefix.clone().unwrap_or_default();
    let key_marker = input.key_marker.clone().unwrap_or_default();
    // A key without an upload id means: after all uploads of that key. Ids are hex, so `~` sorts after them.
    let id_marker = match &input.upload_id_marker {
        Some(id) => id.clone(),
        None if key_marker.is_empty() => String::new(),
        None => "~".to_owned(),
    };
    let (uploads, more) = on_disk({
        let prefix = prefix.clone();
        move || Ok(bucket.list_uploads(&prefix, (&key_marker, &id_marker), limit))
    })
    .await?;
    let encoding = input.encoding_type.as_ref();
    let last = uploads.last().filter(|_| more).cloned();
    let line = |upload: crate::disk::UploadSummary| MultipartUpload {
        key: Some(shown(&upload.key, encoding)),
        upload_id: Some(upload.id),
        initiated: Some(timestamp(upload.initiated)),
        ..Default::default()
    };
    Ok(S3Response::new(ListMultipartUploadsOutput {
        bucket: Some(input.bucket),
        prefix: Some(shown(&prefix, encoding)),
        key_marker: input.key_marker,
        upload_id_marker: input.upload_id_marker,
        max_uploads: Some(limit as i32),
        is_truncated: Some(more),
        next_key_marker: last.as_ref().map(|upload| shown(&upload.key, encoding)),
        next_upload_id_marker: last.map(|upload| upload.id),
        uploads: Some(uploads.into_iter().map(line).collect()),
        encoding_type: input.encoding_type.clone(),
        ..Default::default()
    }))
}

pub(super) async fn complete(
    service: &Service,
    req: S3Request<CompleteMultipartUploadInput>,
) -> S3Result<S3Response<CompleteMultipartUploadOutput>> {
    let bucket = service.bucket(&req.input.bucket)?;
    let share = access::share(&req.extensions)?;
    let input = req.input;
    let condition = convert::condition(input.if_match, input.if_none_match)?;
    let listed = input
        .multipart_upload
        .and_then(|upload| upload.parts)
        .unwrap_or_default();
    let mut wanted = Vec::with_capacity(listed.len());
    for part in listed {
        let number = part.part_number.and_then(|n| u32::try_from(n).ok());
        let (Some(number), Some(etag)) = (number, part.e_tag) else {
            return Err(s3_error!(
                MalformedXML,
                "every part has a number and an ETag"
            ));
        };
        wanted.push((number, etag.into_value()));
    }
    if wanted.is_empty() {
        return Err(s3_error!(
            MalformedXML,
            "an upload is completed with one part or more"
        ));
    }
    let (key, id) = (input.key.clone(), input.upload_id);
    let wanted_size = convert::length(input.mpu_object_size)?;
    let done = on_disk(move || {
        let only = (share.as_ref(), condition);
        bucket.complete_upload(&key, &id, &wanted, wanted_size, only)
    })
    .await?;
    Ok(S3Response::new(CompleteMultipartUploadOutput {
        location: Some(format!(
            "{}/{}/{}",
            service.disk.config().public_url(),
            input.bucket,
            shown(&input.key, None)
        )),
        bucket: Some(input.bucket),
        key: Some(input.key),
        e_tag: Some(strong(&done.etag)),
        ..Default::default()
    }))
}
