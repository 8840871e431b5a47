//! Unit tests of `session::agent`.

use xl_auth::internals::{Kind, kept, read};

#[test]
fn browsers_are_told_from_those_they_descend_from() {
    let windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
    assert_eq!(read(windows), (Kind::Desktop, "Chrome · Windows".into()));
    let edge = format!("{windows} Edg/140.0");
    assert_eq!(read(&edge).1, "Edge · Windows");
    let wechat = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Mobile MicroMessenger/8.0";
    assert_eq!(read(wechat), (Kind::Mobile, "微信 · iPhone".into()));
    assert_eq!(read("curl/8.5"), (Kind::Other, String::new()));
    assert_eq!(read(""), (Kind::Other, String::new()));
    assert_eq!(kept("a\r\nb"), "ab");
}
