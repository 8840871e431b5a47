//! Reasons to refuse a request, and the table of the responses.

use tonic::{Code, Status};

use proto::code;

/// Everything that ends a request before, during or after its call.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refused {
    #[error("unknown client or wrong client secret")]
    Client,
    #[error("signature is missing, malformed or invalid")]
    Signature,
    #[error("timestamp of the signature is out of range")]
    Stale { server_ms: i64 },
    #[error("signature was used before")]
    Replayed,
    #[error("replays cannot be detected")]
    NoMemory,
    #[error("not signed in")]
    SignIn,
    #[error("not an operator")]
    Operator,
    #[error("the owner field names another user")]
    Foreign,
    #[error("unknown field {0}")]
    UnknownField(String),
    #[error("{0}")]
    Invalid(String),
    #[error("body too large")]
    TooLarge,
    #[error("body did not arrive in time")]
    SlowBody,
    #[error("body is neither a form nor JSON")]
    BodyKind,
    #[error("wrong method")]
    Method,
    #[error("no such call")]
    NotFound,
    #[error("the service does not exist yet")]
    NotOpen,
    #[error("too many requests")]
    TooMany { retry_after_s: u64 },
    #[error("service unavailable")]
    Unavailable,
    #[error("service did not respond in time")]
    Timeout,
    #[error("business error {code}")]
    Business {
        code: i32,
        message: String,
        datas_json: String,
    },
    #[error("the service returned {0:?}")]
    Grpc(Code),
    #[error("internal error: {0}")]
    Internal(String),
}

/// The response to a refused request.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// HTTP status.
    pub http: u16,
    /// `resp_code` of the envelope.
    pub code: i32,
    /// `resp_msg` of the envelope.
    pub message: String,
    /// JSON text of `datas`; empty means null.
    pub datas_json: String,
    /// Seconds for the header Retry-After.
    pub retry_after_s: Option<u64>,
}

impl Answer {
    fn new(http: u16, code: i32, message: impl Into<String>) -> Self {
        Self {
            http,
            code,
            message: message.into(),
            datas_json: String::new(),
            retry_after_s: None,
        }
    }
}

impl Refused {
    /// The table. Business errors are HTTP 200 with their code; transport errors keep their HTTP status.
    pub fn answer(&self, request_id: &str) -> Answer {
        match self {
            Self::Client => {
                Answer::new(200, code::BAD_CLIENT, "客户端校验未通过，请刷新页面后重试")
            }
            Self::Signature => {
                Answer::new(200, code::BAD_SIGNATURE, "请求签名有误，请刷新页面后重试")
            }
            Self::Stale { server_ms } => Answer {
                datas_json: format!("{{\"serverTime\":{server_ms}}}"),
                ..Answer::new(
                    200,
                    code::STALE,
                    "设备时间与服务器相差过大，请校准时间后重试",
                )
            },
            Self::Replayed => Answer::new(200, code::REPLAYED, "该请求已提交过，请勿重复提交"),
            Self::NoMemory | Self::Unavailable | Self::Grpc(Code::Unavailable) => {
                Answer::new(503, 503, "服务暂时不可用，请稍后再试")
            }
            Self::SignIn | Self::Grpc(Code::Unauthenticated) => Answer::new(401, 401, "请登录"),
            Self::Operator | Self::Grpc(Code::PermissionDenied) => {
                Answer::new(403, 403, "没有权限执行此操作")
            }
            Self::Foreign => Answer::new(200, code::FOREIGN, "无权访问其他用户的数据"),
            Self::UnknownField(name) => {
                Answer::new(200, code::UNKNOWN_FIELD, format!("不支持的参数：{name}"))
            }
            Self::Invalid(message) => Answer::new(200, code::INVALID, message.clone()),
            Self::TooLarge => Answer::new(413, 413, "提交的内容过大，请减少后再试"),
            Self::SlowBody => Answer::new(408, 408, "内容未能及时送达，请检查网络后重试"),
            Self::BodyKind => Answer::new(415, 415, "提交的内容格式不受支持，请使用表单或 JSON"),
            Self::Method => Answer::new(405, 405, "请求方式不受支持"),
            Self::NotFound => Answer::new(404, 404, "请求的接口不存在"),
            Self::NotOpen | Self::Grpc(Code::Unimplemented) => {
                Answer::new(200, code::NOT_OPEN, "该服务尚未开放")
            }
            Self::TooMany { retry_after_s } => Answer {
                retry_after_s: Some(*retry_after_s),
                ..Answer::new(429, 429, "操作过于频繁，请稍后再试")
            },
            Self::Grpc(Code::ResourceExhausted) => Answer {
                retry_after_s: Some(1),
                ..Answer::new(429, 429, "操作过于频繁，请稍后再试")
            },
            Self::Timeout | Self::Grpc(Code::DeadlineExceeded) => {
                Answer::new(504, 504, "服务响应超时，请稍后再试")
            }
            Self::Business {
                code,
                message,
                datas_json,
            } => Answer {
                datas_json: datas_json.clone(),
                ..Answer::new(200, *code, message.clone())
            },
            Self::Grpc(Code::InvalidArgument | Code::OutOfRange) => {
                Answer::new(200, code::INVALID, "提交的参数有误，请检查后重试")
            }
            Self::Grpc(Code::NotFound) => {
                Answer::new(200, code::NOT_FOUND, "内容不存在，可能已被删除")
            }
            Self::Grpc(Code::AlreadyExists | Code::FailedPrecondition | Code::Aborted) => {
                Answer::new(200, code::CONFLICT, "当前状态不允许此操作，请刷新后再试")
            }
            Self::Grpc(
                Code::Ok | Code::Cancelled | Code::Unknown | Code::Internal | Code::DataLoss,
            )
            | Self::Internal(_) => Answer::new(
                500,
                500,
                format!("服务出错了，请稍后再试（编号 {request_id}）"),
            ),
        }
    }
}

