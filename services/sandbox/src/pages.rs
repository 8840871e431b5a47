//! The pages: self-contained, in the brand's colours, everything from outside escaped.

use time::{OffsetDateTime, UtcOffset};

use crate::store::{Mail, Puzzle, Sms};

const STYLE: &str = include_str!("style.css");
const MARK: &str = include_str!("mark.svg");

pub use payprotocol::html::escape;

pub(crate) fn page(title: &str, refresh_seconds: u32, body: &str) -> String {
    let refresh = match refresh_seconds {
        0 => String::new(),
        seconds => format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">"),
    };
    whole(title, &refresh, body)
}

/// A page that redirects to another URL; if empty, it stays.
pub(crate) fn page_that_leaves(title: &str, address: &str, body: &str) -> String {
    let refresh = match address {
        "" => String::new(),
        address => format!(
            "<meta http-equiv=\"refresh\" content=\"1;url={}\">",
            escape(address)
        ),
    };
    whole(title, &refresh, body)
}

fn whole(title: &str, refresh: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"zh-CN\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">{refresh}\
         <title>{title} · 玄览云沙箱</title><style>{STYLE}</style></head><body>\
         <header><a href=\"/\">{MARK}<b>玄览云沙箱</b></a><nav><a href=\"/sms\">短信</a>\
         <a href=\"/mail\">邮件</a><a href=\"/authenticator\">验证器</a>\
         <a href=\"/slider\">滑块</a><a href=\"/pay\">支付</a></nav></header><main>{body}</main></body></html>"
    )
}

pub fn index() -> String {
    page(
        "首页",
        0,
        "<h1>沙箱</h1><p class=\"quiet\">这里显示本机试用时本该发到手机上、或由人眼判断的内容。\
         它只在试用环境打开，任何能访问此页的人都能看到全部验证码。</p>\
         <div class=\"cards\"><a class=\"card\" href=\"/sms\"><b>短信收件箱</b>\
         <span>注册、登录、找回密码时发出的验证码</span></a>\
         <a class=\"card\" href=\"/mail\"><b>邮箱</b><span>绑定邮箱等发出的邮件</span></a>\
         <a class=\"card\" href=\"/authenticator\"><b>验证器</b><span>代替手机上的验证器，显示二次验证的六位数字</span></a>\
         <a class=\"card\" href=\"/slider\"><b>滑块答案</b><span>最近的拼图与缺口位置</span></a>\
         <a class=\"card\" href=\"/pay\"><b>支付</b><span>支付宝收银台与微信扫一扫，不动真钱</span></a></div>",
    )
}

pub fn inbox(phone: &str, messages: &[Sms]) -> String {
    let mut list = String::new();
    for sms in messages.iter().take(100) {
        list.push_str(&format!(
            "<li><div class=\"meta\"><span>{}</span><time>{}</time></div>\
             <p class=\"bubble\">{}</p><div class=\"code\">{}</div></li>",
            escape(&sms.phone),
            clock_text(sms.time),
            escape(&sms.text),
            escape(&sms.code),
        ));
    }
    if list.is_empty() {
        list = "<li class=\"empty\">还没有短信。在网站上获取验证码后，它会出现在这里。</li>"
            .to_owned();
    }
    let whose = match phone {
        "" => "全部号码".to_owned(),
        phone => escape(phone),
    };
    let body = format!(
        "<section class=\"phone\"><h1>短信</h1><form method=\"get\" action=\"/sms\">\
         <input name=\"phone\" inputmode=\"numeric\" maxlength=\"11\" placeholder=\"按手机号查看\" \
         aria-label=\"手机号\" value=\"{}\"><button>查看</button></form>\
         <p class=\"quiet\">{whose}，每 5 秒刷新</p><ul>{list}</ul></section>",
        escape(phone)
    );
    page("短信收件箱", 5, &body)
}

