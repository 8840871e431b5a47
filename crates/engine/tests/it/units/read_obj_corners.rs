//! Unit tests of `read::obj::corners`.

use modelkit::internals::{Corners, NONE};

#[test]
fn a_component_begins_with_its_first_value() {
    let mut corners = Corners::default();
    let given = [[7, NONE, NONE], [8, 3, NONE], [9, NONE, 5], [1, 2, 3]];
    for corner in given {
        corners.push(corner);
    }
    assert_eq!(corners.iter().collect::<Vec<_>>(), given);
    corners.truncate(2);
    assert_eq!(corners.iter().collect::<Vec<_>>(), given[..2]);
    corners.set(1, 1, 4);
    corners.set_normal(0, 6);
    assert_eq!(corners.get(1), [8, 4, NONE]);
    assert_eq!(corners.get(0), [7, NONE, 6]);
}
