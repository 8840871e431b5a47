//! Unit tests of `review::likeness`.

use xl_transaction::internals::{LENGTH, likeness};

#[test]
fn equal_forms_are_alike_and_others_are_not() {
    let one: Vec<u8> = (0..64).collect();
    let mut near = one.clone();
    near[3] += 9;
    let far = vec![255; LENGTH];
    assert_eq!(likeness(&one, &one), Some(100));
    assert!(likeness(&one, &near).is_some_and(|like| like >= 98));
    assert_eq!(likeness(&one, &far), Some(0));
    assert_eq!(likeness(&one, &[]), None);
}
