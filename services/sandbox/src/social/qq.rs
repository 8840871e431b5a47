//! QQ: `oauth2.0/authorize`, `token`, `me`, `user/get_user_info`. Responses are forms, or JSON inside `callback( … );`.

use actix_web::web::{self, Data, Form, Query, ServiceConfig};
use actix_web::{Either, HttpResponse};
use serde::Deserialize;
use serde_json::json;

use super::{Bad, Platforms, Provider, QQ_APP, QQ_SECRET, pages};
use crate::http::html;

pub(super) fn routes(service: &mut ServiceConfig) {
    service
        .route("/social/qq/oauth2.0/authorize", web::get().to(page))
        .route("/social/qq/oauth2.0/token", web::get().to(token))
        .route("/social/qq/oauth2.0/token", web::post().to(token))
        .route("/social/qq/oauth2.0/me", web::get().to(me))
        .route("/social/qq/user/get_user_info", web::get().to(user_info));
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Asked {
    client_id: String,
    redirect_uri: String,
    response_type: String,
    state: String,
}

async fn page(asked: Query<Asked>) -> HttpResponse {
    let wrong = match asked.0 {
        Asked { ref client_id, .. } if client_id != QQ_APP => "client_id 不存在（100008）",
        Asked {
            ref redirect_uri, ..
        } if !redirect_uri.starts_with("http") => "redirect_uri 不合法（100010）",
        Asked {
            ref response_type, ..
        } if response_type != "code" => "response_type 不合法（100000）",
        _ => {
            return html(pages::consent(
                Provider::Qq,
                &asked.redirect_uri,
                &asked.state,
            ));
        }
    };
    html(pages::wrong(Provider::Qq, wrong))
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Exchange {
    client_id: String,
    client_secret: String,
    code: String,
    grant_type: String,
    redirect_uri: String,
    /// `json`: responses are JSON.
    fmt: String,
}

fn respond(text: String) -> HttpResponse {
    HttpResponse::Ok().content_type("text/html").body(text)
}

fn error(code: i64, description: &str) -> HttpResponse {
    let answer = json!({"error": code, "error_description": description});
    respond(format!("callback( {answer} );\n"))
}

/// Documented as GET; clients that send the standard's POST (RFC 6749, 4.1.3) are answered too.
async fn token(
    asked: Either<Form<Exchange>, Query<Exchange>>,
    platforms: Data<Platforms>,
) -> HttpResponse {
    let asked = match asked {
        Either::Left(Form(asked)) => asked,
        Either::Right(Query(asked)) => asked,
    };
    if asked.client_id != QQ_APP {
        return error(100008, "client_id is illegal");
    }
    if asked.client_secret != QQ_SECRET {
        return error(100009, "client secret is illegal");
    }
    if asked.grant_type != "authorization_code" {
        return error(100004, "grant_type is illegal");
    }
    let (token, grant) = match platforms.exchange(Provider::Qq, &asked.code) {
        Ok(exchanged) => exchanged,
        Err(Bad::Unknown) => return error(100019, "code to access token error"),
        Err(Bad::Used) => return error(100020, "code is reused error"),
    };
    if grant.redirect != asked.redirect_uri {
        return error(100010, "redirect uri is illegal");
    }
    let answer = match asked.fmt.as_str() {
        "json" => {
            json!({"access_token": token, "expires_in": "7776000", "refresh_token": format!("r{token}")}).to_string()
        }
        _ => format!("access_token={token}&expires_in=7776000&refresh_token=r{token}"),
    };
    respond(grant.faults.applied(answer).await)
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Whose {
    access_token: String,
    unionid: String,
    openid: String,
    oauth_consumer_key: String,
}

async fn me(asked: Query<Whose>, platforms: Data<Platforms>) -> HttpResponse {
    let Some(grant) = platforms.token(Provider::Qq, &asked.access_token) else {
        return error(100016, "access token check failed");
    };
    let client = if grant.faults.foreign_client {
        "100000002"
    } else {
        QQ_APP
    };
    let mut answer = json!({"client_id": client, "openid": grant.open_id()});
    if asked.unionid == "1" {
        answer["unionid"] = grant.union_id().into();
    }
    respond(format!("callback( {answer} );\n"))
}

async fn user_info(asked: Query<Whose>, platforms: Data<Platforms>) -> HttpResponse {
    let grant = platforms.token(Provider::Qq, &asked.access_token);
    let answer = match grant {
        Some(grant) if grant.open_id() == asked.openid && asked.oauth_consumer_key == QQ_APP => {
            let picture = platforms.picture(&grant);
            json!({
                "ret": 0, "msg": "", "is_lost": 0, "nickname": grant.nickname(), "gender": "男",
                "figureurl_qq": picture, "figureurl_qq_1": picture, "figureurl_qq_2": picture,
            })
        }
        Some(_) => json!({"ret": 1002, "msg": "请先登录"}),
        None => json!({"ret": -23, "msg": "token is invalid"}),
    };
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .body(answer.to_string())
}
