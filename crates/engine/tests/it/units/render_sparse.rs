//! Unit tests of `render::sparse`.

use modelkit::internals::{Lattice, Mesh, Node, V3};

/// A tile of 32 pixels in the plane z = 0, a pixel being a hundredth, and how many of its nodes are computed.
struct Plane<F> {
    lattice: Lattice,
    share: F,
    computed: usize,
}

fn plane<F: Fn(f32) -> f32>(mesh: Mesh, share: F) -> Plane<F> {
    Plane {
        lattice: Lattice::over([0, 0, 32, 32], mesh),
        share,
        computed: 0,
    }
}

impl<F: Fn(f32) -> f32> Plane<F> {
    fn light(&mut self, x: f32, z: f32, normal: V3) -> Option<f32> {
        let (share, computed) = (&self.share, &mut self.computed);
        let mut node = |[x, y]: [u32; 2]| {
            *computed += 1;
            let [x, y] = [x, y].map(|v| v as f32 + 0.5);
            Some(Node {
                position: [x / 100.0, y / 100.0, 0.0],
                normal: [0.0, 0.0, 1.0],
                share: share(x),
            })
        };
        let position = [x / 100.0, 0.1, z];
        self.lattice.light([x, 10.0], position, normal, &mut node)
    }
}

const UP: V3 = [0.0, 0.0, 1.0];

#[test]
fn light_that_changes_slowly_is_interpolated() {
    let mut plane = plane(Mesh::COARSE, |x| x / 100.0);
    for x in [0.5, 7.0, 18.25, 31.5] {
        let found = plane.light(x, 0.0, UP).unwrap();
        assert!((found - x / 100.0).abs() < 1e-2, "{x} {found}");
    }
    // Four nodes around each, and each node once.
    let computed = plane.computed;
    assert!(computed <= 16, "{computed}");
    plane.light(7.5, 0.0, UP).unwrap();
    assert_eq!(plane.computed, computed);
}

#[test]
fn edges_of_shadows_and_other_surfaces_are_computed_in_place() {
    let shadow = |x: f32| if x < 16.0 { 0.1 } else { 0.9 };
    let mut coarse = plane(Mesh::COARSE, shadow);
    assert_eq!(coarse.light(14.0, 0.0, UP), None);
    assert!(coarse.light(6.0, 0.0, UP).is_some());
    // The fine mesh has the edge only where it is.
    let mut fine = plane(Mesh::FINE, shadow);
    assert_eq!(fine.light(15.5, 0.0, UP), None);
    assert_eq!(fine.light(13.5, 0.0, UP), Some(0.1));
    let mut even = plane(Mesh::COARSE, |_| 0.5);
    assert_eq!(even.light(6.0, 0.5, UP), None);
    assert_eq!(even.light(6.0, 0.0, [1.0, 0.0, 0.0]), None);
}
