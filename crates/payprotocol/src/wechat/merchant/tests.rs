use proptest::prelude::*;

use super::*;
use crate::keys::tests::keys;
use crate::wechat::{provider, sign_answer};

const NOW: i64 = 1_800_000_000_000;
const KEY: &str = "0123456789abcdef0123456789abcdef";

fn merchant() -> Merchant {
    Merchant {
        app_id: "wx1".to_owned(),
        mch_id: "1900".to_owned(),
        serial: "AB".to_owned(),
        key: keys().0.clone(),
        api_key: ApiKey::read(KEY).unwrap(),
        other_api_key: None,
        platform: [("PUB_KEY_ID_1".to_owned(), keys().1.public().unwrap())].into(),
        notify_url: "https://y/notify".to_owned(),
    }
}

fn answer(status: u16, body: Value) -> Answer {
    let body = body.to_string().into_bytes();
    Answer {
        status,
        headers: sign_answer(&body, "PUB_KEY_ID_1", &keys().1, NOW).unwrap(),
        body,
    }
}

fn transaction() -> Value {
    json!({"appid": "wx1", "mchid": "1900", "out_trade_no": "a1", "transaction_id": "42",
        "trade_state": "SUCCESS", "amount": {"total": 29_900, "payer_total": 29_900, "currency": "CNY"}})
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

#[test]
fn a_request_is_what_the_provider_verifies() {
    let order = Order {
        number: "a1",
        cents: 1,
        subject: &"会".repeat(99),
        expires_at_ms: NOW,
    };
    let call = merchant().native(&order, NOW).unwrap();
    let read = provider::Authorization::read(&call.authorization).unwrap();
    assert_eq!((read.mch_id.as_str(), read.serial.as_str()), ("1900", "AB"));
    let key = keys().0.public().unwrap();
    let body = call.body.as_bytes();
    read.verify(call.method, &call.path, body, &key, NOW)
        .unwrap();
    assert!(read.verify("GET", &call.path, body, &key, NOW).is_err());
    assert!(
        read.verify(call.method, "/v3/pay/transactions/jsapi", body, &key, NOW)
            .is_err()
    );
    assert!(
        read.verify(call.method, &call.path, b"{}", &key, NOW)
            .is_err()
    );
    assert!(
        read.verify(call.method, &call.path, body, &key, NOW + 301_000)
            .is_err()
    );
    let content: Value = serde_json::from_str(&call.body).unwrap();
    assert_eq!(content["description"].as_str().unwrap().len(), 126);
    assert_eq!(content["time_expire"], "2027-01-15T16:00:00+08:00");
    let query = merchant().query("a/1?", NOW).unwrap();
    assert_eq!(
        query.path,
        "/v3/pay/transactions/out-trade-no/a%2F1%3F?mchid=1900"
    );
}

#[test]
fn responses_are_parsed_by_status_and_code() {
    let m = merchant();
    assert_eq!(
        m.read_native(&answer(200, json!({"code_url": "weixin://x"})), NOW)
            .unwrap(),
        "weixin://x"
    );
    assert!(m.read_native(&answer(200, json!({})), NOW).is_err());
    let reply = m
        .read_query(&answer(200, transaction()), "a1", NOW)
        .unwrap();
    assert_eq!(
        (reply.state, reply.cents, reply.foreign),
        (TradeState::Paid, 29_900, None)
    );
    assert!(
        m.read_query(&answer(200, transaction()), "a2", NOW)
            .is_err()
    );
    let read = |status, code: &str| m.read_query(&answer(status, json!({"code": code})), "a1", NOW);
    assert_eq!(read(404, "ORDER_NOT_EXIST"), Err(Failure::Unknown));
    assert!(matches!(read(400, "PARAM_ERROR"), Err(Failure::Refused(_))));
    for (status, code) in [
        (500, "SYSTEM_ERROR"),
        (429, "X"),
        (400, "SYSTEM_ERROR"),
        (404, ""),
        (302, "X"),
    ] {
        assert!(
            matches!(read(status, code), Err(Failure::Unclear(_))),
            "{status} {code}"
        );
    }
    let mut unsigned = answer(400, json!({"code": "PARAM_ERROR"}));
    unsigned.headers.clear();
    assert!(matches!(
        m.read_query(&unsigned, "a1", NOW),
        Err(Failure::Unclear(_))
    ));
    assert!(m.read_close(&unsigned, NOW).is_err());
    m.read_close(&answer(204, Value::Null), NOW).unwrap();
    m.read_close(&answer(400, json!({"code": "ORDERPAID"})), NOW)
        .unwrap();
    assert!(
        m.read_close(&answer(500, json!({"code": "SYSTEM_ERROR"})), NOW)
            .is_err()
    );
}

#[test]
fn a_refund_answer_has_to_be_about_this_refund() {
    let m = merchant();
    let read = |status: &str, number: &str, cents: i64| {
        let body = json!({"out_refund_no": number, "out_trade_no": "a1", "status": status,
            "amount": {"refund": cents, "total": 200}});
        m.read_refund(&answer(200, body), &refund(), NOW)
    };
    assert_eq!(read("SUCCESS", "r1", 100), Ok(RefundState::Done));
    assert_eq!(read("PROCESSING", "r1", 100), Ok(RefundState::Pending));
    assert!(matches!(
        read("ABNORMAL", "r1", 100),
        Err(Failure::Refused(_))
    ));
    assert!(matches!(
        read("SUCCESS", "r2", 100),
        Err(Failure::Unclear(_))
    ));
    assert!(matches!(
        read("SUCCESS", "r1", 101),
        Err(Failure::Unclear(_))
    ));
}

#[test]
fn a_notification_for_another_merchant_is_marked() {
    let m = merchant();
    let read = |reply: &Value, event: &str| {
        let body = provider::notification(event, "transaction", reply, &m.api_key, NOW).unwrap();
        let headers = sign_answer(body.as_bytes(), "PUB_KEY_ID_1", &keys().1, NOW).unwrap();
        m.read_notification(&headers, body.as_bytes(), NOW)
    };
    let trade = |reply: &Value| match read(reply, "TRANSACTION.SUCCESS") {
        Ok(Some(Notice::Trade { trade, .. })) => trade,
        other => panic!("{other:?}"),
    };
    let reply = trade(&transaction());
    assert_eq!((reply.number.as_str(), reply.foreign), ("a1", None));
    assert_eq!(read(&transaction(), "COUPON.USE"), Ok(None));
    let refund = json!({"mchid": m.mch_id, "out_trade_no": "a1", "out_refund_no": "r1",
        "refund_status": "SUCCESS", "amount": {"total": 200, "refund": 100}});
    let told = |foreign| {
        Ok(Some(Notice::Refund {
            payment: "a1".to_owned(),
            refund: ToldRefund {
                number: "r1".to_owned(),
                cents: Some(100),
                foreign,
            },
        }))
    };
    assert_eq!(read(&refund, "REFUND.SUCCESS"), told(false));
    let mut other = refund;
    other["mchid"] = "other".into();
    assert_eq!(read(&other, "REFUND.ABNORMAL"), told(true));
    for (path, field) in [
        ("/appid", "appid"),
        ("/mchid", "mchid"),
        ("/amount/currency", "currency"),
    ] {
        let mut other = transaction();
        *other.pointer_mut(path).unwrap() = "other".into();
        assert_eq!(trade(&other).foreign, Some(field));
    }
    let mut refunded = transaction();
    refunded["trade_state"] = "REFUND".into();
    assert_eq!(trade(&refunded).foreign, Some("trade_state"));
    // What cannot be read names its payment, if it can.
    for (field, value, number) in [
        ("trade_state", json!("NEW"), "a1"),
        ("trade_state", json!(""), "a1"),
        ("amount", json!("much"), "a1"),
        ("out_trade_no", json!(""), ""),
        ("out_trade_no", json!(5), ""),
    ] {
        let mut odd = transaction();
        odd[field] = value;
        let read = read(&odd, "TRANSACTION.SUCCESS");
        let Ok(Some(Notice::Unreadable { number: named, .. })) = &read else {
            panic!("{odd}: {read:?}");
        };
        assert_eq!(named, number);
    }
    let body = provider::notification(
        "TRANSACTION.SUCCESS",
        "transaction",
        &transaction(),
        &ApiKey::read(&KEY.replace('0', "9")).unwrap(),
        NOW,
    )
    .unwrap();
    let headers = sign_answer(body.as_bytes(), "PUB_KEY_ID_1", &keys().1, NOW).unwrap();
    assert!(m.read_notification(&headers, body.as_bytes(), NOW).is_err());
    // During a change of the APIv3 key, content encrypted with either is accepted.
    let other = ApiKey::read(&KEY.replace('0', "9")).unwrap();
    let m = Merchant {
        other_api_key: Some(other),
        ..m
    };
    let reply = m.read_notification(&headers, body.as_bytes(), NOW);
    assert!(matches!(
        reply,
        Ok(Some(Notice::Trade { trade, .. })) if trade.number == "a1"
    ));
}

proptest! {
    #[test]
    fn any_signed_bytes_are_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        text in "[{}\":,0-9a-z_\\[\\]]*",
        status in any::<u16>(),
    ) {
        let m = merchant();
        for body in [bytes, text.into_bytes()] {
            let headers = sign_answer(&body, "PUB_KEY_ID_1", &keys().1, NOW).unwrap();
            prop_assert!(m.read_notification(&headers, &body, NOW).is_err());
            let answer = Answer { status, headers, body };
            prop_assert!(m.read_query(&answer, "a1", NOW).is_err());
            prop_assert!(m.read_refund(&answer, &refund(), NOW).is_err());
            let _ = m.read_close(&answer, NOW);
        }
    }
}
