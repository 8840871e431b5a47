//! Unit tests of `render::sparse`.

use modelkit::internals::{Hit, Lattice, Node, V3};

/// Nodes over a tile of 32 pixels in the plane z = 0, a pixel being a hundredth.
fn lattice(share: impl Fn(f32) -> f32) -> Lattice {
    let everywhere = vec![
        [Hit {
            near: 1.0,
            number: 0
        }];
        32 * 32
    ];
    Lattice::over([0, 0, 32, 32], &everywhere, |_, x, y| {
        Some(Node {
            position: [x / 100.0, y / 100.0, 0.0],
            normal: [0.0, 0.0, 1.0],
            share: share(x),
        })
    })
}

fn light(lattice: &Lattice, x: f32, z: f32, normal: V3) -> Option<f32> {
    lattice.light(x, 10.0, [x / 100.0, 0.1, z], normal)
}

#[test]
fn light_that_changes_slowly_is_interpolated() {
    let lattice = lattice(|x| x / 100.0);
    for x in [0.5, 7.0, 18.25, 31.5] {
        let found = light(&lattice, x, 0.0, [0.0, 0.0, 1.0]).unwrap();
        assert!((found - x / 100.0).abs() < 1e-2, "{x} {found}");
    }
}

#[test]
fn edges_of_shadows_and_other_surfaces_are_computed_in_place() {
    let shadow = lattice(|x| if x < 16.0 { 0.1 } else { 0.9 });
    assert_eq!(light(&shadow, 14.0, 0.0, [0.0, 0.0, 1.0]), None);
    assert!(light(&shadow, 6.0, 0.0, [0.0, 0.0, 1.0]).is_some());
    let even = lattice(|_| 0.5);
    assert_eq!(light(&even, 6.0, 0.5, [0.0, 0.0, 1.0]), None);
    assert_eq!(light(&even, 6.0, 0.0, [1.0, 0.0, 0.0]), None);
}
