//! Unit tests of `read::normals`.

use modelkit::internals::{Faces, LEAST_PART, creased, vec3::dot};

fn cube() -> (Vec<[f32; 3]>, Vec<u32>) {
    let positions = (0..8)
        .map(|i| [(i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32])
        .collect();
    let corners = vec![
        0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6,
        1, 3, 5, 3, 7, 5,
    ];
    (positions, corners)
}

#[test]
fn a_cube_keeps_its_edges() {
    let (positions, corners) = cube();
    let made = creased(&Faces {
        positions: &positions,
        corners: &corners,
        groups: &[],
        bits: false,
    });
    assert_eq!(made.normals.len(), 24);
    for (corner, &normal) in made.corners.iter().enumerate() {
        assert_eq!(made.source[normal as usize], corners[corner]);
        let n = made.normals[normal as usize];
        assert!(n.iter().filter(|c| c.abs() > 0.999).count() == 1, "{n:?}");
    }
}

#[test]
fn a_mesh_in_parts_has_the_normals_of_its_pieces() {
    let (positions, corners) = cube();
    let one = creased(&Faces {
        positions: &positions,
        corners: &corners,
        groups: &[],
        bits: false,
    });
    // More than two parts, and cubes on both sides of their borders.
    let cubes = 2 * LEAST_PART / positions.len() + 1;
    let many = positions.repeat(cubes);
    let shifted = (0..cubes).flat_map(|cube| {
        let base = (cube * positions.len()) as u32;
        corners.iter().map(move |corner| base + corner)
    });
    let made = creased(&Faces {
        positions: &many,
        corners: &shifted.collect::<Vec<_>>(),
        groups: &[],
        bits: false,
    });
    assert_eq!(made.normals, one.normals.repeat(cubes));
    let normals = one.normals.len();
    for (at, corner) in made.corners.iter().enumerate() {
        let (cube, corner_of_one) = (at / corners.len(), at % corners.len());
        let expected = cube * normals + one.corners[corner_of_one] as usize;
        assert_eq!(*corner as usize, expected);
    }
}

#[test]
fn a_smoothing_group_rounds_a_cube() {
    let (positions, corners) = cube();
    let groups = vec![1; 12];
    let made = creased(&Faces {
        positions: &positions,
        corners: &corners,
        groups: &groups,
        bits: false,
    });
    assert_eq!(made.normals.len(), 8);
    let n = made.normals[made.corners[0] as usize];
    assert!(n.iter().all(|c| (c + 0.577_35).abs() < 1e-3), "{n:?}");
}

#[test]
fn degenerate_faces_get_unit_normals() {
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0]];
    let made = creased(&Faces {
        positions: &positions,
        corners: &[0, 1, 1],
        groups: &[],
        bits: false,
    });
    assert!(
        made.normals
            .iter()
            .all(|n| (dot(*n, *n) - 1.0).abs() < 1e-5)
    );
}
