//! The merchant's side of Alipay: requests, and parsing of responses and notifications.

use serde_json::{Value, json};

use super::{Dialect, Params, form, read_form, response, sign, text, verify};
use crate::trade::at_most;
use crate::{
    Failure, Notice, Order, PrivateKey, ProtocolError, PublicKey, Refund, RefundState, ToldRefund,
    Trade, TradeState, clock, money,
};

const PAGE_PAY: &str = "alipay.trade.page.pay";
const QUERY: &str = "alipay.trade.query";
const CLOSE: &str = "alipay.trade.close";
const REFUND: &str = "alipay.trade.refund";
const REFUND_QUERY: &str = "alipay.trade.fastpay.refund.query";

/// Longest subject in characters, with some margin.
const MAX_SUBJECT: usize = 120;
/// Longest account of what cannot be read, in bytes.
const MAX_WHY: usize = 300;

/// A merchant's application registered at Alipay.
#[derive(Debug, Clone)]
pub struct Merchant {
    pub app_id: String,
    /// The seller's account (2088…), named in notifications.
    pub seller_id: String,
    /// Address of `gateway.do`.
    pub gateway: String,
    pub notify_url: String,
    pub key: PrivateKey,
    pub alipay_key: PublicKey,
    /// The predecessor or successor of `alipay_key` during a key change: a signature by either is accepted.
    pub other_alipay_key: Option<PublicKey>,
}

