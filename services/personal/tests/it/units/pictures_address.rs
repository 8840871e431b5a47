//! Unit tests of `pictures::address`.

use xl_personal::internals::own_key;

fn key(address: &str) -> Option<String> {
    own_key(address, "https://store.example:9000", "private", "u1").ok()
}

#[test]
fn only_objects_of_the_caller_are_named() {
    let own = Some("u/u1/a b.png".to_owned());
    assert_eq!(key("private/u/u1/a b.png"), own);
    assert_eq!(
        key("https://store.example:9000/private/u/u1/a%20b.png?X-Amz-Signature=1"),
        own
    );
    for hostile in [
        "",
        "private/u/u1/",
        "private/u/u2/a.png",
        "private/u/u1/../u2/a.png",
        "private/u/u1//a.png",
        "other/u/u1/a.png",
        "private/s/u1/a.png",
        "https://store.example:9000/private/u/u1/%2e%2e/u2/a.png",
        "https://store.example:9000@evil.example/private/u/u1/a.png",
        "https://store.example:90001/private/u/u1/a.png",
        "https://store.example:9000.evil.example/private/u/u1/a.png",
        "https://evil.example/private/u/u1/a.png",
        "file:///etc/passwd",
        "//evil.example/a.png",
        "http://127.0.0.1/a.png",
        "data:image/png;base64,AAAA",
    ] {
        assert_eq!(key(hostile), None, "{hostile}");
    }
}
