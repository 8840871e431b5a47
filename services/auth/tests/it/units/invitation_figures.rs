//! Unit tests of `invitation::figures`.

use xl_auth::internals::{month_of, written};

#[test]
fn months_are_those_of_beijing() {
    let december = 1_796_054_400_000; // 2026-12-01 00:00 in Beijing
    assert_eq!(written(month_of(december)), "2026-12");
    assert_eq!(written(month_of(december - 1)), "2026-11");
    assert_eq!(written(month_of(december) - 11), "2026-01");
    assert_eq!(written(month_of(december) - 12), "2025-12");
}
