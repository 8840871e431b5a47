//! WeChat Pay v3: JSON over HTTP; both sides sign timestamp, nonce and body.

pub mod cipher;
pub mod merchant;
pub mod provider;

use std::collections::BTreeMap;

use crate::{PrivateKey, ProtocolError, PublicKey};

/// Largest difference between a message's timestamp and our clock, in seconds.
pub const FRESH_S: i64 = 300;

/// Scheme of the header `Authorization`.
pub const SCHEME: &str = "WECHATPAY2-SHA256-RSA2048";

/// Header fields, names in lower case.
pub type Headers = BTreeMap<String, String>;

/// What a merchant signs of a request; `path` includes the query.
pub fn request_text(
    method: &str,
    path: &str,
    timestamp: &str,
    nonce: &str,
    body: &[u8],
) -> Vec<u8> {
    let mut text = format!("{method}\n{path}\n{timestamp}\n{nonce}\n").into_bytes();
    text.extend_from_slice(body);
    text.push(b'\n');
    text
}

/// What WeChat signs of a response or a notification.
pub fn answer_text(timestamp: &str, nonce: &str, body: &[u8]) -> Vec<u8> {
    let mut text = format!("{timestamp}\n{nonce}\n").into_bytes();
    text.extend_from_slice(body);
    text.push(b'\n');
    text
}

/// A header field; empty if missing.
pub fn header<'a>(headers: &'a Headers, name: &str) -> &'a str {
    headers.get(name).map_or("", String::as_str)
}

/// The `Wechatpay-*` header fields of a response or a notification.
pub fn sign_answer(
    body: &[u8],
    serial: &str,
    key: &PrivateKey,
    now_ms: i64,
) -> Result<Headers, ProtocolError> {
    let timestamp = now_ms.div_euclid(1000).to_string();
    let nonce = crate::random_hex(16)?;
    let signature = key.sign(&answer_text(&timestamp, &nonce, body))?;
    let fields = [
        ("wechatpay-timestamp", timestamp),
        ("wechatpay-nonce", nonce),
        ("wechatpay-signature", signature),
        ("wechatpay-serial", serial.to_owned()),
        ("wechatpay-signature-type", SCHEME.to_owned()),
    ];
    Ok(fields.map(|(name, value)| (name.to_owned(), value)).into())
}

/// WeChat's keys by serial number: for certificates in hex, for public keys `PUB_KEY_ID_…`.
pub type PlatformKeys = BTreeMap<String, PublicKey>;

/// Errors: an unknown key, a timestamp too far from now, or a signature that does not verify.
pub fn verify_answer(
    headers: &Headers,
    body: &[u8],
    keys: &PlatformKeys,
    now_ms: i64,
) -> Result<(), ProtocolError> {
    let serial = header(headers, "wechatpay-serial");
    let key = keys
        .get(serial)
        .ok_or_else(|| ProtocolError::UnknownKey(crate::trade::at_most(serial, 80).to_owned()))?;
    let timestamp = header(headers, "wechatpay-timestamp");
    fresh(timestamp, now_ms)?;
    let nonce = header(headers, "wechatpay-nonce");
    let text = answer_text(timestamp, nonce, body);
    key.verify(&text, header(headers, "wechatpay-signature"))
}

/// Checks that a timestamp (Unix seconds as text) is close enough to now.
pub fn fresh(timestamp: &str, now_ms: i64) -> Result<(), ProtocolError> {
    let signed: i64 = timestamp
        .parse()
        .map_err(|_| ProtocolError::Malformed("timestamp"))?;
    let away = now_ms.div_euclid(1000).saturating_sub(signed);
    if away.saturating_abs() > FRESH_S {
        return Err(ProtocolError::Stale(away));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::tests::keys;
    use proptest::prelude::*;

    fn platform() -> PlatformKeys {
        [("S1".to_owned(), keys().1.public().unwrap())].into()
    }

    #[test]
    fn the_texts_end_each_line() {
        let text = request_text("GET", "/v3/a?b=c", "1", "n", b"");
        assert_eq!(text, b"GET\n/v3/a?b=c\n1\nn\n\n");
        assert_eq!(answer_text("1", "n", b"{}"), b"1\nn\n{}\n");
    }

    #[test]
    fn an_answer_is_believed_only_whole_and_fresh() {
        let headers = sign_answer(b"{}", "S1", &keys().1, 1_000_000).unwrap();
        let check =
            |headers: &Headers, body: &[u8], now| verify_answer(headers, body, &platform(), now);
        check(&headers, b"{}", 1_000_000).unwrap();
        check(&headers, b"{}", 1_300_000).unwrap();
        check(&headers, b"{}", 700_000).unwrap();
        assert_eq!(
            check(&headers, b"{}", 1_301_000),
            Err(ProtocolError::Stale(301))
        );
        assert_eq!(
            check(&headers, b"{}", 699_000),
            Err(ProtocolError::Stale(-301))
        );
        assert_eq!(
            check(&headers, b"{ }", 1_000_000),
            Err(ProtocolError::Signature)
        );
        for (name, value) in [
            ("wechatpay-timestamp", "1001"),
            ("wechatpay-nonce", "other"),
            ("wechatpay-signature", "WECHATPAY/SIGNTEST/aGk="),
            ("wechatpay-serial", "S2"),
        ] {
            let mut other = headers.clone();
            other.insert(name.to_owned(), value.to_owned());
            assert!(check(&other, b"{}", 1_000_000).is_err(), "{name}");
            other.remove(name);
            assert!(check(&other, b"{}", 1_000_000).is_err(), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_headers_are_refused(
            headers in proptest::collection::btree_map("wechatpay-(serial|timestamp|nonce|signature)", "S1|-?[0-9]{0,22}|.*", 0..5),
            now in any::<i64>(),
        ) {
            prop_assert!(verify_answer(&headers, b"", &platform(), now).is_err());
        }
    }
}