pub fn mailbox(to: &str, mails: &[Mail]) -> String {
    let mut list = String::new();
    for mail in mails.iter().take(100) {
        list.push_str(&format!(
            "<li><div class=\"meta\"><span>{}</span><time>{}</time></div><b>{}</b>\
             <p class=\"bubble text\">{}</p><div class=\"code\">{}</div></li>",
            escape(&mail.to),
            clock_text(mail.time),
            escape(&mail.subject),
            escape(&mail.text),
            escape(&mail.code),
        ));
    }
    if list.is_empty() {
        list = "<li class=\"empty\">还没有邮件。网站发出的邮件会出现在这里。</li>".to_owned();
    }
    let whose = match to {
        "" => "全部邮箱".to_owned(),
        to => escape(to),
    };
    let body = format!(
        "<section class=\"phone\"><h1>邮箱</h1><form method=\"get\" action=\"/mail\">\
         <input name=\"to\" inputmode=\"email\" maxlength=\"64\" placeholder=\"按邮箱查看\" \
         aria-label=\"邮箱\" value=\"{}\"><button>查看</button></form>\
         <p class=\"quiet\">{whose}，每 5 秒刷新</p><ul>{list}</ul></section>",
        escape(to)
    );
    page("邮箱", 5, &body)
}

pub fn puzzles(latest: &[Puzzle]) -> String {
    let mut list = String::new();
    for puzzle in latest {
        list.push_str(&format!(
            "<a class=\"card\" href=\"/slider?id={}\">{}<span>{}</span></a>",
            escape(&puzzle.id),
            picture(puzzle),
            answer_text(puzzle),
        ));
    }
    if list.is_empty() {
        list = "<p class=\"quiet\">还没有拼图。在网站上打开智能验证后，答案会出现在这里。</p>"
            .to_owned();
    }
    let body = format!("<h1>滑块答案</h1><div class=\"cards\">{list}</div>");
    page("滑块答案", 5, &body)
}

pub fn puzzle(puzzle: &Puzzle) -> String {
    let body = format!(
        "<h1>滑块答案</h1><div class=\"card\">{}<b>{}</b><span>编号 {}</span>\
         <span>有效至 {}</span></div>",
        picture(puzzle),
        answer_text(puzzle),
        escape(&puzzle.id),
        clock_text(puzzle.expires_at),
    );
    page("滑块答案", 0, &body)
}

pub fn missing() -> String {
    let text = "<h1>没有这个拼图</h1><p class=\"quiet\">它可能已经过期，或者编号不对。\
                回到<a href=\"/slider\">滑块答案</a>看最近的拼图。</p>";
    page("没有找到", 0, text)
}

fn answer_text(puzzle: &Puzzle) -> String {
    match puzzle.x {
        Some(x) => format!("拼图左边缘移到 {x} 像素处"),
        None if !puzzle.answer.is_empty() => {
            format!("{}答：{}", escape(&puzzle.question), escape(&puzzle.answer))
        }
        None => "沿图中路线刮开盾牌".to_owned(),
    }
}

/// The image with the solution drawn over it.
fn picture(puzzle: &Puzzle) -> String {
    if !puzzle.background.starts_with("data:image/") {
        return String::new();
    }
    let mut over = String::new();
    if let Some(x) = puzzle.x {
        over.push_str(&format!(
            "<image href=\"{}\" x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            escape(&puzzle.piece),
            puzzle.piece_y,
            puzzle.piece_width,
            puzzle.piece_width
        ));
    }
    for stroke in puzzle.strokes.iter().flatten() {
        let mut points = String::new();
        for (x, y, _) in stroke {
            points.push_str(&format!("{x},{y} "));
        }
        over.push_str(&format!("<polyline points=\"{points}\"/>"));
    }
    format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"拼图与答案\">\
         <image href=\"{}\" width=\"{}\" height=\"{}\"/>{over}</svg>",
        puzzle.width,
        puzzle.height,
        escape(&puzzle.background),
        puzzle.width,
        puzzle.height,
    )
}

/// Time of day in China, where the users are.
pub(crate) fn clock_text(unix_ms: i64) -> String {
    let zone = UtcOffset::from_hms(8, 0, 0).unwrap_or(UtcOffset::UTC);
    let at = OffsetDateTime::from_unix_timestamp(unix_ms / 1000).map(|at| at.to_offset(zone));
    match at {
        Ok(at) => format!("{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second()),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_is_escaped() {
        let sms = Sms {
            phone: "<b>".into(),
            purpose: "login".into(),
            code: "\"'".into(),
            text: "<script>alert(1)</script>&".into(),
            time: 0,
        };
        let html = inbox("\"><script>", &[sms]);
        assert!(!html.contains("<script>"), "{html}");
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"));
        assert!(html.contains("value=\"&quot;&gt;&lt;script&gt;\""));
    }

    #[test]
    fn times_are_those_of_china() {
        assert_eq!(clock_text(0), "08:00:00");
        assert_eq!(clock_text(i64::MAX), "");
    }
}
