//! Unit tests of `listing::texts`.

use xl_transaction::internals::price;

#[test]
fn a_price_is_nothing_or_a_yuan_and_more() {
    for good in [0, 100, 101, 9_999_999] {
        assert_eq!(price(good).unwrap(), good);
    }
    for bad in [-1, 1, 99, 10_000_000, i64::MAX, i64::MIN] {
        assert!(price(bad).is_err(), "{bad}");
    }
}
