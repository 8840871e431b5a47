//! Why a job was not completed: transient and permanent causes.

use std::io::{Error as IoError, ErrorKind};

use chassis::ServiceError;
use objectstore::StoreError;

use crate::engine::EngineError;

/// Why this worker did not complete a job.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobError {
    /// The job belongs to another worker by now, or was cancelled: nothing is written.
    #[error("job lost")]
    Lost,
    /// The file or result of the job is gone: the job ends.
    #[error("its file or result is gone")]
    Gone,
    /// Another job goes first: this one is released, and the attempt does not count.
    #[error("another job goes first")]
    Yielded,
    /// A dependency is unavailable: the job waits, and the attempt does not count.
    #[error("waits: {0}")]
    Away(String),
    /// A permanent error, such as a statement refused by the database or an engine that is not installed: the attempt counts.
    #[error("fault: {0}")]
    Fault(String),
    /// The engine's verdict.
    #[error(transparent)]
    Engine(EngineError),
}

impl JobError {
    /// Whether the file itself is the cause, so that a retry changes nothing.
    pub(crate) fn is_verdict(&self) -> bool {
        matches!(self, Self::Engine(EngineError::BadInput(_)))
    }
}

impl From<ServiceError> for JobError {
    fn from(error: ServiceError) -> Self {
        let text = format!("{error:#}");
        match error.is_away() {
            true => Self::Away(text),
            false => Self::Fault(text),
        }
    }
}

impl From<sea_orm::DbErr> for JobError {
    fn from(error: sea_orm::DbErr) -> Self {
        match chassis::error::database_away(&error) {
            true => Self::Away(error.to_string()),
            false => Self::Fault(error.to_string()),
        }
    }
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoSuchKey(_) => Self::Engine(EngineError::BadInput(
                "上传的文件已不存在，请重新上传".into(),
            )),
            StoreError::Io(error) => error.into(),
            // Keys are being rotated.
            StoreError::Remote {
                status: 401 | 403, ..
            } => Self::Away(error.to_string()),
            other if other.is_transient() => Self::Away(other.to_string()),
            other => Self::Fault(other.to_string()),
        }
    }
}

impl From<IoError> for JobError {
    fn from(error: IoError) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                Self::Engine(EngineError::NoRoom(error.to_string()))
            }
            _ if passes(&error) => Self::Away(error.to_string()),
            _ => Self::Fault(error.to_string()),
        }
    }
}

/// Broken connections, and a system short of files, processes or memory.
fn passes(error: &IoError) -> bool {
    let short = [libc::EMFILE, libc::ENFILE, libc::EAGAIN, libc::ENOMEM];
    let broken = matches!(
        error.kind(),
        ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::NotConnected
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::BrokenPipe
            | ErrorKind::TimedOut
            | ErrorKind::UnexpectedEof
            | ErrorKind::Interrupted
    );
    broken
        || error
            .raw_os_error()
            .is_some_and(|code| short.contains(&code))
}

impl From<EngineError> for JobError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Stopped => Self::Lost,
            EngineError::Io(error) => error.into(),
            other => Self::Engine(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::{DbErr, RuntimeErr, SqlxError};

    use super::*;

    fn refused() -> DbErr {
        DbErr::Query(RuntimeErr::SqlxError(SqlxError::RowNotFound.into()))
    }

    fn broken() -> DbErr {
        let reset = SqlxError::Io(ErrorKind::ConnectionReset.into());
        DbErr::Query(RuntimeErr::SqlxError(reset.into()))
    }

    fn counts(error: impl Into<JobError>) -> bool {
        match error.into() {
            JobError::Fault(_) => true,
            JobError::Away(_) => false,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn what_passes_does_not_count_and_what_stays_does() {
        assert!(!counts(broken()));
        assert!(counts(refused()));
        assert!(!counts(ServiceError::from(broken())));
        assert!(counts(ServiceError::from(refused())));
        assert!(!counts(ServiceError::Unavailable("object store")));
        let hidden = anyhow::Error::from(broken()).context("while reading");
        assert!(!counts(ServiceError::from(hidden)));
        assert!(counts(IoError::from(ErrorKind::NotFound)));
        assert!(counts(EngineError::Io(ErrorKind::NotFound.into())));
        assert!(!counts(IoError::from_raw_os_error(libc::EMFILE)));
        assert!(!counts(StoreError::Io(ErrorKind::TimedOut.into())));
        assert!(counts(StoreError::InvalidArgument("key".into())));
        let remote = |status: u16| StoreError::Remote {
            status,
            code: String::new(),
            message: String::new(),
        };
        assert!(!counts(remote(503)) && !counts(remote(403)) && counts(remote(400)));
    }

    #[test]
    fn a_full_disk_is_no_fault_of_the_file() {
        let full = JobError::from(IoError::from(ErrorKind::StorageFull));
        assert!(matches!(full, JobError::Engine(EngineError::NoRoom(_))));
    }
}
