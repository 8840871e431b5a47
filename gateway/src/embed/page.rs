//! The pages: an open share, the password form, and one plain page for all refusals.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName};
use proto::works::v1::{OpenShareReply, OpenShareRequest};
use serde_json::{Value, json};

use super::{Embed, policy};
use crate::site::shell::escaped;

const LONGEST_HOST: usize = 255;
const STYLE: &str = "html{color-scheme:dark;background:#12161f;color:#e9edf5;font:16px/26px \"Noto Sans CJK SC\",-apple-system,\"PingFang SC\",\
\"Microsoft YaHei\",sans-serif}body{margin:0;min-height:100vh;display:grid;place-content:center;padding:24px;\
box-sizing:border-box;text-align:center}h1{margin:0 0 4px;font-size:20px;line-height:28px}p{margin:0;color:#aab4c5;max-width:32em}\
form{margin-top:20px;display:flex;flex-wrap:wrap;gap:8px;justify-content:center}label{flex-basis:100%;color:#aab4c5;font-size:14px}\
input,button{font:inherit;min-height:44px;border-radius:8px;box-sizing:border-box;padding:0 14px}\
input{background:#1b2130;color:inherit;border:1px solid #6b7890;min-width:0;width:220px}\
button{background:#5b8cff;color:#0b1020;border:0;font-weight:600}:focus-visible{outline:2px solid #9db8ff;outline-offset:2px}";

/// Text of a page without content.
pub struct Notice {
    status: StatusCode,
    title: &'static str,
    hint: &'static str,
}

pub const GONE: Notice = Notice {
    status: StatusCode::GONE,
    title: "内容已不再分享",
    hint: "分享已结束或已被撤销，请联系分享者",
};
pub const NONE: Notice = Notice {
    status: StatusCode::NOT_FOUND,
    title: "没有这个分享",
    hint: "请核对链接是否完整",
};
pub const STRANGER: Notice = Notice {
    status: StatusCode::FORBIDDEN,
    title: "此网站不能嵌入这个内容",
    hint: "分享者限定了可以嵌入的网站",
};
pub const AWAY: Notice = Notice {
    status: StatusCode::SERVICE_UNAVAILABLE,
    title: "暂时打不开",
    hint: "请稍后刷新页面再试",
};
pub const BUSY: Notice = Notice {
    status: StatusCode::TOO_MANY_REQUESTS,
    title: "打开得过于频繁",
    hint: "请稍后刷新页面再试",
};

fn new_nonce() -> String {
    hex::encode(rand::random::<[u8; 16]>())
}

fn html(status: StatusCode, policy: String, body: String) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, policy))
        // To the same origin only: other hosts need not know the page's address.
        .insert_header((header::REFERRER_POLICY, "same-origin"))
        .insert_header((HeaderName::from_static("x-robots-tag"), "noindex"))
        .insert_header((
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=()",
        ))
        .body(body)
}

fn still(status: StatusCode, ancestors: &str, title: &str, inner: &str) -> HttpResponse {
    let nonce = new_nonce();
    let body = format!(
        "<!doctype html><html lang=\"zh-CN\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title>\
         <style nonce=\"{nonce}\">{STYLE}</style></head><body><main><h1>{title}</h1>{inner}</main></body></html>"
    );
    html(status, policy::still(&nonce, ancestors), body)
}

/// A page with nothing but a sentence.
pub fn notice(notice: &Notice) -> HttpResponse {
    let hint = format!("<p>{}</p>", notice.hint);
    still(notice.status, "*", notice.title, &hint)
}

/// Asks for the password; reveals nothing about the work.
pub fn password(asked: &OpenShareRequest, outcome: &str, ancestors: &str) -> HttpResponse {
    let (status, hint) = match outcome {
        "wrong" => (StatusCode::FORBIDDEN, "密码不正确，请重新输入"),
        "wait" => (
            StatusCode::TOO_MANY_REQUESTS,
            "错误次数过多，请 15 分钟后再试",
        ),
        _ => (StatusCode::OK, "分享者设置了密码"),
    };
    let (id, from) = (escaped(&asked.share_id), escaped(&plain_host(&asked.host)));
    let inner = format!(
        "<p role=\"status\">{hint}</p><form method=\"post\" action=\"/e/{id}\">\
         <input type=\"hidden\" name=\"from\" value=\"{from}\">\
         <label for=\"password\">访问密码</label>\
         <input id=\"password\" name=\"password\" type=\"password\" required maxlength=\"32\" autocomplete=\"off\" autofocus>\
         <button type=\"submit\">查看</button></form>"
    );
    still(status, ancestors, "请输入访问密码", &inner)
}

/// The text if it looks like a host, else empty.
pub fn plain_host(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-.:[]".contains(&b);
    match text.len() <= LONGEST_HOST && text.bytes().all(plain) {
        true => text.to_owned(),
        false => String::new(),
    }
}

/// The model, with its poster in the first HTML.
pub fn opened(
    template: &str,
    asked: &OpenShareRequest,
    reply: &OpenShareReply,
    embed: &Embed,
    ancestors: &str,
) -> HttpResponse {
    let nonce = new_nonce();
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
    let options = value(&reply.options);
    let manifest = json!({
        "share": asked.share_id,
        "name": reply.name,
        "model": reply.model_url,
        "proxy": reply.proxy_url,
        "bytes": reply.bytes,
        "scene": value(&reply.scene),
        "options": options,
        "look": reply.look_id,
        "parents": reply.domains,
        "anywhere": reply.anywhere,
        "site": embed.site,
    });
    // Safe inside a script element.
    let manifest = manifest.to_string().replace('<', "\\u003c");
    let poster = match reply.poster_url.as_str() {
        "" => String::new(),
        url => format!("<img id=\"poster\" alt=\"\" src=\"{}\">", escaped(url)),
    };
    let ground = options["background"]
        .as_str()
        .filter(|color| is_color(color));
    let scene = value(&reply.scene);
    let ground = ground.or_else(|| {
        scene["background"]["color"]
            .as_str()
            .filter(|c| is_color(c))
    });
    let ground = format!("--ground: {};", ground.unwrap_or("#1b2130"));
    let parts = [
        ("%NONCE%", nonce.as_str()),
        ("/*%GROUND%*/", &ground),
        ("%NAME%", &escaped(&reply.name)),
        ("%POSTER%", &poster),
        ("\"%MANIFEST%\"", &manifest),
    ];
    let policy = policy::page(&embed.store, &nonce, ancestors);
    html(StatusCode::OK, policy, filled(template, &parts))
}

/// Fills the template's placeholders in one pass: inserted text is not searched for placeholders.
fn filled(template: &str, parts: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(template.len() + 4096);
    let mut rest = template;
    loop {
        let next = parts
            .iter()
            .filter_map(|(mark, text)| Some((rest.find(mark)?, *mark, *text)))
            .min();
        let Some((at, mark, text)) = next else {
            page.push_str(rest);
            return page;
        };
        page.push_str(&rest[..at]);
        page.push_str(text);
        rest = &rest[at + mark.len()..];
    }
}

fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_through() {
        let parts = [("%A%", "%B%"), ("%B%", "b")];
        assert_eq!(filled("1%A%2%B%3%A%", &parts), "1%B%2b3%B%");
        assert_eq!(plain_host("a.test:81"), "a.test:81");
        assert_eq!(plain_host("a\"><b"), "");
        assert!(is_color("#12aBff") && !is_color("#12abf;"));
    }
}
