//! Parses an `imgUrl`, which may only name an object of the caller in our store. It is parsed as text and never fetched.

use chassis::BusinessError;

/// Key of an object below the owner's prefix: the address is `bucket/key`, with or without the store's address before it. Query
/// parameters of a signature are ignored.
pub fn own_key(
    address: &str,
    public_address: &str,
    bucket: &str,
    owner: &str,
) -> Result<String, BusinessError> {
    let wrong = || BusinessError::invalid("图片地址不正确，请重新上传");
    let address = address.trim();
    let key = match address.strip_prefix(public_address.trim_end_matches('/')) {
        Some(path) if !public_address.is_empty() => {
            let path = path.split(['?', '#']).next().unwrap_or_default();
            let key = path
                .strip_prefix('/')
                .and_then(|path| path.strip_prefix(bucket));
            let key = key
                .and_then(|key| key.strip_prefix('/'))
                .ok_or_else(wrong)?;
            decoded(key).ok_or_else(wrong)?
        }
        _ => {
            let (named, key) = address.split_once('/').ok_or_else(wrong)?;
            if named != bucket {
                return Err(wrong());
            }
            key.to_owned()
        }
    };
    match chassis::uploads::is_own(owner, &key) {
        true => Ok(key),
        false => Err(wrong()),
    }
}

/// Percent-decoded, once.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}
