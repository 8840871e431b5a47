//! Unit tests of `identity::provider`.

use xl_auth::internals::{NICKNAME_MAX, id, id_if_any, nickname, with_query};

#[test]
fn names_lose_what_is_not_shown() {
    assert_eq!(nickname(" a\u{202e}b\n<b> "), "ab<b>");
    assert_eq!(nickname(&"长".repeat(40)).chars().count(), NICKNAME_MAX);
}

#[test]
fn ids_are_short_and_plain() {
    let value =
        serde_json::json!({"good": "oA_-1", "long": "x".repeat(65), "odd": "a b", "number": 5});
    assert_eq!(id(&value, "good").unwrap(), "oA_-1");
    for bad in ["long", "odd", "number", "absent"] {
        assert!(id(&value, bad).is_err(), "{bad}");
    }
    assert_eq!(id_if_any(&value, "absent").unwrap(), None);
}

#[test]
fn fields_are_added_behind_a_query() {
    let address = with_query("http://a/b?c=d", &[("e", "f g&h")]);
    assert_eq!(address, "http://a/b?c=d&e=f+g%26h");
}
