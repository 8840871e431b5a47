//! Errors of a service and how they travel: a gRPC status, with a typed `BusinessError` in a binary trailer where the
//! caller is to read a `resp_code`.

use prost::Message;
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
    /// JSON text that becomes `datas`; empty stands for null.
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
    /// A fault of ours; the caller is told no more than that.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

impl From<sea_orm::DbErr> for ServiceError {
    fn from(error: sea_orm::DbErr) -> Self {
        match error {
            sea_orm::DbErr::ConnectionAcquire(_) | sea_orm::DbErr::Conn(_) => {
                tracing::warn!(%error, "database away");
                Self::Unavailable("database")
            }
            other => Self::Internal(other.into()),
        }
    }
}

impl From<ServiceError> for Status {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Business(business) => business.into(),
            ServiceError::Unavailable(part) => Status::unavailable(part),
            ServiceError::Unauthenticated => Status::unauthenticated("not signed in"),
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
