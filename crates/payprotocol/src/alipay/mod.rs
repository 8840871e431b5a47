//! Alipay's open platform: every message is a map of strings, signed as one line and sent to one URL (`gateway.do`).

pub mod merchant;
pub mod provider;
pub mod response;

use std::collections::BTreeMap;

use crate::{PrivateKey, ProtocolError, PublicKey, html};

/// Parameters, in the order in which they are signed.
pub type Params = BTreeMap<String, String>;

/// Most parameters of a message; Alipay's own have about thirty.
const MAX_PARAMS: usize = 100;

/// Which parameters are excluded from the signature, besides `sign` itself and empty ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Requests of a merchant: none.
    Request,
    /// Messages from Alipay (notifications and returns): `sign_type`.
    Notice,
}

/// The line that is signed: names sorted, values unencoded, `k=v` joined by `&`.
pub fn line(params: &Params, dialect: Dialect) -> String {
    let signed = params.iter().filter(|(name, value)| {
        let left_out = name.as_str() == "sign_type" && dialect == Dialect::Notice;
        name.as_str() != "sign" && !left_out && !value.is_empty()
    });
    let mut line = String::new();
    for (name, value) in signed {
        if !line.is_empty() {
            line.push('&');
        }
        line.push_str(name);
        line.push('=');
        line.push_str(value);
    }
    line
}

/// Adds `sign_type` and `sign`.
pub fn sign(
    mut params: Params,
    dialect: Dialect,
    key: &PrivateKey,
) -> Result<Params, ProtocolError> {
    params.insert("sign_type".to_owned(), "RSA2".to_owned());
    let sign = key.sign(line(&params, dialect).as_bytes())?;
    params.insert("sign".to_owned(), sign);
    Ok(params)
}

/// Errors: a `sign_type` other than RSA2, a missing signature, or one that does not verify.
pub fn verify(params: &Params, dialect: Dialect, key: &PublicKey) -> Result<(), ProtocolError> {
    if text(params, "sign_type") != "RSA2" {
        return Err(ProtocolError::Malformed("sign_type is not RSA2"));
    }
    key.verify(line(params, dialect).as_bytes(), text(params, "sign"))
}

/// A parameter; empty if missing.
pub fn text<'a>(params: &'a Params, name: &str) -> &'a str {
    params.get(name).map_or("", String::as_str)
}

/// Encodes the parameters as a form or query.
pub fn encode(params: &Params) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(params)
        .finish()
}

/// Parses a form or query.
/// Errors: too many parameters, or a repeated one, since it would be ambiguous which was signed.
pub fn read_form(body: &[u8]) -> Result<Params, ProtocolError> {
    let mut params = Params::new();
    for (name, value) in form_urlencoded::parse(body) {
        if params.len() == MAX_PARAMS {
            return Err(ProtocolError::Malformed("too many parameters"));
        }
        if params
            .insert(name.into_owned(), value.into_owned())
            .is_some()
        {
            return Err(ProtocolError::Malformed("a parameter twice"));
        }
    }
    Ok(params)
}

/// An HTML form that posts the parameters, without script: the page that shows it submits it, or the payer presses its
/// button.
pub fn form(action: &str, params: &Params) -> String {
    let mut fields = String::new();
    for (name, value) in params {
        fields.push_str(&format!(
            "<input type=\"hidden\" name=\"{}\" value=\"{}\">",
            html::escape(name),
            html::escape(value)
        ));
    }
    format!(
        "<form id=\"alipaysubmit\" name=\"alipaysubmit\" method=\"post\" accept-charset=\"utf-8\" \
         action=\"{}?charset=utf-8\">{fields}<input type=\"submit\" value=\"前往支付宝付款\"></form>",
        html::escape(action)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::tests::keys;
    use proptest::prelude::*;

    fn params(pairs: &[(&str, &str)]) -> Params {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn the_line_is_sorted_and_leaves_out_what_is_empty() {
        let all = params(&[
            ("b", "2=&中"),
            ("a", "1"),
            ("c", ""),
            ("sign", "x"),
            ("sign_type", "RSA2"),
        ]);
        assert_eq!(line(&all, Dialect::Request), "a=1&b=2=&中&sign_type=RSA2");
        assert_eq!(line(&all, Dialect::Notice), "a=1&b=2=&中");
    }

    #[test]
    fn every_change_breaks_the_signature() {
        let (key, _) = keys();
        let public = key.public().unwrap();
        let signed = sign(params(&[("a", "1"), ("b", "2")]), Dialect::Request, key).unwrap();
        verify(&signed, Dialect::Request, &public).unwrap();
        assert!(verify(&signed, Dialect::Notice, &public).is_err());
        for (name, value) in [
            ("a", "2"),
            ("b", ""),
            ("c", "3"),
            ("sign", ""),
            ("sign_type", "RSA"),
        ] {
            let mut other = signed.clone();
            other.insert(name.to_owned(), value.to_owned());
            assert!(verify(&other, Dialect::Request, &public).is_err(), "{name}");
        }
        // Empty values are not signed, so adding one changes nothing.
        let mut other = signed;
        other.insert("d".to_owned(), String::new());
        verify(&other, Dialect::Request, &public).unwrap();
    }

    #[test]
    fn a_form_holds_what_it_is_given() {
        let hostile = "\"><script>alert('x')</script>&";
        let html = form("http://x/?a=\"", &params(&[(hostile, hostile)]));
        assert!(!html.contains("<script>"), "{html}");
        let escaped = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;";
        assert_eq!(html.matches(escaped).count(), 2);
        assert!(html.contains("action=\"http://x/?a=&quot;?charset=utf-8\""));
    }

    #[test]
    fn a_parameter_twice_is_refused() {
        assert!(read_form(b"a=1&a=1").is_err());
        let many: Vec<String> = (0..101).map(|n| format!("p{n}=1")).collect();
        assert!(read_form(many.join("&").as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn what_was_encoded_is_read(pairs in proptest::collection::btree_map(".*", ".*", 0..8)) {
            prop_assert_eq!(read_form(encode(&pairs).as_bytes()).unwrap(), pairs);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(read) = read_form(&bytes) {
                let (key, _) = keys();
                prop_assert!(verify(&read, Dialect::Notice, &key.public().unwrap()).is_err());
            }
        }
    }
}
