//! WeChat, website applications: qrconnect, access_token, userinfo.

use super::provider::{
    Application, Person, Protocol, ProviderError, id, id_if_any, json, nickname, text, with_query,
};

pub struct Wechat;

#[async_trait::async_trait]
impl Protocol for Wechat {
    fn authorize_url(&self, application: &Application, redirect: &str, state: &str) -> String {
        let fields = [
            ("appid", application.id.as_str()),
            ("redirect_uri", redirect),
            ("response_type", "code"),
            ("scope", "snsapi_login"),
            ("state", state),
        ];
        let address = with_query(&application.authorize_url, &fields);
        format!("{address}#wechat_redirect")
    }

    async fn person(
        &self,
        application: &Application,
        code: &str,
        _: &str,
    ) -> Result<Person, ProviderError> {
        let fields = [
            ("appid", application.id.as_str()),
            ("secret", &application.secret),
            ("code", code),
            ("grant_type", "authorization_code"),
        ];
        let answer = application.ask("/sns/oauth2/access_token", &fields).await?;
        let granted = checked(&answer)?;
        let open_id = id(&granted, "openid")?;
        let fields = [
            ("access_token", text(&granted, "access_token")),
            ("openid", &open_id),
        ];
        let person = checked(&application.ask("/sns/userinfo", &fields).await?)?;
        if text(&person, "openid") != open_id {
            return Err(ProviderError::Odd("somebody else's userinfo".to_owned()));
        }
        let union_id = id_if_any(&granted, "unionid")?;
        let union = id_if_any(&person, "unionid")?;
        if union_id.is_some() && union.is_some() && union_id != union {
            return Err(ProviderError::Odd("two unionids".to_owned()));
        }
        Ok(Person {
            open_id,
            union_id: union_id.or(union),
            nickname: nickname(text(&person, "nickname")),
            picture: text(&person, "headimgurl").to_owned(),
        })
    }
}

/// A response without an errcode.
fn checked(answer: &str) -> Result<serde_json::Value, ProviderError> {
    let value = json(answer)?;
    match value["errcode"].as_i64() {
        None | Some(0) => Ok(value),
        Some(code) => Err(ProviderError::Refused(format!(
            "{code} {}",
            text(&value, "errmsg")
        ))),
    }
}
