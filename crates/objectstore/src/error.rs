//! The one error type of this crate.

use std::io;

/// What can go wrong in the object store, its client or its credential issuers.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The bucket does not exist.
    #[error("no such bucket: {0}")]
    NoSuchBucket(String),
    /// The object does not exist.
    #[error("no such object: {0}")]
    NoSuchKey(String),
    /// The upload is unknown, finished with other parts, aborted or expired.
    #[error("no such upload: {0}")]
    NoSuchUpload(String),
    /// A part named at completion is missing, or has another ETag or checksum.
    #[error("invalid part {0}: {1}")]
    InvalidPart(i32, &'static str),
    /// Part numbers at completion do not ascend.
    #[error("part numbers must ascend")]
    InvalidPartOrder,
    /// A part other than the last is below the least size, or an object is empty of parts.
    #[error("part {0} is smaller than the least part size")]
    PartTooSmall(i32),
    /// The object or part is larger than the configured limit in bytes.
    #[error("larger than the limit of {0} bytes")]
    TooLarge(u64),
    /// A digest or a checksum the sender named does not match the bytes.
    #[error("checksum mismatch: {0}")]
    BadDigest(&'static str),
    /// The body has another length than announced.
    #[error("body has {got} bytes, announced were {expected}")]
    WrongLength {
        /// Bytes announced by the sender.
        expected: u64,
        /// Bytes that came.
        got: u64,
    },
    /// The range lies outside the object.
    #[error("range not satisfiable")]
    InvalidRange,
    /// A bucket, key, prefix, part number, lifetime or user id that is not acceptable.
    #[error("invalid argument: {0}")]
    InvalidArgument(String),
    /// A precondition (`If-Match`, `If-None-Match`) does not hold.
    #[error("precondition failed")]
    PreconditionFailed,
    /// The sender stopped or its connection broke in the middle of a body.
    #[error("incomplete body: {0}")]
    IncompleteBody(String),
    /// No space is left on the store's disk (or the disk quota is used up).
    #[error("the store's disk is full")]
    DiskFull,
    /// The configuration cannot be used.
    #[error("configuration: {0}")]
    Config(String),
    /// The root directory belongs to another running process.
    #[error("the store directory is in use by another process: {0}")]
    InUse(String),
    /// A record on disk cannot be read.
    #[error("damaged record: {0}")]
    Damaged(String),
    /// An outside store or STS answered with an error.
    #[error("remote store answered {status} {code}: {message}")]
    Remote {
        /// HTTP status.
        status: u16,
        /// S3 error code, for example `AccessDenied`; empty when the body had none.
        code: String,
        /// The store's message; for logs only.
        message: String,
    },
    /// An outside store or STS could not be reached, or the connection broke.
    #[error("connection to the store: {0}")]
    Connection(String),
    /// Any other failure of the file system.
    #[error("input or output: {0}")]
    Io(io::Error),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Io(error),
        }
    }
}

impl StoreError {
    /// True when asking again later can succeed without any change by the caller.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Connection(_) | Self::DiskFull | Self::IncompleteBody(_) => true,
            Self::Remote { status, .. } => *status >= 500 || *status == 429,
            _ => false,
        }
    }
}

/// Result of this crate.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
