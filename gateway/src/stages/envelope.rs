//! The envelope `{resp_code, resp_msg, datas}`, the same for every response.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use bytes::Bytes;
use proto::code::NOTED;

use crate::refused::{Answer, Refused};
use crate::transcode::reply::{Reader, ReplyPlan, write_text};

/// Message of every success.
const SUCCESS: &str = "成功";

/// `resp_code` and the envelope of a successful call.
pub fn success(
    code: i32,
    plan: &ReplyPlan,
    reply: Bytes,
    reader: Option<&Reader>,
) -> Result<(i32, Vec<u8>), Refused> {
    let mut out = Vec::with_capacity(reply.len() * 2 + 64);
    let reply = plan.decode(reply)?;
    let note = plan.note(&reply);
    let (code, message) = match &note {
        Some(note) => (NOTED, note.as_str()),
        None => (code, SUCCESS),
    };
    begin(code, message, &mut out);
    plan.write(&reply, reader, &mut out)?;
    out.push(b'}');
    Ok((code, out))
}

/// The envelope of a refused request.
pub fn refusal(answer: &Answer) -> Vec<u8> {
    let mut out = Vec::with_capacity(answer.message.len() + answer.datas_json.len() + 64);
    begin(answer.code, &answer.message, &mut out);
    // This text comes from a service; invalid JSON would break the whole envelope.
    let datas = answer.datas_json.as_str();
    if serde_json::from_str::<serde::de::IgnoredAny>(datas).is_ok() {
        out.extend_from_slice(datas.as_bytes());
    } else {
        out.extend_from_slice(b"null");
    }
    out.push(b'}');
    out
}

fn begin(code: i32, message: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"resp_code\":");
    out.extend_from_slice(code.to_string().as_bytes());
    out.extend_from_slice(b",\"resp_msg\":");
    write_text(message, out);
    out.extend_from_slice(b",\"datas\":");
}

/// The HTTP response with an envelope. Responses to calls are never cached by browsers or proxies.
pub fn respond(
    http: u16,
    body: Vec<u8>,
    request_id: &str,
    retry_after_s: Option<u64>,
) -> HttpResponse {
    let status = StatusCode::from_u16(http).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status)
        .insert_header((header::CONTENT_TYPE, "application/json; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(body);
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(request_id) {
        headers.insert(header::HeaderName::from_static("x-request-id"), value);
    }
    if let Some(seconds) = retry_after_s {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;
    use proto::catalogue::calls;
    use proto::order::v1::OrderInfo;

    #[test]
    fn a_note_is_the_message_of_60212_beside_the_result() {
        let call = calls().iter().find(|call| call.id == "T05").unwrap();
        let plan = ReplyPlan::of(call);
        for (note, expected, message) in
            [("", 60000, "成功"), ("已跳过：齿轮", 60212, "已跳过：齿轮")]
        {
            let reply = OrderInfo {
                order_id: "o1".to_owned(),
                note: note.to_owned(),
                ..Default::default()
            };
            let bytes = Bytes::from(reply.encode_to_vec());
            let (code, body) = success(60000, &plan, bytes, None).unwrap();
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(code, expected);
            assert_eq!(body["resp_code"], expected);
            assert_eq!(body["resp_msg"], message);
            assert_eq!(body["datas"]["orderId"], "o1");
        }
    }
}
