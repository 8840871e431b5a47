//! AES-256-GCM with the merchant's APIv3 key: the content of notifications and certificates.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::ProtocolError;

/// The APIv3 key: 32 bytes. Its `Debug` reveals nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey([u8; 32]);

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ApiKey")
    }
}

impl ApiKey {
    /// Errors: not 32 bytes.
    pub fn read(text: &str) -> Result<Self, ProtocolError> {
        let bytes = text.as_bytes().try_into();
        Ok(Self(bytes.map_err(|_| {
            ProtocolError::Key("the APIv3 key has 32 bytes")
        })?))
    }

    fn cipher(&self) -> Result<LessSafeKey, ProtocolError> {
        let key = UnboundKey::new(&AES_256_GCM, &self.0);
        Ok(LessSafeKey::new(
            key.map_err(|_| ProtocolError::Key("APIv3 key"))?,
        ))
    }
}

fn nonce(text: &str) -> Result<Nonce, ProtocolError> {
    Nonce::try_assume_unique_for_key(text.as_bytes())
        .map_err(|_| ProtocolError::Malformed("nonce of another length than 12"))
}

/// Returns ciphertext and tag in base64. `nonce_text`: 12 bytes, never reused with the same key.
pub fn encrypt(
    key: &ApiKey,
    nonce_text: &str,
    associated: &str,
    content: &[u8],
) -> Result<String, ProtocolError> {
    let mut text = content.to_vec();
    key.cipher()?
        .seal_in_place_append_tag(nonce(nonce_text)?, Aad::from(associated), &mut text)
        .map_err(|_| ProtocolError::Malformed("too long"))?;
    Ok(STANDARD.encode(text))
}

/// Errors: the data was tampered with, or encrypted with another key.
pub fn decrypt(
    key: &ApiKey,
    nonce_text: &str,
    associated: &str,
    ciphertext: &str,
) -> Result<Vec<u8>, ProtocolError> {
    let mut text = STANDARD
        .decode(ciphertext)
        .map_err(|_| ProtocolError::Malformed("ciphertext is no base64"))?;
    let opened = key
        .cipher()?
        .open_in_place(nonce(nonce_text)?, Aad::from(associated), &mut text)
        .map_err(|_| ProtocolError::Malformed("ciphertext does not open"))?;
    Ok(opened.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn every_part_is_bound() {
        let key = ApiKey::read(KEY).unwrap();
        let sealed = encrypt(&key, "abcdefghijkl", "transaction", b"{}").unwrap();
        assert_eq!(
            decrypt(&key, "abcdefghijkl", "transaction", &sealed).unwrap(),
            b"{}"
        );
        let other = ApiKey::read(&KEY.replace('0', "1")).unwrap();
        assert!(decrypt(&other, "abcdefghijkl", "transaction", &sealed).is_err());
        assert!(decrypt(&key, "abcdefghijkm", "transaction", &sealed).is_err());
        assert!(decrypt(&key, "abcdefghijk", "transaction", &sealed).is_err());
        assert!(decrypt(&key, "abcdefghijkl", "refund", &sealed).is_err());
        assert!(decrypt(&key, "abcdefghijkl", "transaction", &sealed[4..]).is_err());
        assert!(ApiKey::read("short").is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_refused(nonce in ".{0,14}", associated in ".*", text in ".*") {
            let key = ApiKey::read(KEY).unwrap();
            prop_assert!(decrypt(&key, &nonce, &associated, &text).is_err());
        }
    }
}