impl From<Status> for Refused {
    /// A typed business error in the trailers takes precedence over the status it comes with.
    fn from(status: Status) -> Self {
        if let Some(business) = chassis::error::business_error(&status) {
            return Self::Business {
                code: business.code,
                message: business.message,
                datas_json: business.datas_json,
            };
        }
        Self::Grpc(status.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grpc_code_has_its_answer() {
        let table = [
            (Code::Ok, 500, 500),
            (Code::Cancelled, 500, 500),
            (Code::Unknown, 500, 500),
            (Code::InvalidArgument, 200, code::INVALID),
            (Code::DeadlineExceeded, 504, 504),
            (Code::NotFound, 200, code::NOT_FOUND),
            (Code::AlreadyExists, 200, code::CONFLICT),
            (Code::PermissionDenied, 403, 403),
            (Code::ResourceExhausted, 429, 429),
            (Code::FailedPrecondition, 200, code::CONFLICT),
            (Code::Aborted, 200, code::CONFLICT),
            (Code::OutOfRange, 200, code::INVALID),
            (Code::Unimplemented, 200, code::NOT_OPEN),
            (Code::Internal, 500, 500),
            (Code::Unavailable, 503, 503),
            (Code::DataLoss, 500, 500),
            (Code::Unauthenticated, 401, 401),
        ];
        for (grpc, http, resp_code) in table {
            let answer = Refused::from(Status::new(grpc, "detail of ours")).answer("r1");
            assert_eq!((answer.http, answer.code), (http, resp_code), "{grpc:?}");
            assert!(!answer.message.contains("detail"), "{grpc:?}");
        }
    }

    #[test]
    fn a_business_error_is_returned_verbatim() {
        let business = chassis::BusinessError::new(60106, "额度已用完")
            .with_datas(&serde_json::json!({ "left": 0 }));
        let answer = Refused::from(Status::from(business)).answer("r1");
        assert_eq!(
            (answer.http, answer.code, answer.message.as_str()),
            (200, 60106, "额度已用完")
        );
        assert_eq!(answer.datas_json, "{\"left\":0}");
    }

    #[test]
    fn an_internal_error_reveals_only_its_id() {
        let answer = Refused::Internal("secret detail".into()).answer("abc");
        assert_eq!(answer.message, "服务出错了，请稍后再试（编号 abc）");
        assert_eq!(Refused::SignIn.answer("r").message, "请登录");
    }
}
