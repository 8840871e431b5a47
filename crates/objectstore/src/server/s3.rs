//! S3's operations on buckets and objects.

use std::ops::Range;

use s3s::dto::*;
use s3s::{S3, S3Error, S3ErrorCode, S3Request, S3Response, S3Result, s3_error};

use super::convert::{self, Announced, strong, timestamp};
use super::service::{Service, on_disk};
use super::{access, list, multipart};
use crate::credential::PUBLIC_PREFIX;
use crate::disk::{Bucket, Expectation, NewObject, ObjectRecord};
use crate::error::StoreError;

#[async_trait::async_trait]
impl S3 for Service {
    async fn put_object(
        &self,
        req: S3Request<PutObjectInput>,
    ) -> S3Result<S3Response<PutObjectOutput>> {
        let bucket = self.bucket(&req.input.bucket)?;
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
        let new = NewObject {
            key: input.key,
            headers: convert::headers(
                input.content_type,
                input.content_disposition,
                input.content_encoding,
                input.cache_control,
                input.metadata,
            ),
            condition: convert::condition(input.if_match, input.if_none_match)?,
        };
        let body = input
            .body
            .ok_or_else(|| s3_error!(IncompleteBody, "a body is missing"))?;
        let (record, checksum) = bucket
            .put(new, share, body, expectation, move |computed| {
                announced.verify(computed)
            })
            .await?;
        Ok(S3Response::new(PutObjectOutput {
            e_tag: Some(strong(&record.etag)),
            checksum_crc32: checksum.checksum_crc32,
            checksum_crc32c: checksum.checksum_crc32c,
            checksum_crc64nvme: checksum.checksum_crc64nvme,
            checksum_sha1: checksum.checksum_sha1,
            checksum_sha256: checksum.checksum_sha256,
            ..Default::default()
        }))
    }

    async fn get_object(
        &self,
        req: S3Request<GetObjectInput>,
    ) -> S3Result<S3Response<GetObjectOutput>> {
        let bucket = self.bucket(&req.input.bucket)?;
        let input = req.input;
        let key = input.key;
        // The name of a public object is its content: it never changes.
        let lasting = key
            .starts_with(PUBLIC_PREFIX)
            .then(|| "public, max-age=31536000, immutable".to_owned());
        let reading = on_disk(move || bucket.open_for_reading(&key)).await?;
        let record = reading.record().clone();
        check_conditions(
            &record,
            (input.if_match.as_ref(), input.if_none_match.as_ref()),
            (input.if_modified_since, input.if_unmodified_since),
        )?;
        let range = byte_range(&record, input.range.as_ref())?;
        let whole = input.range.is_none();
        // Checksums cover the whole object, so a range has none.
        let checksum = input
            .checksum_mode
            .as_ref()
            .filter(|_| whole)
            .and_then(|_| convert::sha256_base64(&record));
        let output = GetObjectOutput {
            accept_ranges: Some("bytes".into()),
            content_length: Some((range.end - range.start) as i64),
            content_range: (!whole).then(|| content_range(&range, record.size)),
            e_tag: Some(strong(&record.etag)),
            last_modified: Some(timestamp(record.modified)),
            metadata: Some(convert::metadata(&record)),
            checksum_type: checksum
                .as_ref()
                .map(|_| ChecksumType::from_static(ChecksumType::FULL_OBJECT)),
            checksum_sha256: checksum,
            content_type: Some(
                record
                    .headers
                    .content_type
                    .unwrap_or_else(|| "application/octet-stream".into()),
            ),
            content_disposition: record.headers.content_disposition,
            content_encoding: record.headers.content_encoding,
            cache_control: record.headers.cache_control.or(lasting),
            body: Some(StreamingBlob::wrap(reading.into_stream(range))),
            ..Default::default()
        };
        Ok(S3Response::new(output))
    }

    async fn head_object(
        &self,
        req: S3Request<HeadObjectInput>,
    ) -> S3Result<S3Response<HeadObjectOutput>> {
        let bucket = self.bucket(&req.input.bucket)?;
        let input = req.input;
        let key = input.key;
        let record = on_disk(move || bucket.head(&key)).await?;
        check_conditions(
            &record,
            (input.if_match.as_ref(), input.if_none_match.as_ref()),
            (input.if_modified_since, input.if_unmodified_since),
        )?;
        let range = byte_range(&record, input.range.as_ref())?;
        let checksum = input
            .checksum_mode
            .as_ref()
            .and_then(|_| convert::sha256_base64(&record));
        let output = HeadObjectOutput {
            accept_ranges: Some("bytes".into()),
            content_length: Some((range.end - range.start) as i64),
            content_range: input
                .range
                .is_some()
                .then(|| content_range(&range, record.size)),
            e_tag: Some(strong(&record.etag)),
            last_modified: Some(timestamp(record.modified)),
            metadata: Some(convert::metadata(&record)),
            checksum_type: checksum
                .as_ref()
                .map(|_| ChecksumType::from_static(ChecksumType::FULL_OBJECT)),
            checksum_sha256: checksum,
            content_type: Some(
                record
                    .headers
                    .content_type
                    .unwrap_or_else(|| "application/octet-stream".into()),
            ),
            content_disposition: record.headers.content_disposition,
            content_encoding: record.headers.content_encoding,
            cache_control: record.headers.cache_control,
            ..Default::default()
        };
        Ok(S3Response::new(output))
    }

