//! The response that each provider expects to a notification. A notification that never reaches payment is answered by the gateway
//! (`gateway/src/notify.rs`).

/// What became of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    /// What follows from it is committed.
    Committed,
    /// It is not genuine, or about no payment of ours: it is not to be sent again.
    Refused,
    /// It could not be handled now: it is to be sent again.
    Failed,
}

/// The HTTP response to a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    pub status: u16,
    /// Value of Content-Type; empty without a body.
    pub content_type: &'static str,
    pub body: String,
}

/// Alipay checks the body: exactly `success`, or it sends again.
pub fn alipay(receipt: Receipt) -> Acknowledgement {
    let (status, body) = match receipt {
        Receipt::Committed => (200, "success"),
        Receipt::Refused => (400, "fail"),
        Receipt::Failed => (503, "fail"),
    };
    Acknowledgement {
        status,
        content_type: "text/plain",
        body: body.to_owned(),
    }
}

/// WeChat Pay checks the status.
pub fn wechat(receipt: Receipt) -> Acknowledgement {
    let (status, message) = match receipt {
        Receipt::Committed => {
            return Acknowledgement {
                status: 204,
                content_type: "",
                body: String::new(),
            };
        }
        Receipt::Refused => (400, "通知未通过验证"),
        Receipt::Failed => (503, "暂时无法处理，请稍后重试"),
    };
    let body = serde_json::json!({"code": "FAIL", "message": message});
    Acknowledgement {
        status,
        content_type: "application/json; charset=utf-8",
        body: body.to_string(),
    }
}
