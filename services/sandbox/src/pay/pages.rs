//! The cashier, the phone, and the list of payments: plain pages that fit a phone.

use payprotocol::money;

use super::books::{State, Trade};
use super::channel::Channel;
use crate::pages::{clock_text, escape, page, page_that_leaves};

fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Alipay => "支付宝",
        Channel::Wechat => "微信支付",
    }
}

fn state_name(state: State) -> &'static str {
    match state {
        State::Waiting => "等待付款",
        State::Paid => "已付款",
        State::Closed => "已关闭",
    }
}

fn sheet(title: &str, inner: &str) -> String {
    format!("<section class=\"phone pay\"><h1>{title}</h1>{inner}</section>")
}

fn bill(trade: &Trade) -> String {
    format!(
        "<p class=\"amount\"><small>¥</small>{}</p><dl><dt>商品</dt><dd>{}</dd><dt>收款方</dt><dd>玄览云</dd>\
         <dt>商户单号</dt><dd>{}</dd><dt>付款截止</dt><dd>{}</dd></dl>",
        money::yuan(trade.amount),
        escape(&trade.subject),
        escape(&trade.out_trade_no),
        clock_text(trade.expires_at_ms),
    )
}

fn choice(action: &str, name: &str, code: &str, no: &str) -> String {
    format!(
        "<form class=\"choice\" method=\"post\" action=\"{action}\">\
         <input type=\"hidden\" name=\"{name}\" value=\"{}\">\
         <button name=\"act\" value=\"pay\">确认付款</button>\
         <button class=\"plain\" name=\"act\" value=\"decline\">{no}</button></form>",
        escape(code)
    )
}

fn note(trade: &Trade) -> String {
    let text = match trade.state {
        State::Waiting => return String::new(),
        State::Paid => "付款成功",
        State::Closed => "交易已关闭，请回到商户页面重新下单",
    };
    format!("<p class=\"note\">{text}</p>")
}

/// Alipay's cashier.
pub(super) fn cashier(trade: &Trade) -> String {
    let end = match trade.state {
        State::Waiting => choice("/alipay/cashier", "no", &trade.code, "放弃"),
        _ => note(trade),
    };
    page(
        "支付宝收银台",
        0,
        &sheet("支付宝收银台", &(bill(trade) + &end)),
    )
}

fn link_back(address: &str) -> String {
    match address {
        "" => String::new(),
        address => format!(
            "<p class=\"note\"><a href=\"{}\">返回商户</a></p>",
            escape(address)
        ),
    }
}

pub(super) fn paid(trade: &Trade, back: &str) -> String {
    let text = match back {
        "" => "付款成功，可以关闭此页",
        _ => "付款成功，正在返回商户…",
    };
    let inner = format!(
        "{}<p class=\"note\">{text}</p>{}",
        bill(trade),
        link_back(back)
    );
    page_that_leaves("付款成功", back, &sheet("支付宝收银台", &inner))
}

pub(super) fn given_up(trade: &Trade) -> String {
    let inner = format!(
        "{}<p class=\"note\">已放弃付款，没有扣款</p>{}",
        bill(trade),
        link_back(&trade.return_url)
    );
    page("已放弃付款", 0, &sheet("支付宝收银台", &inner))
}

pub(super) fn refused(whose: &str, text: &str, reason: &str) -> String {
    let inner = format!(
        "<p class=\"note\">{}</p><p class=\"quiet\">{}</p>",
        escape(text),
        escape(reason)
    );
    page("无法付款", 0, &sheet(whose, &inner))
}

/// The codes that can be scanned.
pub(super) fn phone<'a>(waiting: impl Iterator<Item = &'a Trade>) -> String {
    let mut list = String::new();
    for trade in waiting.take(100) {
        list.push_str(&format!(
            "<li><a class=\"card\" href=\"/wechat/phone?pr={}\"><b>¥{} {}</b><span>{}</span></a></li>",
            escape(&trade.code),
            money::yuan(trade.amount),
            escape(&trade.subject),
            clock_text(trade.created_at_ms),
        ));
    }
    if list.is_empty() {
        list = "<li class=\"empty\">没有等待付款的二维码。在网站上选择微信支付后，它会出现在这里。</li>"
            .to_owned();
    }
    let inner = format!("<p class=\"quiet\">代替手机扫一扫，每 5 秒刷新</p><ul>{list}</ul>");
    page("微信扫一扫", 5, &sheet("微信扫一扫", &inner))
}

/// The phone's page after a scan.
pub(super) fn scanned(trade: &Trade, message: &str) -> String {
    let end = match trade.state {
        State::Waiting => choice("/wechat/phone", "pr", &trade.code, "拒绝"),
        _ => note(trade),
    };
    let message = match message {
        "" => String::new(),
        message => format!("<p class=\"note\">{}</p>", escape(message)),
    };
    let back = "<p class=\"quiet\"><a href=\"/wechat/phone\">全部二维码</a></p>";
    let inner = bill(trade) + &message + &end + back;
    page("微信支付", 0, &sheet("微信支付", &inner))
}

pub(super) fn overview(trades: &[Trade]) -> String {
    let mut list = String::new();
    for trade in trades {
        let href = match trade.channel {
            Channel::Alipay => format!("/alipay/cashier?no={}", trade.code),
            Channel::Wechat => format!("/wechat/phone?pr={}", trade.code),
        };
        list.push_str(&format!(
            "<li><a class=\"card\" href=\"{}\"><b>¥{} {}</b><span>{} · {} · {}</span></a></li>",
            escape(&href),
            money::yuan(trade.amount),
            escape(&trade.subject),
            channel_name(trade.channel),
            state_name(trade.state),
            clock_text(trade.created_at_ms),
        ));
    }
    if list.is_empty() {
        list = "<li class=\"empty\">还没有交易。</li>".to_owned();
    }
    let inner = format!(
        "<p class=\"quiet\">最近的交易；<a href=\"/wechat/phone\">微信扫一扫</a> · \
         <a href=\"/books\">账簿</a></p><ul>{list}</ul>"
    );
    page("支付", 5, &sheet("支付", &inner))
}

#[cfg(test)]
mod tests {
    use super::super::faults::Faults;
    use super::*;

    #[test]
    fn what_a_merchant_writes_is_escaped() {
        let hostile = "\"><script>alert(1)</script>".to_owned();
        let trade = Trade {
            channel: Channel::Alipay,
            out_trade_no: hostile.clone(),
            provider_no: hostile.clone(),
            amount: 29_900,
            state: State::Waiting,
            subject: hostile.clone(),
            notify_url: hostile.clone(),
            return_url: hostile.clone(),
            code: hostile.clone(),
            created_at_ms: 0,
            expires_at_ms: 0,
            paid_at_ms: 0,
            by_certificate: false,
            faults: Faults::default(),
        };
        let pages = [
            cashier(&trade),
            paid(&trade, &hostile),
            given_up(&trade),
            refused("支付宝", &hostile, &hostile),
            phone([&trade].into_iter()),
            scanned(&trade, &hostile),
            overview(&[trade]),
        ];
        for page in pages {
            assert!(!page.contains("<script>"), "{page}");
        }
    }
}
