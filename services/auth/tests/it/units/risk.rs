//! Unit tests of `risk`.

use xl_auth::internals::{Guesses, SliderRule, password_needs_slider};

#[test]
fn the_slider_comes_after_two_or_ten() {
    let guesses = |account, address| Guesses {
        account,
        address,
        wait_ms: None,
    };
    let needs =
        |account, address| password_needs_slider(SliderRule::Risk, &guesses(account, address));
    assert!(!needs(1, 9));
    assert!(needs(2, 2));
    assert!(needs(0, 10));
    assert!(password_needs_slider(SliderRule::Always, &guesses(0, 0)));
}
