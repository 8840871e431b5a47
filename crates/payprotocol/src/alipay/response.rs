//! Responses: `{"alipay_trade_query_response":{…},"sign":"…"}`. The signature covers the text of the inner object as it
//! was sent, so it is cut out and never serialised again.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::{PrivateKey, ProtocolError, PublicKey};

const ERROR: &str = "error_response";

fn name(method: &str) -> String {
    format!("{}_response", method.replace('.', "_"))
}

/// The inner object of a response to `method`, its signature verified.
pub fn read(body: &[u8], method: &str, key: &PublicKey) -> Result<Value, ProtocolError> {
    let parts: BTreeMap<String, &RawValue> =
        serde_json::from_slice(body).map_err(|_| ProtocolError::Malformed("answer is no JSON"))?;
    let inner = parts
        .get(&name(method))
        .or_else(|| parts.get(ERROR))
        .ok_or(ProtocolError::Malformed("answer to something else"))?;
    let sign: String = match parts.get("sign") {
        Some(sign) => serde_json::from_str(sign.get())
            .map_err(|_| ProtocolError::Malformed("sign is no text"))?,
        None => return Err(ProtocolError::Signature),
    };
    key.verify(inner.get().as_bytes(), &sign)?;
    serde_json::from_str(inner.get()).map_err(|_| ProtocolError::Malformed("answer is no JSON"))
}

/// Whether a response reports that the request was not signed with the key registered at Alipay. Its own signature is
/// not verified: it only selects which of our keys to sign with.
pub fn refuses_signature(body: &[u8], method: &str) -> bool {
    let Ok(reply) = serde_json::from_slice::<Value>(body) else {
        return false;
    };
    let inner = reply.get(name(method)).or_else(|| reply.get(ERROR));
    inner.and_then(|inner| inner.get("sub_code")) == Some(&Value::from("isv.invalid-signature"))
}

/// Serialises a response; `method` is empty when the request did not name a known one.
pub fn write(method: &str, inner: &Value, key: &PrivateKey) -> Result<String, ProtocolError> {
    let name = match method {
        "" => ERROR.to_owned(),
        method => name(method),
    };
    let inner = inner.to_string();
    let sign = Value::from(key.sign(inner.as_bytes())?);
    Ok(format!("{{{}:{inner},\"sign\":{sign}}}", Value::from(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::tests::keys;
    use proptest::prelude::*;

    const QUERY: &str = "alipay.trade.query";

    #[test]
    fn the_raw_text_is_what_counts() {
        let (key, _) = keys();
        let public = key.public().unwrap();
        // Spaces, order and escapes that no serialiser would reproduce, and braces within strings.
        let inner = "{ \"code\" : \"10000\",\"a\":\"}{\\u4e2d\\/\\\"\",\"z\":1.0 }";
        let sign = key.sign(inner.as_bytes()).unwrap();
        let first = format!("{{\"sign\":\"{sign}\",\"alipay_trade_query_response\":{inner}}}");
        let last = format!("{{\"alipay_trade_query_response\":{inner} , \"sign\": \"{sign}\"}}");
        for body in [first, last] {
            let read = read(body.as_bytes(), QUERY, &public).unwrap();
            assert_eq!(read["a"], "}{中/\"");
            let spaced = body.replace("\"code\" :", "\"code\":");
            assert_eq!(
                super::read(spaced.as_bytes(), QUERY, &public),
                Err(ProtocolError::Signature)
            );
            assert!(super::read(body.as_bytes(), "alipay.trade.close", &public).is_err());
        }
    }

    #[test]
    fn a_refused_signature_is_detected_signed_or_not() {
        let refusal = serde_json::json!({"code": "40002", "sub_code": "isv.invalid-signature"});
        for method in [QUERY, ""] {
            let body = write(method, &refusal, &keys().0).unwrap();
            assert!(refuses_signature(body.as_bytes(), QUERY));
        }
        for body in [
            "",
            "{}",
            "[]",
            "{\"error_response\":{\"sub_code\":\"isv.invalid-app-id\"}}",
        ] {
            assert!(!refuses_signature(body.as_bytes(), QUERY), "{body}");
        }
    }

    #[test]
    fn an_unsigned_answer_is_not_believed() {
        let public = keys().0.public().unwrap();
        for body in [
            "{\"alipay_trade_query_response\":{\"code\":\"10000\"}}",
            "{\"alipay_trade_query_response\":{},\"sign\":null}",
            "{\"error_response\":{\"code\":\"20000\"},\"sign\":\"\"}",
            "[]",
            "",
        ] {
            assert!(read(body.as_bytes(), QUERY, &public).is_err(), "{body}");
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(text in ".*") {
            let (key, other) = keys();
            let inner = serde_json::json!({"code": "10000", "text": text});
            let written = write(QUERY, &inner, key).unwrap();
            prop_assert_eq!(read(written.as_bytes(), QUERY, &key.public().unwrap()).unwrap(), inner);
            prop_assert!(read(written.as_bytes(), QUERY, &other.public().unwrap()).is_err());
        }

        #[test]
        fn any_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400), text in "[{}\":,a-z\\[\\]]*") {
            let public = keys().0.public().unwrap();
            prop_assert!(read(&bytes, QUERY, &public).is_err());
            prop_assert!(read(text.as_bytes(), QUERY, &public).is_err());
        }
    }
}
