//! Agreeing and refusing, by page and by API for tests, and faults.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Form, Json, ServiceConfig};
use serde::Deserialize;
use serde_json::json;

use super::faults::{MAX_RULES, Rule};
use super::{Platforms, Provider, pages};
use crate::http::{html, json as answer};

pub(super) fn routes(service: &mut ServiceConfig) {
    service
        .route("/social/agree", web::post().to(agree_on_page))
        .route("/api/social/agree", web::post().to(agree))
        .route("/api/social/misbehave", web::post().to(misbehave))
        .route("/api/social/misbehave", web::delete().to(behave));
}

#[derive(Deserialize)]
struct Decision {
    provider: Provider,
    redirect_uri: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    act: String,
}

impl Decision {
    /// URL that the browser returns to; a refusal carries only the state and, from QQ, `usercancel`.
    fn address(&self, platforms: &Platforms) -> String {
        let name = self.name.trim();
        let refused = self.act == "refuse" || name.is_empty();
        let mut fields = form_urlencoded::Serializer::new(String::new());
        match (refused, self.provider) {
            (false, provider) => {
                fields.append_pair("code", &platforms.agree(provider, name, &self.redirect_uri));
            }
            (true, Provider::Qq) => {
                fields.append_pair("usercancel", "1");
            }
            (true, Provider::Wechat) => {}
        }
        fields.append_pair("state", &self.state);
        let join = if self.redirect_uri.contains('?') {
            '&'
        } else {
            '?'
        };
        format!("{}{join}{}", self.redirect_uri, fields.finish())
    }

    fn is_web(&self) -> bool {
        self.redirect_uri.starts_with("http://") || self.redirect_uri.starts_with("https://")
    }
}

async fn agree_on_page(decision: Form<Decision>, platforms: Data<Platforms>) -> HttpResponse {
    if !decision.is_web() {
        return html(pages::wrong(decision.provider, "redirect_uri 参数错误"));
    }
    html(pages::back(
        decision.provider,
        &decision.address(&platforms),
    ))
}

/// Like the page, but returns the URL.
async fn agree(decision: Json<Decision>, platforms: Data<Platforms>) -> HttpResponse {
    answer(&json!({"location": decision.address(&platforms)}))
}

async fn misbehave(rule: Json<Rule>, platforms: Data<Platforms>) -> HttpResponse {
    let mut granted = platforms.granted();
    if granted.rules.len() >= MAX_RULES {
        return HttpResponse::Conflict()
            .json(json!({"error": "too many rules wait: DELETE forgets them"}));
    }
    granted.rules.push(rule.into_inner());
    answer(&json!({}))
}

/// Drops the rules.
async fn behave(platforms: Data<Platforms>) -> HttpResponse {
    platforms.granted().rules.clear();
    answer(&json!({}))
}
