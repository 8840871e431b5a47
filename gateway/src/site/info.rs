//! `GET /config.json`: the browser's configuration before its first call. `GET /openapi.json`: the contract.

use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;

use super::packing;
use crate::state::Gateway;

pub async fn config(gateway: Data<Gateway>) -> HttpResponse {
    let live = gateway.live.get();
    let site = &gateway.site.config;
    let mut config = json!({
        "clientId": live.keys.client_id,
        "clientSecret": live.keys.current.secret,
        "kid": live.keys.current.kid,
        "analyticsHost": site.analytics_host,
        "loginUrl": site.login_url,
        "cookieDomain": site.cookie_domain,
        "hotline": site.hotline,
        "mallUrl": site.mall_url,
        "mobileUrl": site.mobile_url,
        "qqConsultUrl": site.qq_consult_url,
        "wechatConsultUrl": site.wechat_consult_url,
        "chatUrl": site.chat_url,
        "contact": { "email": site.contact_email, "address": site.contact_address },
        "embedUrl": gateway.embed.address,
        "icp": site.icp,
        "wechatAppId": site.wechat_app_id,
        "qqAppId": site.qq_app_id,
        "serverTime": gateway.now_ms(),
    });
    // Present only if the sandbox is on.
    if !site.sandbox.is_empty() {
        config["sandbox"] = json!(site.sandbox);
    }
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/json; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(config.to_string())
}

pub async fn openapi(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let contract = HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/json; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(gateway.site.openapi.clone());
    packing::pack(&request, contract)
}
