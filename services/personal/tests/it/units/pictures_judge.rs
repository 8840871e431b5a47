//! Unit tests of `pictures::judge`.

use xl_personal::internals::{Verdict, leads_away};

#[test]
fn codes_that_open_something_are_told_from_text() {
    for code in [
        "https://a.example",
        "weixin:abc",
        "wxp://f2f0",
        "WWW.A.CN",
        "tel:123",
    ] {
        assert!(leads_away(code), "{code}");
    }
    for text in ["序列号 12345", "零件：齿轮", ""] {
        assert!(!leads_away(text), "{text}");
    }
}

#[test]
fn the_stricter_verdict_holds() {
    let refused = Verdict::Refused("a".into());
    let undecided = Verdict::Undecided("b".into());
    assert_eq!(undecided.clone().and(refused.clone()), refused);
    assert_eq!(Verdict::Passed.and(undecided.clone()), undecided);
    assert_eq!(Verdict::Passed.and(Verdict::Passed), Verdict::Passed);
}
