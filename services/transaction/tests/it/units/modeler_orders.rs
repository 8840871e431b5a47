//! Unit tests of `modeler::orders`.

use xl_transaction::internals::masked;

#[test]
fn a_buyer_is_not_found_by_what_is_told() {
    assert_eq!(masked("u1234567890abcdef"), "用户u1****ef");
    assert_eq!(masked("u1"), "用户****");
}
