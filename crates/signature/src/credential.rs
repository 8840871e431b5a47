//! `d3cred/1`: a response field, encrypted for the session that requested it.

use crate::sealed::{open, read_token, seal, write_token};
use crate::{Error, Salt, is_kid, keys};

/// Key and additional data for one field, token and user.
fn key_and_binding(
    token: &str,
    client_id: &str,
    kid: &str,
    salt: &Salt,
    field: &str,
    user_id: &str,
) -> ([u8; 44], Vec<u8>) {
    let info = [
        b"d3cred/1\n".as_slice(),
        client_id.as_bytes(),
        b"\n",
        kid.as_bytes(),
    ];
    let okm = keys::derive(token, salt, &info);
    (okm, format!("d3cred/1\n{field}\n{user_id}").into_bytes())
}

/// Encrypts one field for the holder of `token`, as `1.{kid}.{base64url(s ‖ ciphertext ‖ tag)}`.
/// `field` is the JSON name (for example `securityToken`), `user_id` the caller's login id.
pub fn encrypt_credential(
    token: &str,
    client_id: &str,
    kid: &str,
    field: &str,
    user_id: &str,
    plain: &str,
    salt: &Salt,
) -> Result<String, Error> {
    if !is_kid(kid) {
        return Err(Error::Malformed);
    }
    let (okm, aad) = key_and_binding(token, client_id, kid, salt, field, user_id);
    let sealed = seal(&okm, &aad, plain.as_bytes())?;
    Ok(write_token(kid, salt, &sealed))
}

/// Decrypts a field made by [`encrypt_credential`].
/// Errors: [`Error::Mismatch`] if it was made for another token, client, field or user.
pub fn decrypt_credential(
    token: &str,
    client_id: &str,
    field: &str,
    user_id: &str,
    value: &str,
) -> Result<String, Error> {
    let (kid, salt, sealed) = read_token(value)?;
    let (okm, aad) = key_and_binding(token, client_id, kid, &salt, field, user_id);
    let plain = open(&okm, &aad, &sealed)?;
    String::from_utf8(plain).map_err(|_| Error::Malformed)
}
