//! Alipay's side: verifying requests and signing messages.

use serde_json::Value;

use super::{Dialect, Params, encode, read_form, sign, text, verify};
use crate::{PrivateKey, ProtocolError, PublicKey};

/// A request whose signature was verified.
#[derive(Debug, Clone)]
pub struct Request {
    pub params: Params,
    /// The object in `biz_content`.
    pub content: Value,
}

impl Request {
    /// A parameter; empty if missing.
    pub fn param(&self, name: &str) -> &str {
        text(&self.params, name)
    }

    /// A string field of `biz_content`; empty if missing.
    pub fn text(&self, name: &str) -> &str {
        self.content
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// An amount of `biz_content` as text: clients send `"2.30"` or the number 2.3. Empty if missing.
    pub fn amount(&self, name: &str) -> String {
        match self.content.get(name) {
            Some(Value::Number(number)) => number.to_string(),
            _ => self.text(name).to_owned(),
        }
    }
}

/// Merges the parameters of query and body; clients use either or both.
pub fn read_params(query: &str, body: &[u8]) -> Result<Params, ProtocolError> {
    let mut params = read_form(query.as_bytes())?;
    for (name, value) in read_form(body)? {
        // The form repeats the `charset` of its URL.
        if let Some(before) = params.insert(name, value.clone())
            && before != value
        {
            return Err(ProtocolError::Malformed("a parameter twice"));
        }
    }
    Ok(params)
}

/// Verifies a request against the key of the application that it names.
pub fn verify_request(params: Params, key: &PublicKey) -> Result<Request, ProtocolError> {
    verify(&params, Dialect::Request, key)?;
    let content: Value = serde_json::from_str(text(&params, "biz_content"))
        .map_err(|_| ProtocolError::Malformed("biz_content is no JSON"))?;
    if !content.is_object() {
        return Err(ProtocolError::Malformed("biz_content is no object"));
    }
    Ok(Request { params, content })
}

/// The body of a notification.
pub fn notification(params: Params, key: &PrivateKey) -> Result<String, ProtocolError> {
    Ok(encode(&sign(params, Dialect::Notice, key)?))
}

/// Where the browser returns to: the merchant's URL with signed parameters.
pub fn return_address(
    return_url: &str,
    params: Params,
    key: &PrivateKey,
) -> Result<String, ProtocolError> {
    let joint = if return_url.contains('?') { '&' } else { '?' };
    let signed = sign(params, Dialect::Notice, key)?;
    Ok(format!("{return_url}{joint}{}", encode(&signed)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_amount_is_text_or_a_number() {
        let content = json!({"text": "2.30", "number": 2.30, "whole": 5, "other": true});
        let request = Request {
            params: Params::new(),
            content,
        };
        let read = ["text", "number", "whole", "other", "missing"].map(|name| request.amount(name));
        assert_eq!(read, ["2.30", "2.3", "5", "", ""]);
    }
}
