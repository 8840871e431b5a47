//! Unit tests of `read::weld`.

use modelkit::internals::Welder;

#[test]
fn same_places_get_one_index() {
    let mut welder = Welder::new(1);
    assert_eq!(welder.add([0.0, 1.0, 2.0]), 0);
    assert_eq!(welder.add([-0.0, 1.0, 2.0]), 0);
    for i in 1..1000u32 {
        assert_eq!(welder.add([i as f32, 0.0, 0.0]), i);
    }
    for i in 1..1000u32 {
        assert_eq!(welder.add([i as f32, 0.0, 0.0]), i);
    }
    assert_eq!(welder.finish().len(), 1000);
}
