//! Inserts content's head and text of a page into the frontend's HTML; the script draws the page over the text later.

use std::fmt::Write as _;

use proto::content::v1::PageReply;

const PRODUCT: &str = "玄览云";
/// Placeholder for the origin in JSON-LD.
const SITE: &str = "%SITE%";
const ROOT: &str = "<div id=\"root\">";
/// A script that the page fetches. With the text, it comes after everything that the text needs.
const SCRIPT: &str = "<link rel=\"preload\" as=\"script\"";
const LATER_SCRIPT: &str = "<link rel=\"preload\" as=\"script\" fetchpriority=\"low\"";
/// Style of the text until the script draws the page. No margin at the top: it would be the body's, and the body would jump
/// when the page replaces the text. With scripts, what is below the first screen is laid out after two seconds: until then the
/// page has usually replaced it.
const STYLE: &str = "<style>#root>main{max-width:760px;margin:0 auto;padding:96px 16px 48px;\
color:#1c2330;font:16px/28px \"Noto Sans CJK SC\",-apple-system,\"PingFang SC\",\"Microsoft YaHei\",sans-serif}\
#root>main pre,#root>main table{overflow-x:auto;display:block}\
@keyframes below{to{content-visibility:visible}}\
@media(scripting:enabled){#root>main>:nth-child(n+13),#root>main>ul>li:nth-child(n+13)\
{content-visibility:hidden;contain-intrinsic-height:auto 56px;animation:below 1s 2s both}}</style>";

/// Escaped for text, for attributes in double quotes, and for XML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML allows no other control characters.
            c if c < ' ' && !matches!(c, '\t' | '\n' | '\r') => {}
            c => out.push(c),
        }
    }
    out
}

/// The page as sent. `origin`: scheme and host of the request; empty if unknown.
pub fn with_text(shell: &str, reply: &PageReply, origin: &str) -> String {
    let (title, description) = (escaped(&reply.title), escaped(&reply.description));
    let page = replaced(shell, "<title>", "</title>", &title);
    let page = replaced(
        &page,
        "<meta name=\"description\" content=\"",
        "\"",
        &description,
    );
    // It would cover the text, which needs no script.
    let page = removed(&page, "<noscript>", "</noscript>");
    // whatever stands there instead of the text
    let page = replaced(&page, ROOT, "</div>", &reply.body_html);
    let Some((before, after)) = page.split_once("</head>") else {
        return page;
    };
    // A page with first lines of its own says so already.
    let before = match before.contains(LATER_SCRIPT) {
        true => before.to_owned(),
        false => before.replace(SCRIPT, LATER_SCRIPT),
    };
    let head = head(reply, origin);
    format!("{before}{head}</head>{after}")
}

fn head(reply: &PageReply, origin: &str) -> String {
    let address = escaped(&format!("{origin}{}", reply.canonical));
    let mut head = String::new();
    if !origin.is_empty() {
        let _ = write!(head, "<link rel=\"canonical\" href=\"{address}\">");
        property("og:url", &address, &mut head);
    }
    property("og:type", &escaped(&reply.og_type), &mut head);
    property("og:site_name", PRODUCT, &mut head);
    property("og:locale", "zh_CN", &mut head);
    property("og:title", &escaped(&reply.title), &mut head);
    property("og:description", &escaped(&reply.description), &mut head);
    head.push_str("<meta name=\"twitter:card\" content=\"summary\">");
    head.push_str("<link rel=\"alternate\" type=\"application/atom+xml\" href=\"/atom.xml\">");
    if !reply.json_ld.is_empty() && !origin.is_empty() {
        // A host has no character that is special in JSON or HTML.
        let json = reply.json_ld.replace(SITE, origin);
        let _ = write!(head, "<script type=\"application/ld+json\">{json}</script>");
    }
    head.push_str(STYLE);
    head
}

fn property(name: &str, escaped: &str, head: &mut String) {
    let _ = write!(head, "<meta property=\"{name}\" content=\"{escaped}\">");
}

/// The page with `text` between the first `from` and the `to` after it.
fn replaced(page: &str, from: &str, to: &str, text: &str) -> String {
    let Some((before, rest)) = page.split_once(from) else {
        return page.to_owned();
    };
    match rest.split_once(to) {
        Some((_, after)) => format!("{before}{from}{text}{to}{after}"),
        None => page.to_owned(),
    }
}

fn removed(page: &str, from: &str, to: &str) -> String {
    let Some((before, rest)) = page.split_once(from) else {
        return page.to_owned();
    };
    match rest.split_once(to) {
        Some((_, after)) => format!("{before}{after}"),
        None => page.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELL: &str = "<!doctype html><head><meta name=\"description\" content=\"alt\"/>\
        <link rel=\"preload\" as=\"script\" href=\"/b.js\"><title>玄览云</title></head><body><div id=\"root\"></div>\
        <noscript><div class=\"boot\">x</div></noscript><script src=\"/a.js\"></script></body>";

    #[test]
    fn head_and_text_stand_where_they_belong() {
        let reply = PageReply {
            title: "齿轮 - 玄览云".to_owned(),
            description: "说明".to_owned(),
            canonical: "/news/detail?id=1&cid=2".to_owned(),
            og_type: "article".to_owned(),
            json_ld: "{\"a\":\"%SITE%/b\"}".to_owned(),
            body_html: "<main><h1>齿轮</h1></main>".to_owned(),
            ..PageReply::default()
        };
        let page = with_text(SHELL, &reply, "https://x.test");
        assert!(page.contains("<title>齿轮 - 玄览云</title>"));
        assert!(page.contains("name=\"description\" content=\"说明\""));
        assert!(page.contains("href=\"https://x.test/news/detail?id=1&amp;cid=2\""));
        assert!(page.contains("{\"a\":\"https://x.test/b\"}"));
        assert!(page.contains("<div id=\"root\"><main><h1>齿轮</h1></main></div>"));
        assert!(!page.contains("noscript"));
        assert!(page.contains("<script src=\"/a.js\">"));
        assert!(page.contains(&format!("{LATER_SCRIPT} href=\"/b.js\">")));
        // instead of the first lines of a page that has some
        let first = SHELL.replace(ROOT, "<div id=\"root\"><main>先</main>");
        assert_eq!(with_text(&first, &reply, "https://x.test"), page);
        let unknown_host = with_text(SHELL, &reply, "");
        assert!(!unknown_host.contains("canonical") && !unknown_host.contains("ld+json"));
    }

    #[test]
    fn a_shell_of_another_form_is_sent_as_it_is() {
        let reply = PageReply::default();
        assert_eq!(with_text("<p>x</p>", &reply, "http://x"), "<p>x</p>");
    }
}
