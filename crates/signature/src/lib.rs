//! Request signatures `d3sig/1` and encrypted response fields `d3cred/1`, as specified in docs/signature.md.
//! Three kinds: `D` in a form body, `D` in a GET query, the header `md5` beside a JSON body. Both sides are here:
//! [`sign_pairs`] and [`sign_json`] for clients, [`Sealed`] and [`Mac`] for the server, which verifies step by step
//! because the gateway responds differently to each failed step.
//! Cost of one verification: a few HMAC-SHA256 blocks, one AES-GCM block pair and one SHA-256 over the body; memory:
//! the canonical form, at most three times the body.

mod canonical;
mod credential;
mod keys;
mod mac;
mod sealed;

pub use canonical::{Pair, canonical, digest, encode, parse_pairs};
pub use credential::{decrypt_credential, encrypt_credential};
pub use mac::{Mac, sign_json};
pub use sealed::{Opened, Sealed, sign_pairs};

/// Longest accepted `D`, in characters.
pub const MAX_D: usize = 512;
/// Longest accepted `md5` header value, in characters.
pub const MAX_MD5: usize = 256;
/// Longest key id, in characters.
pub const MAX_KID: usize = 64;
/// Bytes of `s`, which is both nonce and HKDF salt.
pub const SALT_BYTES: usize = 16;

/// Fresh random bytes for each request.
pub type Salt = [u8; SALT_BYTES];

/// Why a signature is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("signature is malformed")]
    Malformed,
    #[error("signature does not match")]
    Mismatch,
}

/// The key of a client.
#[derive(Clone, Copy)]
pub struct ClientKey<'a> {
    pub client_id: &'a str,
    pub secret: &'a str,
    pub kid: &'a str,
}

/// What a signature is bound to besides the parameters.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Method in upper case, `GET` or `POST`.
    pub method: &'a str,
    /// Path of the URL without its query, as sent on the wire.
    pub path: &'a str,
    /// Bearer token of the request; empty if there is none.
    pub token: &'a str,
}

/// A fresh salt from the operating system's random generator.
pub fn fresh_salt() -> Salt {
    rand::random()
}

/// Constant-time comparison (the lengths may leak).
pub fn same(a: &str, b: &str) -> bool {
    use subtle::ConstantTimeEq;
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// Lower-case hex SHA-256 of a bearer token; `-` if there is none.
pub fn token_hash(token: &str) -> String {
    if token.is_empty() {
        return "-".to_owned();
    }
    keys::sha256_hex(token.as_bytes())
}

/// Whether a text is a valid key id: letters, digits, `-` and `_`.
fn is_kid(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_KID
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}
