//! `D`: time and digest of the parameters, sealed with AES-256-GCM and bound to method, path, client and token.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::{
    ClientKey, Error, MAX_D, Request, SALT_BYTES, Salt, digest, is_kid, keys, same, token_hash,
};

/// Length of the authentication tag in bytes.
const TAG_BYTES: usize = 16;
/// Hex digits of a SHA-256.
const DIGEST_CHARS: usize = 64;

/// AES-256-GCM with key and nonce taken from 44 bytes of key material.
pub(crate) fn seal(okm: &[u8; 44], aad: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error> {
    let (cipher, nonce) = cipher(okm)?;
    let payload = Payload { msg: plain, aad };
    cipher
        .encrypt(&nonce, payload)
        .map_err(|_| Error::Malformed)
}

pub(crate) fn open(okm: &[u8; 44], aad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
    let (cipher, nonce) = cipher(okm)?;
    let payload = Payload { msg: sealed, aad };
    cipher.decrypt(&nonce, payload).map_err(|_| Error::Mismatch)
}

fn cipher(okm: &[u8; 44]) -> Result<(Aes256Gcm, Nonce<aes_gcm::aead::consts::U12>), Error> {
    let (key, nonce) = okm.split_at(32);
    let key = Key::<Aes256Gcm>::try_from(key).map_err(|_| Error::Malformed)?;
    let nonce = Nonce::try_from(nonce).map_err(|_| Error::Malformed)?;
    Ok((Aes256Gcm::new(&key), nonce))
}

/// `1.{kid}.{base64url(salt ‖ sealed)}`.
pub(crate) fn write_token(kid: &str, salt: &Salt, sealed: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(SALT_BYTES + sealed.len());
    bytes.extend_from_slice(salt);
    bytes.extend_from_slice(sealed);
    format!("1.{kid}.{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// Parses `1.{kid}.{base64url(salt ‖ sealed)}`.
pub(crate) fn read_token(text: &str) -> Result<(&str, Salt, Vec<u8>), Error> {
    let mut parts = text.split('.');
    let (Some("1"), Some(kid), Some(data), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(Error::Malformed);
    };
    if !is_kid(kid) {
        return Err(Error::Malformed);
    }
    let bytes = URL_SAFE_NO_PAD.decode(data).map_err(|_| Error::Malformed)?;
    let Some((salt, sealed)) = bytes.split_first_chunk::<SALT_BYTES>() else {
        return Err(Error::Malformed);
    };
    if sealed.len() < TAG_BYTES {
        return Err(Error::Malformed);
    }
    Ok((kid, *salt, sealed.to_vec()))
}

fn sealing_key(key: &ClientKey, salt: &Salt) -> [u8; 44] {
    let info = [
        b"d3sig/1/enc\n",
        key.client_id.as_bytes(),
        b"\n",
        key.kid.as_bytes(),
    ];
    keys::derive(key.secret, salt, &info)
}

fn binding(key: &ClientKey, request: &Request) -> Vec<u8> {
    let text = format!(
        "d3sig/1\n{}\n{}\n{}\n{}",
        request.method,
        request.path,
        key.client_id,
        token_hash(request.token)
    );
    text.into_bytes()
}

/// The value of `D` for a form body, or for a GET query (then `form` is empty).
///
/// `timestamp_ms` is Unix time; `salt` must be fresh for each request.
pub fn sign_pairs<N: AsRef<str>, V: AsRef<str>>(
    key: &ClientKey,
    request: &Request,
    query: &[(N, V)],
    form: &[(N, V)],
    timestamp_ms: i64,
    salt: &Salt,
) -> Result<String, Error> {
    if !is_kid(key.kid) {
        return Err(Error::Malformed);
    }
    let plain = format!("{timestamp_ms}\n{}", digest(query, form));
    let sealed = seal(
        &sealing_key(key, salt),
        &binding(key, request),
        plain.as_bytes(),
    )?;
    Ok(write_token(key.kid, salt, &sealed))
}

/// A `D` as received, not yet opened.
#[derive(Debug, Clone)]
pub struct Sealed<'a> {
    kid: &'a str,
    salt: Salt,
    sealed: Vec<u8>,
}

/// The content of an authentic `D`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Unix time of signing by the client's clock.
    pub timestamp_ms: i64,
    /// `s`: must be unique within the lifetime of a signature.
    pub nonce: Salt,
    digest: String,
}

impl<'a> Sealed<'a> {
    /// Errors: [`Error::Malformed`] if it is longer than [`MAX_D`] or not of the form `1.{kid}.{base64url}`.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        if text.len() > MAX_D {
            return Err(Error::Malformed);
        }
        let (kid, salt, sealed) = read_token(text)?;
        Ok(Self { kid, salt, sealed })
    }

    /// Id of the key it claims to be sealed with.
    pub fn kid(&self) -> &'a str {
        self.kid
    }

    /// Opens it with the key that its `kid` names.
    /// Errors: [`Error::Mismatch`] if it was made for another key, method, path, client or token.
    pub fn open(&self, key: &ClientKey, request: &Request) -> Result<Opened, Error> {
        let plain = open(
            &sealing_key(key, &self.salt),
            &binding(key, request),
            &self.sealed,
        )?;
        let text = String::from_utf8(plain).map_err(|_| Error::Malformed)?;
        let (time, digest) = text.split_once('\n').ok_or(Error::Malformed)?;
        if digest.len() != DIGEST_CHARS {
            return Err(Error::Malformed);
        }
        Ok(Opened {
            timestamp_ms: read_time(time)?,
            nonce: self.salt,
            digest: digest.to_owned(),
        })
    }
}

impl Opened {
    /// Whether it was made for these parameters, in constant time.
    pub fn fits<N: AsRef<str>, V: AsRef<str>>(&self, query: &[(N, V)], form: &[(N, V)]) -> bool {
        same(&digest(query, form), &self.digest)
    }
}

/// Unix milliseconds in decimal digits, nothing else.
pub(crate) fn read_time(text: &str) -> Result<i64, Error> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Error::Malformed);
    }
    text.parse().map_err(|_| Error::Malformed)
}