    async fn delete_object(
        &self,
        req: S3Request<DeleteObjectInput>,
    ) -> S3Result<S3Response<DeleteObjectOutput>> {
        let bucket = self.bucket(&req.input.bucket)?;
        on_disk(move || bucket.delete(&req.input.key)).await?;
        Ok(S3Response::new(DeleteObjectOutput::default()))
    }

    async fn delete_objects(
        &self,
        req: S3Request<DeleteObjectsInput>,
    ) -> S3Result<S3Response<DeleteObjectsOutput>> {
        let bucket = self.bucket(&req.input.bucket)?;
        let Delete { objects, quiet } = req.input.delete;
        if objects.is_empty() || objects.len() > 1000 {
            return Err(s3_error!(
                MalformedXML,
                "1 to 1000 keys are deleted at a time"
            ));
        }
        let (deleted, errors) = on_disk(move || Ok(delete_each(&bucket, objects))).await?;
        Ok(S3Response::new(DeleteObjectsOutput {
            deleted: (quiet != Some(true)).then_some(deleted),
            errors: (!errors.is_empty()).then_some(errors),
            ..Default::default()
        }))
    }

    async fn copy_object(
        &self,
        req: S3Request<CopyObjectInput>,
    ) -> S3Result<S3Response<CopyObjectOutput>> {
        let input = req.input;
        let CopySource::Bucket {
            bucket,
            key,
            version_id: None,
        } = input.copy_source
        else {
            return Err(s3_error!(
                NotImplemented,
                "the source of a copy is bucket/key"
            ));
        };
        let source = self.bucket(&bucket)?;
        let target = self.bucket(&input.bucket)?;
        let replaced = input
            .metadata_directive
            .as_ref()
            .map(MetadataDirective::as_str)
            == Some("REPLACE");
        let given = convert::headers(
            input.content_type,
            input.content_disposition,
            input.content_encoding,
            input.cache_control,
            input.metadata,
        );
        let target_key = input.key;
        let etag = match input
            .copy_source_if_match
            .as_ref()
            .map(ETagCondition::as_etag)
        {
            Some(Some(etag)) => Some(etag.value().to_owned()),
            // `*`: any content.
            _ => None,
        };
        let record = on_disk(move || {
            let headers = if replaced {
                given
            } else {
                source.head(&key)?.headers
            };
            source.copy_to(
                &key,
                etag.as_deref(),
                &target,
                NewObject {
                    key: target_key,
                    headers,
                    condition: None,
                },
            )
        })
        .await?;
        let result = CopyObjectResult {
            e_tag: Some(strong(&record.etag)),
            last_modified: Some(timestamp(record.modified)),
            ..Default::default()
        };
        Ok(S3Response::new(CopyObjectOutput {
            copy_object_result: Some(result),
            ..Default::default()
        }))
    }

    async fn list_objects_v2(
        &self,
        req: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        list::version_2(self, req).await
    }

    async fn list_objects(
        &self,
        req: S3Request<ListObjectsInput>,
    ) -> S3Result<S3Response<ListObjectsOutput>> {
        list::version_1(self, req).await
    }

    async fn create_multipart_upload(
        &self,
        req: S3Request<CreateMultipartUploadInput>,
    ) -> S3Result<S3Response<CreateMultipartUploadOutput>> {
        multipart::create(self, req).await
    }

    async fn upload_part(
        &self,
        req: S3Request<UploadPartInput>,
    ) -> S3Result<S3Response<UploadPartOutput>> {
        multipart::put_part(self, req).await
    }

    async fn list_parts(
        &self,
        req: S3Request<ListPartsInput>,
    ) -> S3Result<S3Response<ListPartsOutput>> {
        multipart::list_parts(self, req).await
    }

    async fn list_multipart_uploads(
        &self,
        req: S3Request<ListMultipartUploadsInput>,
    ) -> S3Result<S3Response<ListMultipartUploadsOutput>> {
        multipart::list_uploads(self, req).await
    }

    async fn complete_multipart_upload(
        &self,
        req: S3Request<CompleteMultipartUploadInput>,
    ) -> S3Result<S3Response<CompleteMultipartUploadOutput>> {
        multipart::complete(self, req).await
    }

