//! The crate's error. Messages are shown to users, hence Chinese.

use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    UnsupportedFormat(String),
    #[error("{0}")]
    Corrupt(String),
    #[error("{0}")]
    MissingMainFile(String),
    #[error("{0}")]
    TooLarge(String),
    #[error("{0}")]
    Limit(String),
    #[error("{0}")]
    EmptyModel(String),
    #[error("任务已取消")]
    Cancelled,
    /// Invalid use of the command line.
    #[error("{0}")]
    Usage(String),
    #[error("读写文件失败：{0}")]
    Io(String),
    /// The disk is full: not the file's fault, and transient.
    #[error("磁盘空间不足：{0}")]
    NoSpace(String),
    #[error("内部错误：{0}")]
    Internal(String),
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn corrupt(message: impl Into<String>) -> Error {
        Error::Corrupt(message.into())
    }

    pub fn unsupported(message: impl Into<String>) -> Error {
        Error::UnsupportedFormat(message.into())
    }

    /// An I/O error at `path`; the message contains only the file's name, never its folder.
    pub fn io(path: &Path, error: &std::io::Error) -> Error {
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        Error::storage(format!("{name}（{error}）"), error)
    }

    /// An I/O error described by `message`.
    pub fn storage(message: String, error: &std::io::Error) -> Error {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::NoSpace(message),
            _ => Error::Io(message),
        }
    }

    /// Stable code for the JSON result.
    pub fn code(&self) -> &'static str {
        match self {
            Error::UnsupportedFormat(_) => "unsupported-format",
            Error::Corrupt(_) => "corrupt-file",
            Error::MissingMainFile(_) => "missing-main-file",
            Error::TooLarge(_) => "too-large",
            Error::Limit(_) | Error::Cancelled => "limit",
            Error::EmptyModel(_) => "empty-model",
            Error::NoSpace(_) => "no-space",
            Error::Usage(_) | Error::Io(_) | Error::Internal(_) => "internal",
        }
    }

    /// Exit code: 2 bad input, 3 a limit, 1 internal.
    pub fn exit_code(&self) -> i32 {
        match self {
            Error::UnsupportedFormat(_)
            | Error::Corrupt(_)
            | Error::MissingMainFile(_)
            | Error::EmptyModel(_)
            | Error::Usage(_) => 2,
            Error::TooLarge(_) | Error::Limit(_) | Error::Cancelled => 3,
            Error::Io(_) | Error::NoSpace(_) | Error::Internal(_) => 1,
        }
    }
}
