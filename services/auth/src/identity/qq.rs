//! QQ: authorize, token, me, get_user_info. Its responses are forms, or JSON inside `callback( … );`.

use serde_json::Value;

use super::provider::{
    Application, Person, Protocol, ProviderError, id, id_if_any, json, nickname, text, with_query,
};

pub struct Qq;

#[async_trait::async_trait]
impl Protocol for Qq {
    fn authorize_url(&self, application: &Application, redirect: &str, state: &str) -> String {
        let fields = [
            ("response_type", "code"),
            ("client_id", application.id.as_str()),
            ("redirect_uri", redirect),
            ("scope", "get_user_info"),
            ("state", state),
        ];
        with_query(&application.authorize_url, &fields)
    }

    async fn person(
        &self,
        application: &Application,
        code: &str,
        redirect: &str,
    ) -> Result<Person, ProviderError> {
        let fields = [
            ("grant_type", "authorization_code"),
            ("client_id", application.id.as_str()),
            ("client_secret", &application.secret),
            ("code", code),
            ("redirect_uri", redirect),
        ];
        let token = token_of(&application.ask("/oauth2.0/token", &fields).await?)?;
        let fields = [("access_token", token.as_str()), ("unionid", "1")];
        let me = checked(&application.ask("/oauth2.0/me", &fields).await?)?;
        // A token issued to another application signs no user in here.
        if text(&me, "client_id") != application.id {
            return Err(ProviderError::Odd(
                "a token of another application".to_owned(),
            ));
        }
        let open_id = id(&me, "openid")?;
        let fields = [
            ("access_token", token.as_str()),
            ("oauth_consumer_key", &application.id),
            ("openid", &open_id),
        ];
        let person = checked(&application.ask("/user/get_user_info", &fields).await?)?;
        if person["ret"].as_i64() != Some(0) {
            let reason = format!("{} {}", person["ret"], text(&person, "msg"));
            return Err(ProviderError::Refused(reason));
        }
        let large = text(&person, "figureurl_qq_2");
        let picture = if large.is_empty() {
            text(&person, "figureurl_qq_1")
        } else {
            large
        };
        Ok(Person {
            open_id,
            union_id: id_if_any(&me, "unionid")?,
            nickname: nickname(text(&person, "nickname")),
            picture: picture.to_owned(),
        })
    }
}

/// The content of `callback( … );`, or the text itself.
fn unwrapped(answer: &str) -> &str {
    let answer = answer.trim();
    let inner = answer
        .strip_prefix("callback")
        .map(str::trim_start)
        .and_then(|rest| rest.strip_prefix('('))
        .and_then(|rest| {
            rest.trim_end_matches([';', ' ', '\n', '\r'])
                .strip_suffix(')')
        });
    inner.unwrap_or(answer).trim()
}

/// A response without an error.
fn checked(answer: &str) -> Result<Value, ProviderError> {
    let value = json(unwrapped(answer))?;
    match &value["error"] {
        Value::Null => Ok(value),
        error => Err(ProviderError::Refused(format!(
            "{error} {}",
            text(&value, "error_description")
        ))),
    }
}

pub fn token_of(answer: &str) -> Result<String, ProviderError> {
    let inner = unwrapped(answer);
    let token = match inner.starts_with('{') {
        true => text(&checked(inner)?, "access_token").to_owned(),
        false => form_urlencoded::parse(inner.as_bytes())
            .find(|(name, _)| name == "access_token")
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default(),
    };
    match token.is_empty() {
        true => Err(ProviderError::Odd("no access_token".to_owned())),
        false => Ok(token),
    }
}
