//! AWS Signature Version 4: signed headers and presigned URLs. Source:
//! <https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html>

use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::macros::format_description;

use crate::credential::hmac_sha256;
use crate::error::{Result, StoreError};

/// Payload hash when the signature does not cover the body.
pub const UNSIGNED_PAYLOAD: &str = "UNSIGNED-PAYLOAD";

/// Longest lifetime of a presigned URL.
const MAX_PRESIGN: Duration = Duration::from_secs(7 * 24 * 3600);

const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
const PATH: &AsciiSet = &QUERY.remove(b'/');

/// A key pair, possibly temporary, that signs for one region and service.
#[derive(Clone)]
pub struct Signer {
    /// Access key id.
    pub access_key: String,
    /// Its secret.
    pub secret_key: String,
    /// For temporary credentials.
    pub session_token: Option<String>,
    /// For example `us-east-1`.
    pub region: String,
    /// `s3` or `sts`.
    pub service: &'static str,
}

/// A request to sign. The path is not yet encoded.
pub struct ToSign<'a> {
    /// Upper case.
    pub method: &'a str,
    /// Host, and port unless it is the scheme's default.
    pub host: &'a str,
    /// Starts with a slash.
    pub path: &'a str,
    /// Names and values, not encoded.
    pub query: &'a [(&'a str, &'a str)],
    /// Further headers to sign, names in lower case.
    pub headers: &'a [(&'a str, &'a str)],
    /// Hex SHA-256 of the body, or [`UNSIGNED_PAYLOAD`].
    pub payload: &'a str,
}

/// Percent-encodes a path.
pub fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}

/// Percent-encodes pairs, sorted as the signature requires.
pub fn encode_query(pairs: &[(&str, &str)]) -> String {
    let encode = |text: &str| utf8_percent_encode(text, QUERY).to_string();
    let mut encoded: Vec<(String, String)> = pairs
        .iter()
        .map(|(name, value)| (encode(name), encode(value)))
        .collect();
    encoded.sort();
    let joined: Vec<String> = encoded
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    joined.join("&")
}

/// Hex SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

struct Stamp {
    /// `20130524T000000Z`
    time: String,
    /// `20130524`
    date: String,
}

fn stamp(now: OffsetDateTime) -> Result<Stamp> {
    let format = format_description!("[year][month][day]T[hour][minute][second]Z");
    let time = now
        .to_utc()
        .format(&format)
        .map_err(|e| StoreError::InvalidArgument(e.to_string()))?;
    let date = time.chars().take(8).collect();
    Ok(Stamp { time, date })
}

impl Signer {
    fn scope(&self, stamp: &Stamp) -> String {
        format!(
            "{}/{}/{}/aws4_request",
            stamp.date, self.region, self.service
        )
    }

    fn signature(&self, stamp: &Stamp, canonical_request: &str) -> String {
        let to_sign = format!(
            "AWS4-HMAC-SHA256\n{}\n{}\n{}",
            stamp.time,
            self.scope(stamp),
            sha256_hex(canonical_request.as_bytes())
        );
        let mut key = hmac_sha256(
            format!("AWS4{}", self.secret_key).as_bytes(),
            stamp.date.as_bytes(),
        );
        for part in [self.region.as_str(), self.service, "aws4_request"] {
            key = hmac_sha256(&key, part.as_bytes());
        }
        hex::encode(hmac_sha256(&key, to_sign.as_bytes()))
    }

    /// The headers to add to the given ones (and `host`): date, payload hash, token, authorization.
    pub fn sign(
        &self,
        request: &ToSign<'_>,
        now: OffsetDateTime,
    ) -> Result<Vec<(&'static str, String)>> {
        let stamp = stamp(now)?;
        let mut added = vec![("x-amz-date", stamp.time.clone())];
        if self.service == "s3" {
            added.push(("x-amz-content-sha256", request.payload.to_owned()));
        }
        if let Some(token) = &self.session_token {
            added.push(("x-amz-security-token", token.clone()));
        }
        let mut all: Vec<(&str, &str)> = request.headers.to_vec();
        all.push(("host", request.host));
        all.extend(added.iter().map(|(name, value)| (*name, value.as_str())));
        all.sort_unstable();
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let names = names.join(";");
        let lines: String = all
            .iter()
            .map(|(name, value)| format!("{name}:{}\n", value.trim()))
            .collect();
        let canonical = format!(
            "{}\n{}\n{}\n{lines}\n{names}\n{}",
            request.method,
            encode_path(request.path),
            encode_query(request.query),
            request.payload
        );
        let authorization = format!(
            "AWS4-HMAC-SHA256 Credential={}/{},SignedHeaders={names},Signature={}",
            self.access_key,
            self.scope(&stamp),
            self.signature(&stamp, &canonical)
        );
        added.push(("authorization", authorization));
        Ok(added)
    }

