//! Unit tests of `search::similar`.

use xl_transaction::internals::{BYTES, Descriptors};

#[test]
fn the_nearest_come_first_and_what_is_gone_does_not_come() {
    let mut all = Descriptors::default();
    let id = |n: u8| format!("{n:032x}");
    for n in [1, 2, 4, 9] {
        all.put(&id(n), Some([n * 10; BYTES]));
    }
    assert_eq!(all.near(&id(1), 2), [id(2), id(4)]);
    all.put(&id(2), None);
    assert_eq!(all.near(&id(1), 2), [id(4), id(9)]);
    all.put(&id(9), Some([11; BYTES]));
    assert_eq!(all.near(&id(1), 9), [id(9), id(4)]);
    assert!(all.near(&id(2), 9).is_empty() && all.near("x", 9).is_empty());
}
