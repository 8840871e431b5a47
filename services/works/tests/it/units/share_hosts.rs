//! Unit tests of `share::hosts`.

use xl_works::internals::{admit, read_hosts};

#[test]
fn hosts_are_read_as_people_write_them() {
    let read = |text: &str| read_hosts(text).ok();
    assert_eq!(read("").as_deref(), Some(""));
    assert_eq!(
        read("https://A.example.com/, *.b.test\nlocalhost:8080，a.example.com").as_deref(),
        Some("a.example.com,*.b.test,localhost:8080")
    );
    for wrong in [
        "*",
        "*.com",
        "a b;c",
        "a..b",
        "-a.com",
        "a.com/x",
        "a.com:0",
        "a.com:70000",
        "中国",
        "a.com; script-src *",
        "'self'",
        "user@a.com",
    ] {
        assert!(read(wrong).is_none(), "{wrong}");
    }
    assert!(read(&vec!["a.test"; 30].join(",")).is_some(), "doubles");
    let many: Vec<String> = (0..21).map(|n| format!("a{n}.test")).collect();
    assert!(read(&many.join(",")).is_none());
}

#[test]
fn a_host_is_one_of_them_by_the_letter() {
    let hosts = [
        "a.test".to_owned(),
        "*.b.test".to_owned(),
        "c:81".to_owned(),
    ];
    for own in ["a.test", "x.b.test", "x.y.b.test", "c:81"] {
        assert!(admit(&hosts, own), "{own}");
    }
    for other in [
        "",
        "b.test",
        "xb.test",
        "a.test.evil",
        "a.test:81",
        "c",
        "x.a.test",
        ".b.test",
    ] {
        assert!(!admit(&hosts, other), "{other}");
    }
}
