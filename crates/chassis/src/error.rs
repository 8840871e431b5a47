//! Errors of a service and how they travel: a gRPC status, with a typed `BusinessError` in a binary trailer where the
//! caller is to read a `resp_code`.

use prost::Message;
use proto::calls::Refusal;
use proto::code;
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::{Code, Status};

/// Binary trailer that carries an encoded `xuanlan.common.v1.BusinessError`.
pub const TRAILER: &str = "business-error-bin";

/// An answer the caller is meant to read: a code of the catalogue and a message in Chinese.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct BusinessError {
    pub code: i32,
    pub message: String,
    /// JSON text that becomes `datas`; empty means null.
    pub datas_json: String,
}

impl BusinessError {
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            datas_json: String::new(),
        }
    }

    /// An argument is missing or wrong.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(code::INVALID, message)
    }

    /// The thing does not exist or is not the caller's: the answer is the same for both.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(code::NOT_FOUND, message)
    }

    pub fn with_datas(mut self, datas: &serde_json::Value) -> Self {
        self.datas_json = datas.to_string();
        self
    }
}

/// What a service's call can fail with.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error(transparent)]
    Business(#[from] BusinessError),
    /// A part (database, cache, bus, store) is away for the moment.
    #[error("{0} is not available")]
    Unavailable(&'static str),
    #[error("not signed in")]
    Unauthenticated,
    /// The caller is not permitted.
    #[error("not permitted")]
    Forbidden,
    /// What one part of the system asked another for does not exist; callers outside read a [`BusinessError`] instead.
    #[error("{0}")]
    Absent(&'static str),
    /// The service has no such call.
    #[error("not implemented")]
    Unimplemented,
    /// A fault of ours, of which the caller learns no more.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

/// The part that is away when the disk is full.
const DISK: &str = "disk";
const DISK_FULL: &str = "服务器磁盘已满，暂时无法保存。请删除不用的文件腾出空间，或稍后再试";

impl From<sea_orm::DbErr> for ServiceError {
    fn from(error: sea_orm::DbErr) -> Self {
        if disk_full(&error) {
            tracing::error!(%error, "the database's disk is full");
            return Self::Unavailable(DISK);
        }
        match database_away(&error) {
            true => {
                tracing::warn!(%error, "database away");
                Self::Unavailable("database")
            }
            false => Self::Internal(error.into()),
        }
    }
}

impl ServiceError {
    /// Whether a part is away for the moment, also where context wraps the cause. Any other error does not go away by trying
    /// again.
    pub fn is_away(&self) -> bool {
        match self {
            Self::Unavailable(_) => true,
            Self::Internal(cause) => causes(cause).any(database_away),
            Self::Business(_)
            | Self::Unauthenticated
            | Self::Forbidden
            | Self::Absent(_)
            | Self::Unimplemented => false,
        }
    }
}

/// Database errors in the chain, also where context wraps them.
fn causes(error: &anyhow::Error) -> impl Iterator<Item = &sea_orm::DbErr> {
    error.chain().filter_map(|link| link.downcast_ref())
}

fn disk_full_status() -> Status {
    BusinessError::new(code::DISK_FULL, DISK_FULL).into()
}

/// The code that the database itself returned, if any.
fn code_of(error: &sea_orm::DbErr) -> Option<String> {
    use sea_orm::{DbErr, RuntimeErr, SqlxError};
    let (DbErr::Exec(RuntimeErr::SqlxError(cause))
    | DbErr::Query(RuntimeErr::SqlxError(cause))
    | DbErr::Conn(RuntimeErr::SqlxError(cause))) = error
    else {
        return None;
    };
    match cause.as_ref() {
        SqlxError::Database(said) => said.code().map(|code| code.into_owned()),
        _ => None,
    }
}

/// Whether an error says that the database has no room on its disk.
pub fn disk_full(error: &sea_orm::DbErr) -> bool {
    // SQLITE_FULL; SQLITE_IOERR_SHMSIZE, as which a full disk shows in the index of the log;
    // PostgreSQL's disk_full.
    const CODES: [&str; 3] = ["13", "4874", "53100"];
    code_of(error).is_some_and(|code| CODES.contains(&code.as_str()))
}

/// Whether an error says that the database cannot be had at the moment: no connection, one that broke in the middle of a
/// statement, a server that ends, starts, or has no room.
pub fn database_away(error: &sea_orm::DbErr) -> bool {
    use sea_orm::{DbErr, RuntimeErr, SqlxError};
    if disk_full(error) {
        return true;
    }
    let cause = match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => return true,
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            cause
        }
        _ => return false,
    };
    match cause.as_ref() {
        SqlxError::Io(_)
        | SqlxError::Tls(_)
        | SqlxError::PoolTimedOut
        | SqlxError::PoolClosed
        | SqlxError::WorkerCrashed
        | SqlxError::BeginFailed => true,
        SqlxError::Database(said) => said.code().is_some_and(|code| is_passing(&code)),
        _ => false,
    }
}

/// SQLSTATEs of PostgreSQL that pass by themselves or by an operator's action.
fn is_passing(code: &str) -> bool {
    const CONNECTION: &str = "08";
    const RESOURCES: &str = "53";
    // admin_shutdown, crash_shutdown, cannot_connect_now; a standby that has just been promoted was read only; the limits of
    // statements and of idle transactions.
    const OTHERS: [&str; 6] = ["57P01", "57P02", "57P03", "25006", "57014", "25P03"];
    code.starts_with(CONNECTION) || code.starts_with(RESOURCES) || OTHERS.contains(&code)
}

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::SignedOut => Self::Unauthenticated,
            Refusal::Unknown => Self::Unimplemented,
            Refusal::Malformed(_) => Self::Internal(refusal.into()),
            Refusal::Invalid(sentence) => BusinessError::invalid(sentence).into(),
        }
    }
}

