//! Unit tests of `channel::skew`.

use payprotocol::wechat::merchant::Answer;
use xl_payment::internals::{PERIOD_MS, Skew, ahead_s};

fn answer(headers: &[(&str, &str)]) -> Answer {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Answer {
        status: 200,
        headers: headers.iter().map(owned).collect(),
        body: Vec::new(),
    }
}

#[test]
fn the_channels_time_is_in_its_answers() {
    let date = ("date", "Sun, 22 Nov 2026 12:00:00 GMT");
    let noon = 1_795_348_800_000;
    assert_eq!(ahead_s(&answer(&[date]), noon + 300_900), Some(300));
    let signed = ("wechatpay-timestamp", "1795348800");
    assert_eq!(ahead_s(&answer(&[signed]), noon - 301_000), Some(-301));
    assert_eq!(ahead_s(&answer(&[("date", "noon")]), noon), None);
    assert_eq!(ahead_s(&answer(&[]), noon), None);
}

#[test]
fn it_is_told_once_a_minute() {
    let skew = Skew::of("wechat");
    assert!(skew.is_time_to_tell(0));
    assert!(!skew.is_time_to_tell(PERIOD_MS - 1));
    assert!(skew.is_time_to_tell(PERIOD_MS));
}
