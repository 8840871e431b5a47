//! Name-value pairs: parsing them from the wire, and their canonical form for signing.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};

use crate::Error;

/// A decoded name with its decoded value.
pub type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The pair that carries the signature; excluded from what is signed.
const SIGNATURE: &str = "D";

/// RFC 3986: only unreserved characters stay.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// `enc(x)`: percent-encoding of the UTF-8 bytes; only `A-Z a-z 0-9 - . _ ~` stay.
pub fn encode(text: &str) -> Cow<'_, str> {
    utf8_percent_encode(text, RESERVED).into()
}

/// `C(p)`: the pairs without `D`, encoded, sorted by name and value, joined `name=value` with `&`.
pub fn canonical<'a, N, V>(pairs: impl IntoIterator<Item = &'a (N, V)>) -> String
where
    N: AsRef<str> + 'a,
    V: AsRef<str> + 'a,
{
    let mut encoded: Vec<(Cow<'a, str>, Cow<'a, str>)> = Vec::new();
    for (name, value) in pairs {
        if name.as_ref() != SIGNATURE {
            encoded.push((encode(name.as_ref()), encode(value.as_ref())));
        }
    }
    encoded.sort_unstable();
    let mut length = 0;
    for (name, value) in &encoded {
        length += name.len() + value.len() + 2;
    }
    let mut text = String::with_capacity(length);
    for (name, value) in &encoded {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(name);
        text.push('=');
        text.push_str(value);
    }
    text
}

/// Lower-case hex SHA-256 of `C(query) + "\n" + C(form)`.
pub fn digest<N: AsRef<str>, V: AsRef<str>>(query: &[(N, V)], form: &[(N, V)]) -> String {
    let mut text = canonical(query);
    text.push('\n');
    text.push_str(&canonical(form));
    crate::keys::sha256_hex(text.as_bytes())
}

/// Parses `application/x-www-form-urlencoded` text (a form body or a query) into pairs, in wire order.
/// `+` decodes to a space, empty parts are skipped, a part without `=` has an empty value. Errors: [`Error::Malformed`]
/// when a decoded name or value is not UTF-8.
pub fn parse_pairs(text: &[u8]) -> Result<Vec<Pair<'_>>, Error> {
    let mut pairs = Vec::new();
    for part in text.split(|b| *b == b'&') {
        if part.is_empty() {
            continue;
        }
        let mut halves = part.splitn(2, |b| *b == b'=');
        let name = decode(halves.next().unwrap_or_default())?;
        let value = decode(halves.next().unwrap_or_default())?;
        pairs.push((name, value));
    }
    Ok(pairs)
}

fn decode(text: &[u8]) -> Result<Cow<'_, str>, Error> {
    if text.contains(&b'+') {
        let spaced: Vec<u8> = text
            .iter()
            .map(|b| if *b == b'+' { b' ' } else { *b })
            .collect();
        let decoded = percent_decode(&spaced)
            .decode_utf8()
            .map_err(|_| Error::Malformed)?;
        return Ok(Cow::Owned(decoded.into_owned()));
    }
    percent_decode(text)
        .decode_utf8()
        .map_err(|_| Error::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_as_browsers_write_them() {
        let pairs = parse_pairs(b"a=1+2&b=%E7%8E%AF&&c&d=x=y&=z").unwrap();
        let plain: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(n, v)| (n.as_ref(), v.as_ref()))
            .collect();
        assert_eq!(
            plain,
            [
                ("a", "1 2"),
                ("b", "环"),
                ("c", ""),
                ("d", "x=y"),
                ("", "z")
            ]
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert_eq!(parse_pairs(b"a=%FF"), Err(Error::Malformed));
        assert_eq!(parse_pairs(b"a=+%C3"), Err(Error::Malformed));
    }

    #[test]
    fn order_of_the_wire_does_not_matter_and_d_is_left_out() {
        let one = canonical(&[("b", "2"), ("a", "~*"), ("a", ""), ("D", "x")]);
        let other = canonical(&[("a", ""), ("D", "y"), ("b", "2"), ("a", "~*")]);
        assert_eq!(one, "a=&a=~%2A&b=2");
        assert_eq!(one, other);
    }
}
