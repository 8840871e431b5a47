//! WeChat Pay's side: verifying requests and signing messages.

use serde_json::{Value, json};

use super::cipher::{self, ApiKey};
use super::{SCHEME, fresh, request_text};
use crate::{ProtocolError, PublicKey, clock, random_hex};

/// The header `Authorization` of a merchant's request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorization {
    pub mch_id: String,
    pub serial: String,
    nonce: String,
    timestamp: String,
    signature: String,
}

impl Authorization {
    pub fn read(header: &str) -> Result<Self, ProtocolError> {
        let wrong = ProtocolError::Malformed("Authorization");
        let rest = header.strip_prefix(SCHEME).ok_or_else(|| wrong.clone())?;
        let mut read = Self {
            mch_id: String::new(),
            serial: String::new(),
            nonce: String::new(),
            timestamp: String::new(),
            signature: String::new(),
        };
        for part in rest.trim().split(',') {
            let (name, value) = part.split_once('=').ok_or_else(|| wrong.clone())?;
            let value = value.trim().trim_matches('"').to_owned();
            match name.trim() {
                "mchid" => read.mch_id = value,
                "serial_no" => read.serial = value,
                "nonce_str" => read.nonce = value,
                "timestamp" => read.timestamp = value,
                "signature" => read.signature = value,
                _ => return Err(wrong),
            }
        }
        Ok(read)
    }

    /// Errors: a timestamp too far from now, or a signature for another request or by another key.
    pub fn verify(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
        key: &PublicKey,
        now_ms: i64,
    ) -> Result<(), ProtocolError> {
        fresh(&self.timestamp, now_ms)?;
        let text = request_text(method, path, &self.timestamp, &self.nonce, body);
        key.verify(&text, &self.signature)
    }
}

/// Content encrypted for the merchant, in the form notifications and certificates use.
pub fn sealed(associated: &str, content: &[u8], key: &ApiKey) -> Result<Value, ProtocolError> {
    // Twelve hex characters.
    let nonce = random_hex(6)?;
    Ok(json!({
        "algorithm": "AEAD_AES_256_GCM",
        "nonce": nonce,
        "associated_data": associated,
        "ciphertext": cipher::encrypt(key, &nonce, associated, content)?,
    }))
}

/// The body of a notification; `kind`: `transaction` or `refund`.
pub fn notification(
    event: &str,
    kind: &str,
    content: &Value,
    key: &ApiKey,
    now_ms: i64,
) -> Result<String, ProtocolError> {
    let mut resource = sealed(kind, content.to_string().as_bytes(), key)?;
    resource["original_type"] = kind.into();
    let id = random_hex(16)?;
    let body = json!({
        "id": id,
        "create_time": clock::wechat(now_ms),
        "resource_type": "encrypt-resource",
        "event_type": event,
        "summary": "支付通知",
        "resource": resource,
    });
    Ok(body.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::tests::keys;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_header_is_read_or_refused(text in ".*", fields in "[a-z_=\",0-9]*") {
            let _ = Authorization::read(&text);
            if let Ok(read) = Authorization::read(&format!("{SCHEME} {fields}")) {
                let key = keys().0.public().unwrap();
                prop_assert!(read.verify("GET", "/", b"", &key, 0).is_err());
            }
        }
    }
}
