//! Request signatures `d3sig/1` and encrypted reply fields `d3cred/1`, as docs/signature.md defines them.
//!
//! Three kinds: `D` in a form body, `D` in a GET query, the header `md5` beside a JSON body. Both sides stand here:
//! [`sign_pairs`] and [`sign_json`] for clients, [`Sealed`] and [`Mac`] for the server, which checks in steps because
//! the gateway answers each failed step in its own way.
//!
//! Cost of one check: a few HMAC-SHA256 blocks, one AES-GCM block pair and one SHA-256 over the body; memory: the
//! canonical form, at most three times the body.

mod canonical;
mod credential;
mod keys;
mod mac;
mod sealed;

pub use canonical::{Pair, canonical, digest, encode, parse_pairs};
pub use credential::{decrypt_credential, encrypt_credential};
pub use mac::{Mac, sign_json};
pub use sealed::{Opened, Sealed, sign_pairs};

/// Longest `D` that is looked at, in characters.
pub const MAX_D: usize = 512;
/// Longest value of the header `md5` that is looked at, in characters.
pub const MAX_MD5: usize = 256;
/// Longest key id, in characters.
pub const MAX_KID: usize = 64;
/// Bytes of `s`, which is nonce and HKDF salt in one.
pub const SALT_BYTES: usize = 16;

/// Fresh random bytes for each request.
pub type Salt = [u8; SALT_BYTES];

/// Why a signature is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("signature is malformed")]
    Malformed,
    #[error("signature does not fit")]
    Mismatch,
}

/// The key of a client.
#[derive(Clone, Copy)]
pub struct ClientKey<'a> {
    pub client_id: &'a str,
    pub secret: &'a str,
    pub kid: &'a str,
}

/// What a signature is bound to beside the parameters.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// `GET` or `POST`, upper case.
    pub method: &'a str,
    /// Path of the address without its query, as it stands on the wire.
    pub path: &'a str,
    /// Bearer token that the request carries; empty without one.
    pub token: &'a str,
}

/// Fresh salt from the operating system's generator.
pub fn fresh_salt() -> Salt {
    rand::random()
}

/// Equality in time that does not depend on where two texts differ (their lengths may show).
pub fn same(a: &str, b: &str) -> bool {
    use subtle::ConstantTimeEq;
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// Lower-case hex SHA-256 of a bearer token; `-` without one.
pub fn token_hash(token: &str) -> String {
    if token.is_empty() {
        return "-".to_owned();
    }
    keys::sha256_hex(token.as_bytes())
}

/// Whether a text can be a key id: letters, digits, `-` and `_`.
fn is_kid(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_KID
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}
