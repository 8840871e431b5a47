//! Unit tests of `cards::number`.

use xl_payment::internals::{BINS, bank_of, digits_of, last4};

#[test]
fn only_a_card_s_number_passes() {
    // Test numbers of the schemes, and made ones with a right check digit.
    for right in ["4111111111111111", "6222 0212 3456 7890 128"] {
        assert!(digits_of(right).is_some(), "{right}");
    }
    for wrong in [
        "",
        "4111111111111112",
        "6222 0212 3456 7890 129",
        "411111111111",
        "0000000000000000",
        "411111111111111a",
        "４１１１１１１１１１１１１１１１",
        &"4".repeat(65),
    ] {
        assert_eq!(digits_of(wrong), None, "{wrong}");
    }
}

#[test]
fn a_bank_is_named_where_it_is_known() {
    assert_eq!(bank_of("6222021234567890128"), "中国工商银行");
    assert_eq!(bank_of("4111111111111111"), "");
    assert_eq!(last4("6222021234567890128"), "0128");
    assert!(BINS.is_sorted(), "none stands twice");
}
