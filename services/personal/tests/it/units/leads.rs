//! Unit tests of `leads`.

use xl_personal::internals::phone;

#[test]
fn a_number_is_one_that_can_be_called() {
    assert_eq!(phone(" 13800138000 ").unwrap(), "13800138000");
    for wrong in [
        "",
        "12800138000",
        "1380013800",
        "138001380000",
        "１３８００１３８０００",
    ] {
        assert!(phone(wrong).is_err(), "{wrong}");
    }
}
