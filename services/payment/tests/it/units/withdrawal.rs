//! Unit tests of `withdrawal`.

use xl_payment::internals::{is_request_no, yuan};

#[test]
fn a_request_s_number_is_bounded() {
    assert!(is_request_no("0199d3c2-7a51"));
    for wrong in ["", "short", "with space 1", "编号编号编号", &"x".repeat(65)] {
        assert!(!is_request_no(wrong), "{wrong}");
    }
    assert_eq!(yuan(1_000_005), "10000.05");
}
