//! Unit tests of `gallery::view`.

use xl_works::internals::{is_robot, visitor};

#[test]
fn who_looks_is_a_person_or_a_browser() {
    assert_eq!(visitor("u1", "").unwrap(), "u:u1");
    assert_eq!(visitor("", &"a".repeat(16)).unwrap(), "b:aaaaaaaaaaaaaaaa");
    for wrong in ["", "short", &"a".repeat(65), "u:someone-else-here"] {
        assert!(visitor("", wrong).is_err(), "{wrong}");
    }
}

#[test]
fn programs_that_walk_the_web_are_known() {
    assert!(is_robot("Mozilla/5.0 (compatible; Baiduspider/2.0)"));
    assert!(is_robot("Googlebot"));
    assert!(!is_robot("Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0"));
}
