//! Aliyun's SMS service: `SendSms` (2017-05-25), signed as ACS3-HMAC-SHA256.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use chassis::Clock;
use hmac::{Hmac, KeyInit, Mac};
use http::{Request, Uri};
use http_body_util::Full;
use outbound::{Answer, Bounds, Http, Reach};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::sender::{DeliveryError, Sms, SmsSender};
use crate::identity::config::secret;

const ACTION: &str = "SendSms";
const VERSION: &str = "2017-05-25";
const ALGORITHM: &str = "ACS3-HMAC-SHA256";
const MAX_ANSWER: usize = 64 * 1024;

/// The section `[auth.sms.aliyun]`.
#[derive(Debug, Clone, Deserialize)]
pub struct AliyunConfig {
    pub endpoint: String,
    pub access_key_id: String,
    pub access_key_secret: String,
    pub access_key_secret_file: String,
    pub sign_name: String,
    pub template: String,
    pub templates: HashMap<String, String>,
    pub wait_ms: u64,
}

/// Sends by Aliyun.
pub struct Aliyun {
    http: Http,
    clock: Clock,
    endpoint: Uri,
    host: String,
    key_id: String,
    key_secret: String,
    sign_name: String,
    template: String,
    templates: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Reply {
    code: String,
    #[serde(default)]
    message: String,
}

impl Aliyun {
    /// Errors: a part of the section is missing.
    pub fn open(config: &AliyunConfig, clock: Clock) -> anyhow::Result<Self> {
        let name = "auth.sms.aliyun.access_key_secret";
        let key_secret = secret(
            name,
            &config.access_key_secret,
            &config.access_key_secret_file,
        )?;
        for (name, value) in [
            ("access_key_id", &config.access_key_id),
            ("access_key_secret", &key_secret),
            ("sign_name", &config.sign_name),
            ("template", &config.template),
        ] {
            anyhow::ensure!(!value.is_empty(), "auth.sms.aliyun.{name} is missing");
        }
        let endpoint: Uri = config.endpoint.parse()?;
        let authority = endpoint.authority();
        let host = authority.map(|authority| authority.as_str().to_owned());
        let bounds = Bounds {
            wait: Duration::from_millis(config.wait_ms.clamp(100, 60_000)),
            most: MAX_ANSWER,
            reach: Reach::Any,
        };
        Ok(Self {
            http: Http::open(endpoint.scheme_str() == Some("https"), bounds)?,
            clock,
            host: host.ok_or_else(|| anyhow::anyhow!("auth.sms.aliyun.endpoint is no address"))?,
            endpoint,
            key_id: config.access_key_id.clone(),
            key_secret,
            sign_name: config.sign_name.clone(),
            template: config.template.clone(),
            templates: config.templates.clone(),
        })
    }

    fn request(&self, sms: &Sms) -> Result<Request<Full<Bytes>>, anyhow::Error> {
        let template = self.templates.get(sms.purpose).unwrap_or(&self.template);
        let query = canonical_query(&[
            ("PhoneNumbers", &sms.phone),
            ("SignName", &self.sign_name),
            ("TemplateCode", template),
            (
                "TemplateParam",
                &serde_json::json!({"code": sms.code}).to_string(),
            ),
        ]);
        let now = OffsetDateTime::from_unix_timestamp(self.clock.now_ms() / 1000)?;
        let empty = hex::encode(Sha256::digest(b""));
        let headers = [
            ("host", self.host.clone()),
            ("x-acs-action", ACTION.to_owned()),
            ("x-acs-content-sha256", empty),
            ("x-acs-date", now.format(&Rfc3339)?),
            ("x-acs-signature-nonce", crate::secret::id()),
            ("x-acs-version", VERSION.to_owned()),
        ];
        let authorization = authorization(&self.key_id, &self.key_secret, &query, &headers);
        let scheme = self.endpoint.scheme_str().unwrap_or("https");
        let mut request = Request::post(format!("{scheme}://{}/?{query}", self.host));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.header("authorization", authorization);
        Ok(request.body(Full::default())?)
    }
}

/// Fields as they are signed and sent: by name, spaces as %20.
pub fn canonical_query(fields: &[(&str, &str)]) -> String {
    let mut fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
        .collect();
    fields.sort_unstable();
    fields.join("&")
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
        .replace('*', "%2A")
        .replace("%7E", "~")
}

/// The header of a POST to `/` without a body; `headers` are sorted by name.
fn authorization(id: &str, secret: &str, query: &str, headers: &[(&str, String)]) -> String {
    let lines: String = headers
        .iter()
        .map(|(name, value)| format!("{name}:{}\n", value.trim()))
        .collect();
    let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
    let names = names.join(";");
    let empty = hex::encode(Sha256::digest(b""));
    let canonical = format!("POST\n/\n{query}\n{lines}\n{names}\n{empty}");
    let hashed = hex::encode(Sha256::digest(canonical.as_bytes()));
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes any key");
    mac.update(format!("{ALGORITHM}\n{hashed}").as_bytes());
    let signature = hex::encode(mac.finalize().into_bytes());
    format!("{ALGORITHM} Credential={id},SignedHeaders={names},Signature={signature}")
}

pub fn judged(answer: &Answer) -> Result<(), DeliveryError> {
    let reply: Reply = serde_json::from_slice(&answer.body).map_err(|_| {
        DeliveryError::Provider(format!("status {} without an answer", answer.status))
    })?;
    let detail = format!("{} {}", reply.code, reply.message);
    match reply.code.as_str() {
        "OK" => Ok(()),
        "isv.BUSINESS_LIMIT_CONTROL"
        | "isv.DAY_LIMIT_CONTROL"
        | "isv.MONTH_LIMIT_CONTROL"
        | "Throttling.User"
        | "Throttling" => Err(DeliveryError::TooMany(detail)),
        "isv.MOBILE_NUMBER_ILLEGAL" => Err(DeliveryError::WrongNumber(detail)),
        _ => Err(DeliveryError::Provider(detail)),
    }
}

#[async_trait::async_trait]
impl SmsSender for Aliyun {
    async fn send(&self, sms: &Sms) -> Result<(), DeliveryError> {
        let failed = |error: String| DeliveryError::Provider(error);
        let request = self
            .request(sms)
            .map_err(|error| failed(error.to_string()))?;
        let answer = self.http.send(request).await;
        judged(&answer.map_err(|error| failed(error.to_string()))?)
    }
}