impl From<ServiceError> for Status {
    fn from(error: ServiceError) -> Self {
        let away = error.is_away();
        match error {
            ServiceError::Business(business) => business.into(),
            ServiceError::Unavailable(DISK) => disk_full_status(),
            ServiceError::Unavailable(part) => Status::unavailable(part),
            ServiceError::Unauthenticated => Status::unauthenticated("not signed in"),
            ServiceError::Forbidden => Status::permission_denied("not permitted"),
            ServiceError::Absent(what) => Status::not_found(what),
            ServiceError::Unimplemented => Status::unimplemented("no such call"),
            ServiceError::Internal(cause) if causes(&cause).any(disk_full) => {
                tracing::error!(error = format!("{cause:#}"), "the database's disk is full");
                disk_full_status()
            }
            ServiceError::Internal(cause) if away => {
                tracing::warn!(error = format!("{cause:#}"), "database away");
                Status::unavailable("database")
            }
            ServiceError::Internal(cause) => {
                tracing::error!(error = format!("{cause:#}"), "call failed");
                Status::internal("internal error")
            }
        }
    }
}

impl From<BusinessError> for Status {
    fn from(error: BusinessError) -> Self {
        let body = proto::common::v1::BusinessError {
            code: error.code,
            message: error.message.clone(),
            datas_json: error.datas_json,
        };
        let mut metadata = MetadataMap::new();
        metadata.insert_bin(TRAILER, MetadataValue::from_bytes(&body.encode_to_vec()));
        Status::with_metadata(Code::FailedPrecondition, "business error", metadata)
    }
}

/// The business error a status carries, if any.
pub fn business_error(status: &Status) -> Option<proto::common::v1::BusinessError> {
    let bytes = status.metadata().get_bin(TRAILER)?.to_bytes().ok()?;
    proto::common::v1::BusinessError::decode(bytes).ok()
}

#[cfg(test)]
mod tests {
    use sea_orm::{DbErr, RuntimeErr, SqlxError};

    use super::*;

    fn broken(cause: SqlxError) -> DbErr {
        DbErr::Query(RuntimeErr::SqlxError(cause.into()))
    }

    #[test]
    fn a_connection_that_breaks_is_a_database_away_and_a_wrong_statement_is_not() {
        let reset = || SqlxError::Io(std::io::ErrorKind::ConnectionReset.into());
        for error in [reset(), SqlxError::PoolTimedOut] {
            let status = Status::from(ServiceError::from(broken(error)));
            assert_eq!(status.code(), Code::Unavailable);
        }
        let wrapped = anyhow::Error::from(broken(reset())).context("while reading");
        let status = Status::from(ServiceError::from(wrapped));
        assert_eq!(status.code(), Code::Unavailable);
        let status = Status::from(ServiceError::from(broken(SqlxError::RowNotFound)));
        assert_eq!(status.code(), Code::Internal);
    }

    #[tokio::test]
    async fn a_full_disk_is_told_in_words() {
        use sea_orm::ConnectionTrait;
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("full.db");
        let url = format!("sqlite:{}?mode=rwc", path.display());
        let mut options = sea_orm::ConnectOptions::new(url);
        options.max_connections(1);
        let db = sea_orm::Database::connect(options).await.unwrap();
        let run = async |sql: &str| db.execute_unprepared(sql).await;
        run("CREATE TABLE t (x BLOB)").await.unwrap();
        // The same error as on a disk without room.
        run("PRAGMA max_page_count = 8").await.unwrap();
        let error = run("INSERT INTO t VALUES (zeroblob(100000))")
            .await
            .unwrap_err();
        assert!(disk_full(&error) && database_away(&error), "{error}");
        let wrapped = ServiceError::Internal(anyhow::Error::from(error).context("while writing"));
        assert!(wrapped.is_away());
        let again = run("INSERT INTO t VALUES (zeroblob(100000))")
            .await
            .unwrap_err();
        for error in [wrapped, ServiceError::from(again)] {
            let reply = business_error(&Status::from(error)).expect("words");
            assert_eq!(
                (reply.code, reply.message.as_str()),
                (code::DISK_FULL, DISK_FULL)
            );
        }
        // What frees room, or needs none, still works.
        run("DELETE FROM t").await.unwrap();
    }

    #[test]
    fn what_the_server_says_of_itself_is_told_from_faults() {
        for (code, passing) in [
            ("57P01", true),
            ("57P03", true),
            ("53300", true),
            ("53100", true),
            ("08006", true),
            ("23505", false),
            ("42601", false),
        ] {
            assert_eq!(is_passing(code), passing, "{code}");
        }
    }
}
