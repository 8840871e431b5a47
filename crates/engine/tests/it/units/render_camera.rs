//! Unit tests of `render::camera`.

use modelkit::internals::View;

/// `frontend/src/viewer/engine/framing.test.ts` has the same figures.
#[test]
fn the_shape_of_a_model_decides_from_where_it_is_seen() {
    for (size, yaw, pitch) in [
        ([1.0, 1.0, 1.0], 33.0, 17.0),
        ([1.0, 0.1, 1.0], 33.0, 38.0),
        ([1.0, 0.41, 0.8], 33.0, 28.0),
        ([0.2, 1.0, 1.0], 56.0, 17.0),
        ([1.0, 1.0, 0.2], 24.0, 17.0),
    ] {
        let view = View::of_size(size);
        let seen = [view.yaw, view.pitch].map(|angle| angle.to_degrees().round());
        assert_eq!(seen, [yaw, pitch], "{size:?}");
    }
}
