//! Maps our errors to S3's. The messages go to S3 clients, so they stay in English.

use s3s::{S3Error, S3ErrorCode};

use crate::error::StoreError;

impl From<StoreError> for S3Error {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::NoSuchBucket(_) => S3ErrorCode::NoSuchBucket,
            StoreError::NoSuchKey(_) => S3ErrorCode::NoSuchKey,
            StoreError::NoSuchUpload(_) => S3ErrorCode::NoSuchUpload,
            StoreError::InvalidPart(..) => S3ErrorCode::InvalidPart,
            StoreError::InvalidPartOrder => S3ErrorCode::InvalidPartOrder,
            StoreError::PartTooSmall(_) => S3ErrorCode::EntityTooSmall,
            StoreError::TooLarge(_) => S3ErrorCode::EntityTooLarge,
            StoreError::BadDigest(_) => S3ErrorCode::BadDigest,
            StoreError::WrongLength { .. } | StoreError::IncompleteBody(_) => {
                S3ErrorCode::IncompleteBody
            }
            StoreError::InvalidRange => S3ErrorCode::InvalidRange,
            StoreError::InvalidArgument(_) => S3ErrorCode::InvalidArgument,
            StoreError::PreconditionFailed => S3ErrorCode::PreconditionFailed,
            StoreError::QuotaExceeded(_) => return limited("QuotaExceeded", &error),
            StoreError::TooMany(..) => return limited("TooManyObjects", &error),
            StoreError::DiskFull => return disk_full(),
            StoreError::Config(_)
            | StoreError::InUse(_)
            | StoreError::Damaged(_)
            | StoreError::Remote { .. }
            | StoreError::Connection(_)
            | StoreError::Io(_) => {
                // The cause (paths, system errors) goes only to the log.
                tracing::error!(%error, "the object store failed");
                return S3Error::with_message(
                    S3ErrorCode::InternalError,
                    "the store failed; try again",
                );
            }
        };
        S3Error::with_message(code, error.to_string())
    }
}

/// Status 403 with a code of our own, as other stores with quotas have one.
fn limited(code: &'static str, error: &StoreError) -> S3Error {
    let code = S3ErrorCode::Custom(code.into());
    let mut reply = S3Error::with_message(code, error.to_string());
    reply.set_status_code(http::StatusCode::FORBIDDEN);
    reply
}

/// Status 507 with a code of our own: S3 has none, since S3 is never full.
fn disk_full() -> S3Error {
    tracing::error!("the object store's disk is full");
    let code = S3ErrorCode::Custom("InsufficientStorage".into());
    let mut error = S3Error::with_message(code, "the store has no room left; nothing was stored");
    error.set_status_code(http::StatusCode::INSUFFICIENT_STORAGE);
    error
}

/// The body of an error response that is written without `s3s`.
pub(super) fn xml(code: &str, message: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    )
}
