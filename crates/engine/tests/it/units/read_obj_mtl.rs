//! Unit tests of `read::obj::mtl`.

use modelkit::internals::map;

#[test]
fn map_options_are_taken_off_the_name() {
    let reply = map(b" -bm 0.5 -s 2 3 1 -o 0.25 -clamp on my wood.png ").unwrap();
    assert_eq!(reply.file, "my wood.png");
    assert_eq!((reply.scale, reply.offset), ([2.0, 3.0], [0.25, 0.0]));
    assert!(reply.wrap == [modelkit::scene::CLAMP; 2] && reply.bump == 0.5);
    let transform = reply.transform().unwrap();
    assert_eq!(transform.offset, [0.25, -2.0]);
    assert!(map(b" -bm 1 ").is_none());
}
