//! WeChat: `connect/qrconnect`, `sns/oauth2/access_token`, `sns/userinfo`. Errors have status 200; all responses are text/plain.

use actix_web::web::{self, Data, Form, Query, ServiceConfig};
use actix_web::{Either, HttpResponse};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Bad, Grant, Platforms, Provider, WECHAT_APP, WECHAT_SECRET, pages};
use crate::http::html;

pub(super) fn routes(service: &mut ServiceConfig) {
    service
        .route("/social/wechat/connect/qrconnect", web::get().to(page))
        .route(
            "/social/wechat/sns/oauth2/access_token",
            web::get().to(access_token),
        )
        .route(
            "/social/wechat/sns/oauth2/access_token",
            web::post().to(access_token),
        )
        .route("/social/wechat/sns/userinfo", web::get().to(userinfo));
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Asked {
    appid: String,
    redirect_uri: String,
    response_type: String,
    scope: String,
    state: String,
}

async fn page(asked: Query<Asked>) -> HttpResponse {
    let wrong = match asked.0 {
        Asked { ref appid, .. } if appid != WECHAT_APP => "AppID 参数错误",
        Asked {
            ref redirect_uri, ..
        } if !redirect_uri.starts_with("http") => "redirect_uri 参数错误",
        Asked { ref scope, .. } if scope != "snsapi_login" => "Scope 参数错误或没有 Scope 权限",
        Asked {
            ref response_type, ..
        } if response_type != "code" => "response_type 参数错误",
        _ => {
            return html(pages::consent(
                Provider::Wechat,
                &asked.redirect_uri,
                &asked.state,
            ));
        }
    };
    html(pages::wrong(Provider::Wechat, wrong))
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Exchange {
    appid: String,
    secret: String,
    code: String,
    grant_type: String,
}

fn plain(value: &Value) -> String {
    value.to_string()
}

fn respond(text: String) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body(text)
}

fn error(code: i64, message: &str) -> HttpResponse {
    respond(plain(&json!({"errcode": code, "errmsg": message})))
}

/// Documented as GET; clients that send the standard's POST (RFC 6749, 4.1.3) are answered too.
async fn access_token(
    asked: Either<Form<Exchange>, Query<Exchange>>,
    platforms: Data<Platforms>,
) -> HttpResponse {
    let asked = match asked {
        Either::Left(Form(asked)) => asked,
        Either::Right(Query(asked)) => asked,
    };
    if asked.appid != WECHAT_APP {
        return error(40013, "invalid appid");
    }
    if asked.secret != WECHAT_SECRET {
        return error(40125, "invalid appsecret");
    }
    if asked.grant_type != "authorization_code" {
        return error(40002, "invalid grant_type");
    }
    let (token, grant) = match platforms.exchange(Provider::Wechat, &asked.code) {
        Ok(exchanged) => exchanged,
        Err(Bad::Unknown) => return error(40029, "invalid code"),
        Err(Bad::Used) => return error(40163, "code been used"),
    };
    let answer = json!({
        "access_token": token,
        "expires_in": 7200,
        "refresh_token": format!("r{token}"),
        "openid": grant.open_id(),
        "scope": "snsapi_login",
        "unionid": grant.union_id(),
    });
    respond(grant.faults.applied(plain(&answer)).await)
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Whose {
    access_token: String,
    openid: String,
}

async fn userinfo(asked: Query<Whose>, platforms: Data<Platforms>) -> HttpResponse {
    let Some(grant) = platforms.token(Provider::Wechat, &asked.access_token) else {
        return error(
            40001,
            "invalid credential, access_token is invalid or not latest",
        );
    };
    if asked.openid != grant.open_id() {
        return error(40003, "invalid openid");
    }
    respond(plain(&person(&platforms, &grant)))
}

fn person(platforms: &Platforms, grant: &Grant) -> Value {
    json!({
        "openid": grant.open_id(),
        "nickname": grant.nickname(),
        "sex": 0,
        "language": "",
        "city": "",
        "province": "",
        "country": "",
        "headimgurl": platforms.picture(grant),
        "privilege": [],
        "unionid": grant.union_id(),
    })
}