    /// A URL valid for `lifetime`. `base` is scheme, host and port; the body is not signed.
    pub fn presign(
        &self,
        (method, base, path): (&str, &str, &str),
        query: &[(&str, &str)],
        lifetime: Duration,
        now: OffsetDateTime,
    ) -> Result<String> {
        if lifetime.as_secs() == 0 || lifetime > MAX_PRESIGN {
            return Err(StoreError::InvalidArgument(
                "presigned URLs live 1 second to 7 days".into(),
            ));
        }
        let host = host_of(base)?;
        let stamp = stamp(now)?;
        let credential = format!("{}/{}", self.access_key, self.scope(&stamp));
        let expires = lifetime.as_secs().to_string();
        let mut pairs: Vec<(&str, &str)> = query.to_vec();
        pairs.extend([
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", credential.as_str()),
            ("X-Amz-Date", stamp.time.as_str()),
            ("X-Amz-Expires", expires.as_str()),
            ("X-Amz-SignedHeaders", "host"),
        ]);
        if let Some(token) = &self.session_token {
            pairs.push(("X-Amz-Security-Token", token));
        }
        let (path, query) = (encode_path(path), encode_query(&pairs));
        let canonical =
            format!("{method}\n{path}\n{query}\nhost:{host}\n\nhost\n{UNSIGNED_PAYLOAD}");
        let signature = self.signature(&stamp, &canonical);
        Ok(format!("{base}{path}?{query}&X-Amz-Signature={signature}"))
    }
}

/// Host and port of a base URL, as clients send them: without the scheme's default port.
pub fn host_of(base: &str) -> Result<&str> {
    let (host, own_port) = match (base.strip_prefix("http://"), base.strip_prefix("https://")) {
        (Some(rest), _) => (rest, ":80"),
        (_, Some(rest)) => (rest, ":443"),
        _ => {
            return Err(StoreError::Config(
                "addresses of stores start with http:// or https://".into(),
            ));
        }
    };
    if host.is_empty() || host.contains(['/', '?', '#', '@', ' ']) {
        return Err(StoreError::Config(
            "addresses of stores are scheme, host and port, no path".into(),
        ));
    }
    Ok(host.strip_suffix(own_port).unwrap_or(host))
}

/// `Content-Disposition` that saves under any name (RFC 6266, RFC 5987).
pub fn attachment(file_name: &str) -> String {
    let safe =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ' | '(' | ')');
    let fallback: String = file_name
        .chars()
        .map(|c| if safe(c) { c } else { '_' })
        .collect();
    let encoded = utf8_percent_encode(file_name, QUERY);
    format!("attachment; filename=\"{fallback}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    // The examples in the S3 API reference: sig-v4-header-based-auth.html and sigv4-query-string-auth.html.
    const HOST: &str = "examplebucket.s3.amazonaws.com";
    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const NOW: OffsetDateTime = datetime!(2013-05-24 00:00:00 UTC);

    fn signer() -> Signer {
        Signer {
            access_key: "AKIAIOSFODNN7EXAMPLE".into(),
            secret_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".into(),
            session_token: None,
            region: "us-east-1".into(),
            service: "s3",
        }
    }

    fn signature(request: &ToSign<'_>) -> String {
        let headers = signer().sign(request, NOW).unwrap();
        let authorization = &headers
            .iter()
            .find(|(name, _)| *name == "authorization")
            .unwrap()
            .1;
        authorization.split("Signature=").nth(1).unwrap().to_owned()
    }

    #[test]
    fn published_vectors_of_header_signatures() {
        let get = ToSign {
            method: "GET",
            host: HOST,
            path: "/test.txt",
            query: &[],
            headers: &[("range", "bytes=0-9")],
            payload: EMPTY,
        };
        assert_eq!(
            signature(&get),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        );
        let put = ToSign {
            method: "PUT",
            host: HOST,
            path: "/test$file.text",
            query: &[],
            headers: &[
                ("date", "Fri, 24 May 2013 00:00:00 GMT"),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            payload: &sha256_hex(b"Welcome to Amazon S3."),
        };
        assert_eq!(
            signature(&put),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        );
        let lifecycle = ToSign {
            method: "GET",
            host: HOST,
            path: "/",
            query: &[("lifecycle", "")],
            headers: &[],
            payload: EMPTY,
        };
        assert_eq!(
            signature(&lifecycle),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        );
        let list = ToSign {
            query: &[("max-keys", "2"), ("prefix", "J")],
            ..lifecycle
        };
        assert_eq!(
            signature(&list),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        );
    }

    #[test]
    fn published_vector_of_a_presigned_url() {
        let base = format!("https://{HOST}");
        let url = signer()
            .presign(
                ("GET", &base, "/test.txt"),
                &[],
                Duration::from_secs(86400),
                NOW,
            )
            .unwrap();
        let wanted = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
        assert!(url.ends_with(&format!("X-Amz-Signature={wanted}")), "{url}");
        for lifetime in [Duration::ZERO, MAX_PRESIGN + Duration::from_secs(1)] {
            assert!(
                signer()
                    .presign(("GET", &base, "/test.txt"), &[], lifetime, NOW)
                    .is_err()
            );
        }
    }

    #[test]
    fn a_base_address_has_no_path_and_no_default_port() {
        assert_eq!(host_of("http://a:9000").unwrap(), "a:9000");
        assert_eq!(host_of("https://a:443").unwrap(), "a");
        for bad in ["a:9000", "ftp://a", "http://", "http://a/b", "http://u@a"] {
            assert!(host_of(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_download_name_survives_and_cannot_break_out_of_the_header() {
        let name = "模型 \"最终\"\r\n.glb";
        let value = attachment(name);
        assert!(value.is_ascii() && !value.contains(['\r', '\n']));
        let encoded = value.split("UTF-8''").nth(1).unwrap();
        assert_eq!(
            percent_encoding::percent_decode_str(encoded)
                .decode_utf8()
                .unwrap(),
            name
        );
    }
}
