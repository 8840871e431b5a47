//! An authenticator app as a page: it shows the codes of a secret (RFC 6238), and keeps nothing.

use actix_web::web::{self, Data, Query, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use chassis::Clock;
use serde::Deserialize;
use serde_json::json;
use totp_rs::{Builder, Secret, Totp};

use crate::http::{html, json as answer, wants_page};
use crate::pages::{escape, page};

pub fn routes(service: &mut ServiceConfig) {
    service.route("/authenticator", web::get().to(codes));
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Asked {
    /// Base32, or the otpauth:// address behind the QR code.
    secret: String,
    format: String,
}

struct Shown {
    code: String,
    next: String,
    seconds_left: u64,
}

fn totp(text: &str) -> Option<Totp> {
    let text = text.trim();
    if text.starts_with("otpauth://") {
        return Totp::from_url_unchecked(text).ok();
    }
    let plain: String = text.split_whitespace().collect();
    if plain.is_empty() {
        return None;
    }
    let secret = Secret::try_from_base32(plain.to_ascii_uppercase()).ok()?;
    Some(Builder::new().with_secret(secret).build_noncompliant())
}

fn shown(text: &str, now_s: u64) -> Option<Shown> {
    let totp = totp(text)?;
    let next = totp.next_step(now_s);
    Some(Shown {
        code: totp.generate(now_s).to_string(),
        next: totp.generate(next).to_string(),
        seconds_left: next.saturating_sub(now_s),
    })
}

async fn codes(request: HttpRequest, asked: Query<Asked>, clock: Data<Clock>) -> HttpResponse {
    let now_s = u64::try_from(clock.now_ms() / 1000).unwrap_or_default();
    let found = shown(&asked.secret, now_s);
    if wants_page(&request, &asked.format) {
        return html(app(&asked.secret, found.as_ref()));
    }
    match found {
        Some(Shown {
            code,
            next,
            seconds_left,
        }) => answer(&json!({"code": code, "next": next, "secondsLeft": seconds_left})),
        None => HttpResponse::BadRequest().json(json!({"error": "no secret"})),
    }
}

fn app(secret: &str, shown: Option<&Shown>) -> String {
    let inner = match shown {
        Some(shown) => format!(
            "<p class=\"amount\">{}</p><p class=\"quiet\">还有 {} 秒，下一个 {}</p>",
            shown.code, shown.seconds_left, shown.next
        ),
        None if secret.is_empty() => {
            "<p class=\"quiet\">在网站上开启二次验证，把密钥或二维码中的 otpauth 地址粘贴到这里。</p>".to_owned()
        }
        None => "<p class=\"note\">这不是一个密钥</p>".to_owned(),
    };
    let body = format!(
        "<section class=\"phone pay\"><h1>验证器</h1><form method=\"get\" action=\"/authenticator\">\
         <input name=\"secret\" placeholder=\"密钥或 otpauth 地址\" aria-label=\"密钥\" value=\"{}\">\
         <button>显示</button></form>{inner}</section>",
        escape(secret)
    );
    page("验证器", if shown.is_some() { 5 } else { 0 }, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_rfc() {
        // RFC 6238, appendix B, the last six of eight digits.
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let shown_at = |text: &str, at| shown(text, at).unwrap();
        assert_eq!(shown_at(secret, 59).code, "287082");
        assert_eq!(
            (
                shown_at(secret, 59).seconds_left,
                shown_at(secret, 31).next.as_str()
            ),
            (1, "359152")
        );
        let address = format!("otpauth://totp/x:y?secret={secret}&issuer=x");
        assert_eq!(shown_at(&address, 1_111_111_109).code, "081804");
        for bad in ["", "1", "otpauth://totp/x", "<script>"] {
            assert!(shown(bad, 0).is_none(), "{bad}");
        }
        assert!(!app("\"><script>", None).contains("<script>"));
    }
}