impl Merchant {
    fn request(&self, method: &str, content: &Value, now_ms: i64) -> Params {
        let content = content.to_string();
        let timestamp = clock::alipay(now_ms);
        let pairs = [
            ("app_id", self.app_id.as_str()),
            ("method", method),
            ("format", "JSON"),
            ("charset", "utf-8"),
            ("sign_type", "RSA2"),
            ("timestamp", &timestamp),
            ("version", "1.0"),
            ("biz_content", &content),
        ];
        pairs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    fn signed(&self, method: &str, content: &Value, now_ms: i64) -> Result<Params, ProtocolError> {
        sign(
            self.request(method, content, now_ms),
            Dialect::Request,
            &self.key,
        )
    }

    /// The signed parameters of a page payment. With an empty `return_url` the browser stays at Alipay.
    pub fn page_pay(
        &self,
        order: &Order<'_>,
        return_url: &str,
        now_ms: i64,
    ) -> Result<Params, ProtocolError> {
        let content = json!({
            "out_trade_no": order.number,
            "total_amount": money::yuan(order.cents),
            "subject": subject(order.subject),
            "product_code": "FAST_INSTANT_TRADE_PAY",
            "time_expire": clock::alipay(order.expires_at_ms),
        });
        let mut params = self.request(PAGE_PAY, &content, now_ms);
        params.insert("notify_url".to_owned(), self.notify_url.clone());
        if !return_url.is_empty() {
            params.insert("return_url".to_owned(), return_url.to_owned());
        }
        sign(params, Dialect::Request, &self.key)
    }

    /// The HTML form of a page payment.
    pub fn page_pay_form(
        &self,
        order: &Order<'_>,
        return_url: &str,
        now_ms: i64,
    ) -> Result<String, ProtocolError> {
        Ok(form(
            &self.gateway,
            &self.page_pay(order, return_url, now_ms)?,
        ))
    }

    pub fn query(&self, number: &str, now_ms: i64) -> Result<Params, ProtocolError> {
        self.signed(QUERY, &json!({"out_trade_no": number}), now_ms)
    }

    pub fn close(&self, number: &str, now_ms: i64) -> Result<Params, ProtocolError> {
        self.signed(CLOSE, &json!({"out_trade_no": number}), now_ms)
    }

    pub fn refund(&self, refund: &Refund<'_>, now_ms: i64) -> Result<Params, ProtocolError> {
        let content = json!({
            "out_trade_no": refund.payment,
            "out_request_no": refund.number,
            "refund_amount": money::yuan(refund.cents),
            "refund_reason": at_most(refund.reason, 256),
        });
        self.signed(REFUND, &content, now_ms)
    }

    pub fn query_refund(&self, refund: &Refund<'_>, now_ms: i64) -> Result<Params, ProtocolError> {
        let content = json!({
            "out_trade_no": refund.payment,
            "out_request_no": refund.number,
        });
        self.signed(REFUND_QUERY, &content, now_ms)
    }

    /// Parses the response to [`Merchant::query`].
    pub fn read_query(&self, body: &[u8], number: &str) -> Result<Trade, Failure> {
        let reply = self.content(body, QUERY)?;
        if field(&reply, "out_trade_no") != number {
            return Err(Failure::Unclear("answer about another payment".to_owned()));
        }
        let trade = trade(
            number,
            field(&reply, "trade_no"),
            field(&reply, "trade_status"),
            field(&reply, "total_amount"),
        )?;
        Ok(trade)
    }

    /// Parses the response to [`Merchant::close`]. A payment that cannot be closed is not an error: the caller queries
    /// it afterwards.
    pub fn read_close(&self, body: &[u8]) -> Result<(), Failure> {
        match self.content(body, CLOSE) {
            Ok(_) | Err(Failure::Unknown | Failure::Refused(_)) => Ok(()),
            Err(unclear) => Err(unclear),
        }
    }

    /// Parses the response to [`Merchant::refund`].
    pub fn read_refund(&self, body: &[u8], refund: &Refund<'_>) -> Result<RefundState, Failure> {
        let reply = self.content(body, REFUND)?;
        if field(&reply, "out_trade_no") != refund.payment {
            return Err(Failure::Unclear("answer about another payment".to_owned()));
        }
        // N: this call moved no money. An earlier one may have, so the caller queries the refund.
        Ok(match field(&reply, "fund_change") {
            "Y" => RefundState::Done,
            _ => RefundState::Pending,
        })
    }

    /// Parses the response to [`Merchant::query_refund`].
    pub fn read_query_refund(
        &self,
        body: &[u8],
        refund: &Refund<'_>,
    ) -> Result<RefundState, Failure> {
        let reply = self.content(body, REFUND_QUERY)?;
        let amount = field(&reply, "refund_amount");
        // For a refund that never existed Alipay returns success with no fields.
        if amount.is_empty() && field(&reply, "refund_status").is_empty() {
            return Err(Failure::Unknown);
        }
        let ours = field(&reply, "out_trade_no") == refund.payment
            && field(&reply, "out_request_no") == refund.number;
        if !ours || money::cents(amount) != Some(refund.cents) {
            return Err(Failure::Unclear("answer about another refund".to_owned()));
        }
        Ok(match field(&reply, "refund_status") {
            "" | "REFUND_SUCCESS" => RefundState::Done,
            _ => RefundState::Pending,
        })
    }

    /// Parses with Alipay's key, or with the other one if that made the signature.
    fn by_either<T>(
        &self,
        read: impl Fn(&PublicKey) -> Result<T, ProtocolError>,
    ) -> Result<T, ProtocolError> {
        match (read(&self.alipay_key), &self.other_alipay_key) {
            (Err(ProtocolError::Signature), Some(other)) => read(other),
            (reply, _) => reply,
        }
    }

    fn content(&self, body: &[u8], method: &str) -> Result<Value, Failure> {
        let reply = self.by_either(|key| response::read(body, method, key))?;
        let sub = field(&reply, "sub_code");
        match (field(&reply, "code"), sub) {
            ("10000", _) => Ok(reply),
            ("40004", "ACQ.TRADE_NOT_EXIST") => Err(Failure::Unknown),
            ("40004", sub) if !sub.contains("SYSTEM_ERROR") => {
                let reason = format!("{sub} {}", field(&reply, "sub_msg"));
                Err(Failure::Refused(at_most(&reason, 200).to_owned()))
            }
            (code, sub) => Err(Failure::Unclear(
                at_most(&format!("{code} {sub}"), 200).to_owned(),
            )),
        }
    }

    /// Verifies and parses a notification; `None` if it does not concern a payment.
    pub fn read_notification(&self, body: &[u8]) -> Result<Option<Notice>, ProtocolError> {
        let params = read_form(body)?;
        self.by_either(|key| verify(&params, Dialect::Notice, key))?;
        let number = text(&params, "out_trade_no").to_owned();
        let provider_no = text(&params, "trade_no");
        if number.is_empty() && provider_no.is_empty() {
            return Ok(None);
        }
        let (status, amount) = (text(&params, "trade_status"), text(&params, "total_amount"));
        let ours = text(&params, "app_id") == self.app_id;
        let refund = told_refund(&params);
        if status.is_empty()
            && let Some(mut refund) = refund
        {
            refund.foreign = !ours;
            return Ok(Some(Notice::Refund {
                payment: number,
                refund,
            }));
        }
        let trade = trade(&number, provider_no, status, amount);
        let (false, Ok(mut trade)) = (number.is_empty(), trade) else {
            let why = format!("state {status:?}, amount {amount:?}, number {provider_no:?}");
            return Ok(Some(Notice::Unreadable {
                number,
                why: at_most(&why, MAX_WHY).to_owned(),
            }));
        };
        if !ours {
            trade.foreign = Some("app_id");
        } else if text(&params, "seller_id") != self.seller_id {
            trade.foreign = Some("seller_id");
        }
        Ok(Some(Notice::Trade { trade, refund }))
    }
}

/// What a notification says of refunds; later notifications of the payment say it too.
fn told_refund(params: &Params) -> Option<ToldRefund> {
    let (fee, at) = (text(params, "refund_fee"), text(params, "gmt_refund"));
    // Before the first refund the fee is missing, or zero.
    if at.is_empty() && (fee.is_empty() || money::cents(fee) == Some(0)) {
        return None;
    }
    Some(ToldRefund {
        number: at_most(text(params, "out_biz_no"), 64).to_owned(),
        cents: money::cents(fee),
        foreign: false,
    })
}

fn field<'a>(reply: &'a Value, name: &str) -> &'a str {
    reply.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Alipay rejects `/`, `=` and `&` in a subject.
