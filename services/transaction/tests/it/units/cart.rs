//! Unit tests of `cart`.

use xl_transaction::internals::yuan;

/// CT004.
#[test]
fn a_total_has_two_decimals() {
    assert_eq!(yuan(10 + 20), "0.30");
    assert_eq!((yuan(0), yuan(123_405)), ("0.00".into(), "1234.05".into()));
}
