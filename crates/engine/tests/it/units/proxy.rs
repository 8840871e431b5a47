//! Unit tests of `proxy`.

use modelkit::internals::Goal;

#[test]
fn no_number_of_triangles_is_tried_twice_in_a_row() {
    let goal = Goal {
        budget: 300_000,
        textures: 0,
        most: 33_333,
    };
    assert_eq!(goal.first(), 33_333);
    // The simplifier stops a little below what is wanted, and more is not allowed.
    assert_eq!(goal.after(33_333, 33_179, 104_816), None);
    assert_eq!(goal.after(33_333, 33_333, 104_816), None);
    // Too large: fewer, and at least half of a part that does not get smaller.
    assert_eq!(goal.after(33_333, 33_179, 400_000), Some(23_888));
    assert_eq!(goal.after(23_888, 33_179, 310_000), Some(11_944));
    assert_eq!(goal.after(1, 1, 400_000), None);
    // Room is left, and triangles are.
    assert_eq!(goal.after(10_000, 10_000, 100_000), Some(28_800));
}
