//! The header `md5` beside a JSON body: a keyed MD5 over parts of the request and the body's SHA-256.

use hmac::{Hmac, KeyInit, Mac as _};
use md5::Md5;

use crate::sealed::read_time;
use crate::{
    ClientKey, Error, MAX_MD5, Request, SALT_BYTES, Salt, canonical, is_kid, keys, token_hash,
};

/// Length of an MD5 in bytes.
const MD5_BYTES: usize = 16;

fn mac_of<N: AsRef<str>, V: AsRef<str>>(
    key: &ClientKey,
    request: &Request,
    query: &[(N, V)],
    body: &[u8],
    timestamp_ms: i64,
    salt: &Salt,
) -> Result<Hmac<Md5>, Error> {
    let info = [
        b"d3sig/1/md5\n",
        key.client_id.as_bytes(),
        b"\n",
        key.kid.as_bytes(),
    ];
    let secret: [u8; 32] = keys::derive(key.secret, salt, &info);
    let mut mac = Hmac::<Md5>::new_from_slice(&secret).map_err(|_| Error::Malformed)?;
    let message = format!(
        "d3sig/1\n{}\n{}\n{}\n{}\n{}\n{timestamp_ms}\n{}",
        request.method,
        request.path,
        canonical(query),
        key.client_id,
        token_hash(request.token),
        keys::sha256_hex(body)
    );
    mac.update(message.as_bytes());
    Ok(mac)
}

/// The value of the header `md5` for a JSON body, computed over the bytes as sent.
pub fn sign_json<N: AsRef<str>, V: AsRef<str>>(
    key: &ClientKey,
    request: &Request,
    query: &[(N, V)],
    body: &[u8],
    timestamp_ms: i64,
    salt: &Salt,
) -> Result<String, Error> {
    if !is_kid(key.kid) {
        return Err(Error::Malformed);
    }
    let mac = mac_of(key, request, query, body, timestamp_ms, salt)?;
    Ok(format!(
        "1.{}.{timestamp_ms}.{}.{}",
        key.kid,
        hex::encode(salt),
        hex::encode(mac.finalize().into_bytes())
    ))
}

/// A header `md5` as received, not yet verified.
#[derive(Debug, Clone)]
pub struct Mac<'a> {
    kid: &'a str,
    timestamp_ms: i64,
    salt: Salt,
    value: [u8; MD5_BYTES],
}

impl<'a> Mac<'a> {
    /// Errors: [`Error::Malformed`] if it is longer than [`MAX_MD5`] or not of the form
    /// `1.{kid}.{timestamp_ms}.{hex s}.{hex mac}` (lower-case hex).
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        if text.len() > MAX_MD5 {
            return Err(Error::Malformed);
        }
        let mut parts = text.split('.');
        let (Some("1"), Some(kid), Some(time), Some(salt), Some(value), None) = (
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
        ) else {
            return Err(Error::Malformed);
        };
        if !is_kid(kid) {
            return Err(Error::Malformed);
        }
        Ok(Self {
            kid,
            timestamp_ms: read_time(time)?,
            salt: bytes_of_hex::<SALT_BYTES>(salt)?,
            value: bytes_of_hex::<MD5_BYTES>(value)?,
        })
    }

    /// Id of the key it claims to be signed with.
    pub fn kid(&self) -> &'a str {
        self.kid
    }

    /// Unix time of signing in milliseconds; to be trusted only after [`Mac::verify`].
    pub fn timestamp_ms(&self) -> i64 {
        self.timestamp_ms
    }

    /// `s`: must be unique within the lifetime of a signature.
    pub fn nonce(&self) -> Salt {
        self.salt
    }

    /// Verifies it against the request and its raw body, in constant time.
    pub fn verify<N: AsRef<str>, V: AsRef<str>>(
        &self,
        key: &ClientKey,
        request: &Request,
        query: &[(N, V)],
        body: &[u8],
    ) -> Result<(), Error> {
        let mac = mac_of(key, request, query, body, self.timestamp_ms, &self.salt)?;
        mac.verify_slice(&self.value).map_err(|_| Error::Mismatch)
    }
}

fn bytes_of_hex<const N: usize>(text: &str) -> Result<[u8; N], Error> {
    if text.bytes().any(|b| b.is_ascii_uppercase()) {
        return Err(Error::Malformed);
    }
    let mut bytes = [0u8; N];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| Error::Malformed)?;
    Ok(bytes)
}
