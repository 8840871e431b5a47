//! Random values and their hashes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chassis::rights::PSEUDONYM;
use rand::RngExt;
use sha2::{Digest, Sha256};

/// 32 random bytes as base64url text of 43 characters.
pub fn token() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// 16 random bytes as base64url text of 22 characters.
pub fn id() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>())
}

/// 'u' and 16 hex digits.
pub fn login_id() -> String {
    format!("u{}", hex::encode(rand::random::<[u8; 8]>()))
}

/// Replaces the login id of a closed account: 'x' and 16 hex digits.
pub fn pseudonym() -> String {
    format!("{PSEUDONYM}{}", hex::encode(rand::random::<[u8; 8]>()))
}

/// 10 digits, the first not 0.
pub fn account_number() -> String {
    rand::rng()
        .random_range(1_000_000_000_u64..10_000_000_000)
        .to_string()
}

/// 6 digits.
pub fn sms_code() -> String {
    format!("{:06}", rand::rng().random_range(0..1_000_000_u32))
}

/// 4 groups of 5 letters and digits that do not look alike.
pub fn recovery_code() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut rng = rand::rng();
    let mut code = String::with_capacity(23);
    for place in 0..20 {
        if place > 0 && place % 5 == 0 {
            code.push('-');
        }
        code.push(char::from(LETTERS[rng.random_range(0..LETTERS.len())]));
    }
    code
}

/// Lower-case hex SHA-256.
pub fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}
