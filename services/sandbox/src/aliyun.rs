//! Aliyun's SMS service: `SendSms` (2017-05-25). Checks the signature (ACS3-HMAC-SHA256) as the real one does, and puts the message
//! into the inbox.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::http::StatusCode;
use actix_web::web::{self, Bytes, Data, Json, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use chassis::Clock;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::http::json as answer;
use crate::store::{Sms, Store};

/// The accepted access key. Its secret need not be kept: anyone who reaches a sandbox sees everything in it.
pub const KEY_ID: &str = "sandbox-access-key";
pub const KEY_SECRET: &str = "sandbox-access-key-secret";

const ALGORITHM: &str = "ACS3-HMAC-SHA256";
/// How far a request's time may be off.
const SKEW_S: i64 = 900;
/// Nonces remembered.
const NONCES: usize = 10_000;

#[derive(Default)]
struct State {
    nonces: HashSet<String>,
    /// Codes to answer next instead of sending.
    refusals: Vec<String>,
}

/// The service; clones share its state.
#[derive(Clone)]
pub struct Aliyun {
    state: Arc<Mutex<State>>,
    clock: Clock,
    store: Store,
}

pub fn routes(service: &mut ServiceConfig) {
    service
        .route("/", web::post().to(call))
        .route("/api/aliyun/refuse", web::post().to(refuse));
}

/// Code and message of an error.
type Refusal = (&'static str, &'static str);

impl Aliyun {
    pub fn new(clock: Clock, store: Store) -> Self {
        Self {
            state: Arc::default(),
            clock,
            store,
        }
    }

    fn checked(&self, request: &HttpRequest, body: &[u8]) -> Result<(), Refusal> {
        let header = |name: &str| {
            let value = request.headers().get(name);
            value
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
        };
        if header("x-acs-action") != "SendSms" || header("x-acs-version") != "2017-05-25" {
            return Err(("InvalidAction.NotFound", "Specified api is not found"));
        }
        let at = OffsetDateTime::parse(header("x-acs-date"), &Rfc3339);
        let at = at.map_err(|_| {
            (
                "InvalidTimeStamp.Format",
                "Specified time stamp is not valid",
            )
        })?;
        if (at.unix_timestamp() - self.clock.now_ms() / 1000).abs() > SKEW_S {
            return Err((
                "InvalidTimeStamp.Expired",
                "Specified time stamp or date value is expired",
            ));
        }
        if header("x-acs-content-sha256") != hex::encode(Sha256::digest(body)) {
            return Err(("SignatureDoesNotMatch", "The body does not match its hash"));
        }
        self.signed(request, header("authorization"))?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.nonces.len() >= NONCES {
            state.nonces.clear();
        }
        let nonce = header("x-acs-signature-nonce");
        match !nonce.is_empty() && state.nonces.insert(nonce.to_owned()) {
            true => Ok(()),
            false => Err((
                "SignatureNonceUsed",
                "Specified signature nonce was used already",
            )),
        }
    }

    fn signed(&self, request: &HttpRequest, authorization: &str) -> Result<(), Refusal> {
        let mismatch = (
            "SignatureDoesNotMatch",
            "Specified signature is not matched with our calculation",
        );
        let (algorithm, fields) = authorization.split_once(' ').ok_or(mismatch)?;
        let fields: BTreeMap<&str, &str> = fields
            .split(',')
            .filter_map(|field| field.trim().split_once('='))
            .collect();
        let field = |name: &str| fields.get(name).copied().unwrap_or_default();
        if field("Credential") != KEY_ID {
            return Err((
                "InvalidAccessKeyId.NotFound",
                "Specified access key is not found",
            ));
        }
        let names = field("SignedHeaders");
        let signed: HashSet<&str> = names.split(';').collect();
        let needed = [
            "host",
            "x-acs-action",
            "x-acs-content-sha256",
            "x-acs-date",
            "x-acs-signature-nonce",
            "x-acs-version",
        ];
        if algorithm != ALGORITHM || !needed.iter().all(|name| signed.contains(name)) {
            return Err(mismatch);
        }
        let mut lines = String::new();
        for name in names.split(';') {
            let value = request
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok());
            lines.push_str(&format!("{name}:{}\n", value.ok_or(mismatch)?.trim()));
        }
        let hash = request.headers().get("x-acs-content-sha256");
        let hash = hash
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let canonical = format!(
            "{}\n{}\n{}\n{lines}\n{names}\n{hash}",
            request.method(),
            request.path(),
            canonical_query(request.query_string()),
        );
        let hashed = hex::encode(Sha256::digest(canonical.as_bytes()));
        let mut mac =
            Hmac::<Sha256>::new_from_slice(KEY_SECRET.as_bytes()).expect("HMAC takes any key");
        mac.update(format!("{ALGORITHM}\n{hashed}").as_bytes());
        let given = hex::decode(field("Signature")).map_err(|_| mismatch)?;
        mac.verify_slice(&given).map_err(|_| mismatch)
    }

    fn deliver(&self, fields: &BTreeMap<String, String>) -> Result<(), Refusal> {
        let field = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
        let phones: Vec<&str> = field("PhoneNumbers").split(',').collect();
        let is_phone =
            |phone: &&str| phone.len() == 11 && phone.bytes().all(|b| b.is_ascii_digit());
        if !phones.iter().all(is_phone) {
            return Err(("isv.MOBILE_NUMBER_ILLEGAL", "手机号格式错误"));
        }
        if field("SignName").is_empty() {
            return Err(("isv.SMS_SIGNATURE_ILLEGAL", "该账号下找不到对应签名"));
        }
        if !field("TemplateCode").starts_with("SMS_") {
            return Err(("isv.SMS_TEMPLATE_ILLEGAL", "该账号下找不到对应模板"));
        }
        let parameters: Value = serde_json::from_str(field("TemplateParam")).unwrap_or_default();
        let Some(code) = parameters["code"].as_str() else {
            return Err(("isv.TEMPLATE_MISSING_PARAMETERS", "模板变量缺失"));
        };
        for phone in phones {
            self.store.add_sms(Sms {
                phone: phone.to_owned(),
                purpose: field("TemplateCode").to_owned(),
                code: code.to_owned(),
                text: format!(
                    "【{}】您的验证码是{code}，请勿告诉他人。（模板 {}）",
                    field("SignName"),
                    field("TemplateCode")
                ),
                time: self.clock.now_ms(),
            });
        }
        Ok(())
    }
}

