//! Keys derived from a secret and the request's salt.

use hkdf::Hkdf;
use sha2::{Digest, Sha256};

use crate::Salt;

/// HKDF-SHA256 with the salt `s`; `info` is the concatenation of its parts.
pub fn derive<const N: usize>(secret: &str, salt: &Salt, info: &[&[u8]]) -> [u8; N] {
    let mut out = [0u8; N];
    // The only error is a request for more than 255 blocks; ours need at most two.
    let _ = Hkdf::<Sha256>::new(Some(salt), secret.as_bytes()).expand_multi_info(info, &mut out);
    out
}

pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
