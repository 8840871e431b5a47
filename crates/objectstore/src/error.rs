//! The error type of this crate.

use std::io;

/// Errors of the object store, its client and its credential issuers.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The bucket does not exist.
    #[error("no such bucket: {0}")]
    NoSuchBucket(String),
    /// The object does not exist.
    #[error("no such object: {0}")]
    NoSuchKey(String),
    /// The upload is unknown, aborted, expired, or completed with other parts.
    #[error("no such upload: {0}")]
    NoSuchUpload(String),
    /// A part named in the completion request is missing, or has another ETag or checksum.
    #[error("invalid part {0}: {1}")]
    InvalidPart(i32, &'static str),
    /// Part numbers in the completion request do not ascend.
    #[error("part numbers must ascend")]
    InvalidPartOrder,
    /// A part other than the last is below the minimum size, or no part was named.
    #[error("part {0} is smaller than the minimum part size")]
    PartTooSmall(i32),
    /// The object or part is larger than the configured limit in bytes.
    #[error("larger than the limit of {0} bytes")]
    TooLarge(u64),
    /// A digest or checksum sent with the body does not match the bytes.
    #[error("checksum mismatch: {0}")]
    BadDigest(&'static str),
    /// The body's length differs from the announced one.
    #[error("body has {got} bytes, expected {expected}")]
    WrongLength {
        /// Length announced by the sender, in bytes.
        expected: u64,
        /// Bytes received.
        got: u64,
    },
    /// The range is outside the object.
    #[error("range not satisfiable")]
    InvalidRange,
    /// An invalid bucket, key, prefix, part number, lifetime or user id.
    #[error("invalid argument: {0}")]
    InvalidArgument(String),
    /// A precondition (`If-Match`, `If-None-Match`) failed.
    #[error("precondition failed")]
    PreconditionFailed,
    /// The sender stopped, or its connection broke, before the end of the body.
    #[error("incomplete body: {0}")]
    IncompleteBody(String),
    /// The user's storage, so many bytes, is used up.
    #[error("the storage of {0} bytes is used up")]
    QuotaExceeded(u64),
    /// The user has the most that one may have of something.
    #[error("there are {1} {0}, the most that one user may have")]
    TooMany(&'static str, usize),
    /// The store's disk is full (or its quota is used up).
    #[error("the store's disk is full")]
    DiskFull,
    /// The configuration is not usable.
    #[error("configuration: {0}")]
    Config(String),
    /// The root directory is locked by another running process.
    #[error("the store directory is in use by another process: {0}")]
    InUse(String),
    /// A record on disk cannot be read.
    #[error("damaged record: {0}")]
    Damaged(String),
    /// An external store or STS returned an error.
    #[error("remote store returned {status} {code}: {message}")]
    Remote {
        /// HTTP status.
        status: u16,
        /// S3 error code, for example `AccessDenied`; empty if the body had none.
        code: String,
        /// The store's message; only for logs.
        message: String,
    },
    /// An external store or STS is unreachable, or the connection broke.
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
    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Connection(_) | Self::DiskFull | Self::IncompleteBody(_) => true,
            Self::Remote { status, .. } => *status >= 500 || *status == 429,
            _ => false,
        }
    }
}

/// The result type of this crate.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