/// The query as it is signed: by name, each part encoded anew.
fn canonical_query(query: &str) -> String {
    let encoded = |text: &str| {
        form_urlencoded::byte_serialize(text.as_bytes())
            .collect::<String>()
            .replace('+', "%20")
            .replace('*', "%2A")
            .replace("%7E", "~")
    };
    let mut fields: Vec<String> = form_urlencoded::parse(query.as_bytes())
        .map(|(name, value)| format!("{}={}", encoded(&name), encoded(&value)))
        .collect();
    fields.sort_unstable();
    fields.join("&")
}

async fn call(request: HttpRequest, body: Bytes, aliyun: Data<Aliyun>) -> HttpResponse {
    let id = hex::encode_upper(rand::random::<[u8; 16]>());
    if let Err((code, message)) = aliyun.checked(&request, &body) {
        let refused = json!({"RequestId": id, "HostId": "dysmsapi.aliyuncs.com", "Code": code, "Message": message});
        return HttpResponse::build(StatusCode::BAD_REQUEST).json(refused);
    }
    let refusal = {
        let mut state = aliyun.state.lock().unwrap_or_else(PoisonError::into_inner);
        (!state.refusals.is_empty()).then(|| state.refusals.remove(0))
    };
    if let Some(code) = refusal {
        return answer(&json!({"RequestId": id, "Code": code, "Message": "on demand"}));
    }
    let mut fields: BTreeMap<String, String> =
        form_urlencoded::parse(request.query_string().as_bytes())
            .into_owned()
            .collect();
    fields.extend(form_urlencoded::parse(&body).into_owned());
    match aliyun.deliver(&fields) {
        Ok(()) => answer(&json!({"RequestId": id, "Code": "OK", "Message": "OK", "BizId": id})),
        Err((code, message)) => answer(&json!({"RequestId": id, "Code": code, "Message": message})),
    }
}

#[derive(Deserialize)]
struct Refuse {
    code: String,
}

/// The next message is refused with this code.
async fn refuse(request: Json<Refuse>, aliyun: Data<Aliyun>) -> HttpResponse {
    let mut state = aliyun.state.lock().unwrap_or_else(PoisonError::into_inner);
    state.refusals.truncate(99);
    state.refusals.push(request.into_inner().code);
    answer(&json!({}))
}
