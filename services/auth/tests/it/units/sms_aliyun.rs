//! Unit tests of `sms::aliyun`.

use outbound::Answer;
use xl_auth::internals::{canonical_query, judged};

#[test]
fn fields_are_encoded_as_they_are_signed() {
    assert_eq!(
        canonical_query(&[("B", "a b*~/中"), ("A", "{\"c\":1}")]),
        "A=%7B%22c%22%3A1%7D&B=a%20b%2A~%2F%E4%B8%AD"
    );
}

#[test]
fn what_aliyun_says_is_told_apart() {
    let answer = |code: &str| Answer {
        status: 200,
        headers: Default::default(),
        body: format!("{{\"Code\":\"{code}\",\"Message\":\"m\"}}").into(),
    };
    assert!(judged(&answer("OK")).is_ok());
    for (code, message) in [
        ("isv.BUSINESS_LIMIT_CONTROL", "获取太频繁，请稍后再试"),
        ("isv.MOBILE_NUMBER_ILLEGAL", "请输入正确的手机号"),
        ("SignatureDoesNotMatch", "短信没有发出，请稍后再试"),
    ] {
        assert_eq!(
            judged(&answer(code)).unwrap_err().message(),
            message,
            "{code}"
        );
    }
}
