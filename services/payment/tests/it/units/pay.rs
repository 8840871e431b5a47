//! Unit tests of `pay`.

use xl_payment::internals::coupon_amount;

#[test]
fn a_coupon_amount_is_cents_or_nothing() {
    assert_eq!(coupon_amount(" ").unwrap(), None);
    assert_eq!(coupon_amount("3000").unwrap(), Some(3000));
    for wrong in ["-1", "30.00", "all", "99999999999999999999"] {
        assert!(coupon_amount(wrong).is_err(), "{wrong}");
    }
}
