//! Unit tests of `grants::free`.

use xl_transaction::internals::{HOUR_MS, day_of};

#[test]
fn a_day_begins_at_midnight_in_china() {
    // 2026-11-23 16:00 UTC.
    let midnight = 1_795_449_600_000;
    assert_eq!(day_of(midnight) - day_of(midnight - 1), 1);
    assert_eq!(day_of(midnight), day_of(midnight + 24 * HOUR_MS - 1));
}
