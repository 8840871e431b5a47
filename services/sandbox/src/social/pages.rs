//! The pages of both platforms.

use super::Provider;
use crate::pages::{escape, page, page_that_leaves};

fn title(provider: Provider) -> &'static str {
    match provider {
        Provider::Wechat => "微信登录",
        Provider::Qq => "QQ登录",
    }
}

fn sheet(provider: Provider, inner: &str) -> String {
    let title = title(provider);
    format!("<section class=\"phone pay\"><h1>{title}</h1>{inner}</section>")
}

fn hidden(name: &str, value: &str) -> String {
    format!(
        "<input type=\"hidden\" name=\"{name}\" value=\"{}\">",
        escape(value)
    )
}

/// Asks for the user's name and consent.
pub(super) fn consent(provider: Provider, redirect: &str, state: &str) -> String {
    let kind = match provider {
        Provider::Wechat => "wechat",
        Provider::Qq => "qq",
    };
    let inner = format!(
        "<p class=\"quiet\">玄览云申请使用您的昵称和头像。换一个昵称就是换一个人。</p>\
         <form class=\"choice\" method=\"post\" action=\"/social/agree\">{}{}{}\
         <label>昵称 <input name=\"name\" maxlength=\"32\" required value=\"小明\"></label>\
         <button name=\"act\" value=\"allow\">允许</button>\
         <button class=\"plain\" name=\"act\" value=\"refuse\">拒绝</button></form>",
        hidden("provider", kind),
        hidden("redirect_uri", redirect),
        hidden("state", state),
    );
    page(title(provider), 0, &sheet(provider, &inner))
}

pub(super) fn wrong(provider: Provider, text: &str) -> String {
    let inner = format!("<p class=\"note\">{}</p>", escape(text));
    page(title(provider), 0, &sheet(provider, &inner))
}

/// Returns the browser to the website.
pub(super) fn back(provider: Provider, address: &str) -> String {
    let inner = format!(
        "<p class=\"note\">正在返回玄览云…</p><p class=\"note\"><a href=\"{}\">立即返回</a></p>",
        escape(address)
    );
    page_that_leaves(title(provider), address, &sheet(provider, &inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_website_writes_is_escaped() {
        let hostile = "\"><script>alert(1)</script>";
        for page in [
            consent(Provider::Wechat, hostile, hostile),
            wrong(Provider::Qq, hostile),
            back(Provider::Qq, hostile),
        ] {
            assert!(!page.contains("<script>"), "{page}");
        }
    }
}
