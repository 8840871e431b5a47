//! Unit tests of `rules`.

use xl_auth::internals::{
    PASSWORD_COMMON, email, is_phone, masked, masked_email, new_password, password, span,
};

/// AM001.
#[test]
fn phones() {
    for good in ["13800138000", "19912345678"] {
        assert!(is_phone(good), "{good}");
    }
    for bad in [
        "1380013800",
        "12800138000",
        "23800138000",
        "138001380000",
        "1380013800a",
        "",
    ] {
        assert!(!is_phone(bad), "{bad}");
    }
}

#[test]
fn emails() {
    for good in ["a@b.cn", "A.b+c@x-y.example.com"] {
        assert!(email(good).is_ok(), "{good}");
    }
    for bad in [
        "a@",
        "@b.cn",
        "a@b",
        "a@b.c",
        "a@@b.cn",
        "a@b..cn",
        "a b@c.cn",
        ".a@b.cn",
        "中@b.cn",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaa@b.cnn",
    ] {
        assert!(email(bad).is_err(), "{bad}");
    }
    assert_eq!(email("A@B.cn").unwrap(), "a@b.cn");
}

#[test]
fn passwords_are_counted_in_characters() {
    assert!(password("密码密码密码").is_ok());
    assert!(password("12345").is_err());
    assert!(password("12345678901234567").is_err());
    assert!(password("1234567890123456").is_ok());
}

#[test]
fn spans_are_rounded_up() {
    assert_eq!(span(1), "1秒");
    assert_eq!(span(59_001), "60秒");
    assert_eq!(span(121_000), "3分钟");
    assert_eq!(span(3 * 3_600_000), "3小时");
}

#[test]
fn what_everybody_tries_first_is_refused() {
    for common in [
        "123456",
        "password",
        "qwerty",
        "111111",
        "abc123",
        "13800138000",
    ] {
        let refused = new_password(common, "13800138000").unwrap_err();
        assert_eq!(refused.message, PASSWORD_COMMON, "{common}");
    }
    for good in ["xuanlan1", "qingshan-7", "密码密码密码密"] {
        assert!(new_password(good, "13800138000").is_ok(), "{good}");
    }
}

#[test]
fn masks() {
    assert_eq!(masked_email("zhang@example.com"), "z***@example.com");
    assert_eq!(masked("13800138000"), "138****8000");
    assert_eq!(masked("1"), "***");
}
