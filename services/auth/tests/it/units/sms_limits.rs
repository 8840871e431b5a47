//! Unit tests of `sms::limits`.

use xl_auth::internals::wait;

#[test]
fn the_oldest_of_the_window_has_to_leave_it() {
    let times = [9_000, 5_000, 1_000];
    assert_eq!(wait(&times, 1, 10_000, 10_000), Some(9_000));
    assert_eq!(wait(&times, 3, 10_000, 10_000), Some(1_000));
    assert_eq!(wait(&times, 3, 10_000, 11_000), None);
    assert_eq!(wait(&times, 4, 10_000, 10_000), None);
}
