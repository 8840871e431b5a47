//! Unit tests of `cards`.

use xl_payment::internals::{masked, shown_holder};

#[test]
fn a_person_s_name_is_hidden_and_an_enterprise_s_is_not() {
    assert_eq!(shown_holder("张三", false), "张*");
    assert_eq!(shown_holder("齿轮科技", true), "齿轮科技");
    assert_eq!(masked("0128"), "**** **** **** 0128");
}