    async fn abort_multipart_upload(
        &self,
        req: S3Request<AbortMultipartUploadInput>,
    ) -> S3Result<S3Response<AbortMultipartUploadOutput>> {
        let bucket = self.bucket(&req.input.bucket)?;
        on_disk(move || bucket.abort_upload(&req.input.key, &req.input.upload_id)).await?;
        Ok(S3Response::new(AbortMultipartUploadOutput::default()))
    }

    async fn head_bucket(
        &self,
        req: S3Request<HeadBucketInput>,
    ) -> S3Result<S3Response<HeadBucketOutput>> {
        let bucket = self.bucket(&req.input.bucket)?;
        on_disk(move || bucket.check()).await?;
        let bucket_region = Some(self.disk.config().region.clone());
        Ok(S3Response::new(HeadBucketOutput {
            bucket_region,
            ..Default::default()
        }))
    }

    async fn create_bucket(
        &self,
        req: S3Request<CreateBucketInput>,
    ) -> S3Result<S3Response<CreateBucketOutput>> {
        let disk = self.disk.clone();
        let name = req.input.bucket;
        let location = Some(format!("/{name}"));
        if !on_disk(move || disk.create_bucket(&name)).await? {
            return Err(s3_error!(BucketAlreadyOwnedByYou));
        }
        Ok(S3Response::new(CreateBucketOutput { location }))
    }

    async fn get_bucket_location(
        &self,
        req: S3Request<GetBucketLocationInput>,
    ) -> S3Result<S3Response<GetBucketLocationOutput>> {
        self.bucket(&req.input.bucket)?;
        let region = self.disk.config().region.clone();
        // S3 returns an empty element for its first region.
        let location_constraint =
            (region != "us-east-1").then(|| BucketLocationConstraint::from(region));
        Ok(S3Response::new(GetBucketLocationOutput {
            location_constraint,
        }))
    }

    async fn list_buckets(
        &self,
        _req: S3Request<ListBucketsInput>,
    ) -> S3Result<S3Response<ListBucketsOutput>> {
        let line = |name: String| s3s::dto::Bucket {
            name: Some(name),
            ..Default::default()
        };
        let buckets = self.disk.bucket_names().into_iter().map(line).collect();
        Ok(S3Response::new(ListBucketsOutput {
            buckets: Some(buckets),
            ..Default::default()
        }))
    }
}

fn delete_each(
    bucket: &Bucket,
    objects: Vec<ObjectIdentifier>,
) -> (Vec<DeletedObject>, Vec<s3s::dto::Error>) {
    let mut deleted = Vec::new();
    let mut errors = Vec::new();
    for object in objects {
        match bucket.delete(&object.key) {
            Ok(_) => deleted.push(DeletedObject {
                key: Some(object.key),
                ..Default::default()
            }),
            Err(error) => {
                let error = S3Error::from(error);
                errors.push(s3s::dto::Error {
                    code: Some(error.code().as_str().to_owned()),
                    message: error.message().map(str::to_owned),
                    key: Some(object.key),
                    version_id: None,
                });
            }
        }
    }
    (deleted, errors)
}

fn content_range(range: &Range<u64>, size: u64) -> String {
    format!("bytes {}-{}/{size}", range.start, range.end - 1)
}

fn byte_range(record: &ObjectRecord, range: Option<&s3s::dto::Range>) -> S3Result<Range<u64>> {
    match range {
        None => Ok(0..record.size),
        Some(range) => range
            .check(record.size)
            .map_err(|_| StoreError::InvalidRange.into()),
    }
}

/// RFC 9110 §13.2.2: `If-Match` before `If-Unmodified-Since`, `If-None-Match` before `If-Modified-Since`.
fn check_conditions(
    record: &ObjectRecord,
    (if_match, if_none_match): (Option<&ETagCondition>, Option<&ETagCondition>),
    (if_modified_since, if_unmodified_since): (Option<Timestamp>, Option<Timestamp>),
) -> S3Result<()> {
    // HTTP dates have whole seconds.
    let modified = record.modified.div_euclid(1000);
    let seconds = |time: Timestamp| time::OffsetDateTime::from(time).unix_timestamp();
    let matches = |condition: &ETagCondition| match condition.as_etag() {
        Some(etag) => etag.value() == record.etag,
        None => true,
    };
    let failed = match (if_match, if_unmodified_since) {
        (Some(condition), _) => !matches(condition),
        (None, Some(since)) => modified > seconds(since),
        (None, None) => false,
    };
    if failed {
        return Err(s3_error!(PreconditionFailed));
    }
    let unchanged = match (if_none_match, if_modified_since) {
        (Some(condition), _) => matches(condition),
        (None, Some(since)) => modified <= seconds(since),
        (None, None) => false,
    };
    if !unchanged {
        return Ok(());
    }
    let mut error = S3Error::new(S3ErrorCode::NotModified);
    let mut headers = http::HeaderMap::new();
    if let Ok(etag) = format!("\"{}\"", record.etag).parse() {
        headers.insert(http::header::ETAG, etag);
    }
    error.set_headers(headers);
    Err(error)
}
