//! Unit tests of `invitation::qualify`.

use xl_auth::internals::month_start;

#[test]
fn months_begin_in_beijing() {
    let december = 1_796_054_400_000; // 2026-12-01 00:00 in Beijing
    assert_eq!(month_start(december), december);
    assert_eq!(month_start(december + 30 * 86_400_000), december);
    assert_eq!(month_start(december - 1), december - 30 * 86_400_000);
}