fn subject(text: &str) -> String {
    let plain = text.chars().take(MAX_SUBJECT).map(|c| match c {
        '/' | '=' | '&' => ' ',
        other => other,
    });
    plain.collect()
}

fn trade(number: &str, provider_no: &str, status: &str, amount: &str) -> Result<Trade, Failure> {
    let state = match status {
        "WAIT_BUYER_PAY" => TradeState::Waiting,
        "TRADE_SUCCESS" | "TRADE_FINISHED" => TradeState::Paid,
        "TRADE_CLOSED" => TradeState::Closed,
        other => return Err(Failure::Unclear(format!("state {}", at_most(other, 40)))),
    };
    let cents = money::cents(amount);
    Ok(Trade {
        number: number.to_owned(),
        provider_no: at_most(provider_no, 64).to_owned(),
        cents: cents.ok_or_else(|| Failure::Unclear("amount".to_owned()))?,
        state,
        foreign: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::tests::keys;
    use proptest::prelude::*;

    fn merchant() -> Merchant {
        Merchant {
            app_id: "2021".to_owned(),
            seller_id: "2088".to_owned(),
            gateway: "https://x/gateway.do".to_owned(),
            notify_url: "https://y/notify".to_owned(),
            key: keys().0.clone(),
            alipay_key: keys().1.public().unwrap(),
            other_alipay_key: None,
        }
    }

    fn refund() -> Refund<'static> {
        Refund {
            number: "r1",
            payment: "a1",
            cents: 100,
            total: 200,
            reason: "退款",
        }
    }

    fn answered(method: &str, content: Value) -> Vec<u8> {
        response::write(method, &content, &keys().1)
            .unwrap()
            .into_bytes()
    }

    fn notice(change: &[(&str, &str)]) -> Vec<u8> {
        let pairs = [
            ("out_trade_no", "a1"),
            ("trade_no", "2026"),
            ("trade_status", "TRADE_SUCCESS"),
            ("total_amount", "299.00"),
            ("app_id", "2021"),
            ("seller_id", "2088"),
        ];
        let params = pairs.iter().chain(change);
        let params = params
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        super::super::encode(&sign(params, Dialect::Notice, &keys().1).unwrap()).into_bytes()
    }

    #[test]
    fn a_page_payment_contains_expiry_and_return_url() {
        let order = Order {
            number: "a1",
            cents: 29_900,
            subject: "基础会员/一年",
            expires_at_ms: 1_800_000,
        };
        let params = merchant().page_pay(&order, "https://y/back", 0).unwrap();
        verify(&params, Dialect::Request, &keys().0.public().unwrap()).unwrap();
        let content: Value = serde_json::from_str(text(&params, "biz_content")).unwrap();
        assert_eq!(content["total_amount"], "299.00");
        assert_eq!(content["time_expire"], "1970-01-01 08:30:00");
        assert_eq!(content["subject"], "基础会员 一年");
        assert_eq!(text(&params, "timestamp"), "1970-01-01 08:00:00");
        assert_eq!(text(&params, "return_url"), "https://y/back");
    }

    #[test]
    fn while_the_key_changes_either_is_believed() {
        let (ours, theirs) = keys();
        let mut m = merchant();
        m.alipay_key = ours.public().unwrap();
        let reply = answered(
            QUERY,
            json!({"code": "10000", "out_trade_no": "a1", "trade_no": "2026",
            "trade_status": "TRADE_SUCCESS", "total_amount": "299.00"}),
        );
        assert!(m.read_query(&reply, "a1").is_err());
        assert_eq!(
            m.read_notification(&notice(&[])),
            Err(ProtocolError::Signature)
        );
        m.other_alipay_key = Some(theirs.public().unwrap());
        assert_eq!(m.read_query(&reply, "a1").unwrap().cents, 29_900);
        assert!(m.read_notification(&notice(&[])).unwrap().is_some());
    }

    #[test]
    fn responses_are_parsed_by_code() {
        let m = merchant();
        let trade = |status: &str, amount: &str| {
            answered(
                QUERY,
                json!({"code": "10000", "out_trade_no": "a1", "trade_no": "2026",
                "trade_status": status, "total_amount": amount}),
            )
        };
        let reply = m
            .read_query(&trade("TRADE_SUCCESS", "299.00"), "a1")
            .unwrap();
        assert_eq!((reply.state, reply.cents), (TradeState::Paid, 29_900));
        assert!(
            m.read_query(&trade("TRADE_SUCCESS", "299.00"), "a2")
                .is_err()
        );
        assert!(matches!(
            m.read_query(&trade("NEW", "1"), "a1"),
            Err(Failure::Unclear(_))
        ));
        assert!(matches!(
            m.read_query(&trade("TRADE_CLOSED", "x"), "a1"),
            Err(Failure::Unclear(_))
        ));
        let refusal = |code: &str, sub: &str| json!({"code": code, "sub_code": sub});
        let cases = [
            (refusal("40004", "ACQ.TRADE_NOT_EXIST"), Failure::Unknown),
            (
                refusal("40004", "ACQ.SYSTEM_ERROR"),
                Failure::Unclear("40004 ACQ.SYSTEM_ERROR".into()),
            ),
            (
                refusal("20000", "isp.unknow-error"),
                Failure::Unclear("20000 isp.unknow-error".into()),
            ),
            (refusal("40004", "ACQ.X"), Failure::Refused("ACQ.X ".into())),
        ];
        for (content, expected) in cases {
            assert_eq!(
                m.read_query(&answered(QUERY, content.clone()), "a1"),
                Err(expected.clone())
            );
            let closed = m.read_close(&answered(CLOSE, content));
            assert_eq!(closed.is_err(), matches!(expected, Failure::Unclear(_)));
        }
    }

    #[test]
    fn a_refund_is_done_when_money_moved() {
        let m = merchant();
        let reply = |change: &str| {
            let content = json!({"code": "10000", "out_trade_no": "a1", "fund_change": change});
            m.read_refund(&answered(REFUND, content), &refund())
        };
        assert_eq!(reply("Y"), Ok(RefundState::Done));
        assert_eq!(reply("N"), Ok(RefundState::Pending));
        let asked =
            |content: Value| m.read_query_refund(&answered(REFUND_QUERY, content), &refund());
        assert_eq!(asked(json!({"code": "10000"})), Err(Failure::Unknown));
        let mut full = json!({"code": "10000", "out_trade_no": "a1", "out_request_no": "r1",
            "refund_amount": "1.00", "refund_status": "REFUND_SUCCESS"});
        assert_eq!(asked(full.clone()), Ok(RefundState::Done));
        full["refund_amount"] = "2.00".into();
        assert!(asked(full).is_err());
    }

    #[test]
    fn a_notification_for_another_merchant_is_marked() {
        let m = merchant();
        let read = |change: &[(&str, &str)]| m.read_notification(&notice(change));
        let trade = |change: &[(&str, &str)]| match read(change).unwrap() {
            Some(Notice::Trade { trade, .. }) => trade,
            other => panic!("{other:?}"),
        };
        let reply = trade(&[]);
        assert_eq!((reply.cents, reply.foreign), (29_900, None));
        assert_eq!(trade(&[("app_id", "2022")]).foreign, Some("app_id"));
        assert_eq!(trade(&[("seller_id", "2089")]).foreign, Some("seller_id"));
        assert_eq!(trade(&[("seller_id", "")]).foreign, Some("seller_id"));
        assert_eq!(read(&[("out_trade_no", ""), ("trade_no", "")]), Ok(None));
        let tampered = String::from_utf8(notice(&[]))
            .unwrap()
            .replace("299.00", "1.00");
        assert_eq!(
            m.read_notification(tampered.as_bytes()),
            Err(ProtocolError::Signature)
        );
    }

    #[test]
    fn a_notification_that_cannot_be_read_names_its_payment() {
        let m = merchant();
        for change in [
            ("trade_status", ""),
            ("trade_status", "TRADE_NEW"),
            ("total_amount", "much"),
            ("out_trade_no", ""),
        ] {
            let read = m.read_notification(&notice(&[change, ("notify_time", "1")]));
            let Ok(Some(Notice::Unreadable { number, why })) = read.clone() else {
                panic!("{change:?}: {read:?}");
            };
            let expected = if change.0 == "out_trade_no" { "" } else { "a1" };
            assert_eq!(number, expected);
            assert!(why.contains(change.1), "{why}");
            let again = m.read_notification(&notice(&[change, ("notify_time", "2")]));
            assert_eq!(again, read);
        }
    }

    #[test]
    fn a_notification_tells_of_refunds() {
        let m = merchant();
        let refund = |change: &[(&str, &str)]| match m.read_notification(&notice(change)) {
            Ok(Some(Notice::Trade { refund, .. })) => refund,
            Ok(Some(Notice::Refund { refund, .. })) => Some(refund),
            other => panic!("{other:?}"),
        };
        assert_eq!(refund(&[]), None);
        assert_eq!(refund(&[("refund_fee", "0.00")]), None);
        let told = |cents| {
            Some(ToldRefund {
                number: "r1".to_owned(),
                cents,
                foreign: false,
            })
        };
        let no = ("out_biz_no", "r1");
        let at = ("gmt_refund", "2026-11-28 10:00:00");
        assert_eq!(refund(&[no, at, ("refund_fee", "1.00")]), told(Some(100)));
        assert_eq!(refund(&[no, at]), told(None));
        let alone = [no, at, ("refund_fee", "1.00"), ("trade_status", "")];
        assert_eq!(refund(&alone), told(Some(100)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let m = merchant();
            prop_assert!(m.read_query(&bytes, "a1").is_err());
            prop_assert!(m.read_refund(&bytes, &refund()).is_err());
            prop_assert!(m.read_notification(&bytes).is_err());
        }

        #[test]
        fn any_signed_texts_are_read_or_refused(
            params in proptest::collection::btree_map("out_trade_no|trade_status|total_amount|[a-z]*", ".*", 0..6)
        ) {
            let signed = sign(params, Dialect::Notice, &keys().1).unwrap();
            let _ = merchant().read_notification(super::super::encode(&signed).as_bytes());
        }
    }
}
